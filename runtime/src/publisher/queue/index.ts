export { Admission, type AdmissionLimits } from "./admission.js";
export { Call } from "./call.js";
export {
  abortFailure,
  CLOSED_FAILURE,
  type CreateOptions,
  checkCallOptions,
  queueFullFailure,
  timeoutFailure,
} from "./call-options.js";
export { Dispatcher, type DispatchSettings } from "./dispatcher.js";
export { SignalListeners } from "./signal-listeners.js";
export { Throttle } from "./throttle.js";
