export * from "./existing-application.js";
export * from "./service-principals.js";
export * from "./subscriber-role.js";
export * from "./webhook-application.js";
