export * from "./catalogue.js";
export * from "./cloud-event.js";
