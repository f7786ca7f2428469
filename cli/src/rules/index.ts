/** The rules of Azure that decide whether events are delivered. They say nothing in words. */
export { get, UNKNOWN } from "./values.js";
