/** New projects: a stack, a service with its test, and the files to run them. */
export { adoptedAssignments, projectsOfComponents } from "./from-components.js";
export { namesOf, projectName } from "./names.js";
export { type AppKind, newProject } from "./new-project.js";
export {
  type IsPublished,
  isAzureadMissing,
  withoutAzuread,
  withPackedPackages,
} from "./packages.js";
export type { Cdk } from "./values.js";
export { nextCommands, writeProject } from "./write.js";
