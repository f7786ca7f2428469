export * from "./event-grid-principal.js";
export * from "./existing-application.js";
export * from "./subscriber-role.js";
export * from "./webhook-application.js";
