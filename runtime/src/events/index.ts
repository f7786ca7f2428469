export { CloudEventGridError, ConfigurationError, type Problem } from "../errors.js";
export * from "./catalogue.js";
export * from "./cloud-event.js";
export * from "./system/index.js";
