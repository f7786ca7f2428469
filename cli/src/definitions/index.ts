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
  readEnvironment,
  readEnvironmentBinding,
} from "./environment.js";
export { readSources, type Source } from "./sources.js";
