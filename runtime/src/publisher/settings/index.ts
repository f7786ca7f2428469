export {
  abortFailure,
  CLOSED_FAILURE,
  type CreateOptions,
  checkCallOptions,
  queueFullFailure,
  timeoutFailure,
} from "./call-options.js";
export type { PublisherLimits, PublisherOptions, RetrySettings } from "./options.js";
export {
  type PublisherSettings,
  publisherSettings,
} from "./publisher-settings.js";
