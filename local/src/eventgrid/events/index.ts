export * from "./bounded-history.js";
export * from "./event.js";
export * from "./json-text.js";
export * from "./published-event.js";
export * from "./schemas.js";
