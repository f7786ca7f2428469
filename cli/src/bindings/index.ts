/** Reads bindings from component documents and environments. */
export {
  type Component,
  type ComponentOptions,
  isOtherDocument,
  isValid,
  type ReadComponent,
  readComponents,
} from "./component-documents.js";
export {
  type Environment,
  type EnvironmentBinding,
  isPullBinding,
  readEnvironment,
  readEnvironmentBinding,
  readNamespaceTopic,
  readPullBinding,
} from "./environment-binding.js";
export { readSources, type Source } from "./source-files.js";
