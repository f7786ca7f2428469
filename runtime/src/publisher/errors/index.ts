export { type EventProblem, InvalidEventError } from "./invalid-event-error.js";
export {
  PublishError,
  type PublishErrorCode,
  type PublishFailure,
  type UnpublishedEvent,
} from "./publish-error.js";
