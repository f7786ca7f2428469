export * from "./cloud-event.js";
