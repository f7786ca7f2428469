export { CloudEventGridError, ConfigurationError, type Problem } from "../errors.js";
export * from "./catalogue.js";
export * from "./event-types.js";
export * from "./system-events.js";
