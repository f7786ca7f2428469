/** Where a command finds the definition of a binding: component documents and environments. */
export {
  type Component,
  type ComponentOptions,
  isOtherDocument,
  readComponents,
} from "./component-file.js";
export {
  type Environment,
  type EnvironmentBinding,
  isPullBinding,
  readEnvironment,
  readEnvironmentBinding,
  readPullBinding,
} from "./environment.js";
export { readSources, type Source } from "./sources.js";
