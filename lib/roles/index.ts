export * from "./azure-role-assignment.js";
export * from "./writers.js";
