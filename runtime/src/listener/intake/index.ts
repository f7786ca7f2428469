export { Capacity } from "./capacity.js";
export { Deadlines } from "./deadlines.js";
export { contentMode, Delivery, headerText } from "./delivery.js";
export { Draining } from "./draining.js";
export { LifecycleNotices } from "./lifecycle-notices.js";
export { readBody, readEvents } from "./reading.js";
export { answer, answerEarly, Refusal, statusOf, statusOfError } from "./responses.js";
