export * from "./azure-role-assignment.js";
export * from "./missing-role.js";
export * from "./writers.js";
