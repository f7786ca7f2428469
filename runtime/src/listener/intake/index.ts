export { type AdmissionDependencies, admit } from "./admission.js";
export { readBody } from "./body.js";
export { Capacity } from "./capacity.js";
export { Deadlines } from "./deadlines.js";
export { Delivery } from "./delivery.js";
export { Draining } from "./draining.js";
export { LifecycleNotices, type SubscriptionEnd } from "./lifecycle-notices.js";
export { headerText, isGone, whenClosed } from "./request.js";
export { answer, answerEarly, endConnection, Refusal } from "./responses.js";
