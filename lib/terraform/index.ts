export * from "./azapi.js";
export * from "./dependencies.js";
export * from "./identity.js";
export * from "./new-identity.js";
export * from "./provider-registration.js";
export * from "./stack-singletons.js";
export * from "./terraform-data.js";
export * from "./tokens.js";
