/** New projects: a stack, services with their tests, and the files to run them. */
export { cdkPackages } from "./cdk-packages.js";
export { projectOfComponents } from "./from-components.js";
export { newProject } from "./new-project.js";
export { projectFiles } from "./project-files.js";
export type { AppKind, Cdk } from "./spec.js";
export { adoptedAssignments, namesOf, projectName } from "./spec.js";
export { nextCommands, writeProject } from "./write.js";
