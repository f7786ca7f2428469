export type { EncodedEvent } from "../../encoded-events.js";
export { timestamps } from "./encode-event.js";
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
