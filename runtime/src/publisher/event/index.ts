export { ENCODED_EVENTS, type EncodedEvent, type EncodedEvents } from "./encoded-events.js";
export type { EventsToCreate, EventToCreate, ReadyEvent } from "./event-to-create.js";
export {
  type Invocation,
  type InvocationResult,
  invokedEvents,
  OPERATIONS,
  type Operation,
  UnsupportedOperationError,
} from "./invocation.js";
export { checkPayloads, encodeAll } from "./prepare-events.js";
