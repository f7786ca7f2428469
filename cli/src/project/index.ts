/** New projects: a stack, a service with its test, and the files to run them. */
export { projectsOfComponents } from "./from-components.js";
export { moduleCall } from "./module-call.js";
export { byProjectName } from "./names.js";
export { type AppKind, newProject } from "./new-project.js";
export { packageSource } from "./packages.js";
export { terraformCommand } from "./terraform-program.js";
export type { Cdk } from "./values.js";
export { nextCommands, requireEmpty, writeProjects } from "./write.js";
