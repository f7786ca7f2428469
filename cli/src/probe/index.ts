/** Event Grid's handshake with a webhook, done from here. */
export { EXIT_CODES } from "./outcome.js";
export { probe } from "./probe.js";
export { addedPathLine, attemptLine, explanation, jsonReport } from "./report.js";
export { readTarget } from "./target.js";
