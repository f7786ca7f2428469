/** The contract between the constructs and the runtime: what a binding is, and how it is read and written. */
export * from "./cloud-environment.js";
export * from "./field-rules.js";
export * from "./field-table.js";
export * from "./fields.js";
export * from "./limits.js";
export * from "./parse.js";
export * from "./patterns.js";
export * from "./props.js";
export * from "./read-environment.js";
export * from "./scope.js";
export * from "./subscription-name.js";
export * from "./write-environment.js";
