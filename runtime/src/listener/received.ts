import type { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { CloudEvent } from "../events/index.js";

/** An event, or why what was received is none. */
export type Received = CloudEvent | InvalidEnvelopeError;

/** What logs say of an event: never its payload. */
export function nameOf({
  id,
  type,
  source,
}: CloudEvent): Pick<CloudEvent, "id" | "type" | "source"> {
  return { id, type, source };
}
