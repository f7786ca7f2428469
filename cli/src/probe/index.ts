/** Event Grid's handshake with a webhook, sent from this machine. */

export { HANDSHAKE_TIMEOUT_MS } from "./handshake.js";
export { EXIT_CODES, explain } from "./outcome.js";
export { type ProbeOptions, probe } from "./probe.js";
export { readProbedWebhook } from "./probed-webhook.js";
export { addedPathLine, attemptLine, explanation, jsonReport } from "./report.js";
