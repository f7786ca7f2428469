export * from "./dead-letters.js";
export * from "./delivery-attempt.js";
export * from "./delivery-queue.js";
export * from "./dispatch.js";
export * from "./stages.js";
export * from "./verdict.js";
