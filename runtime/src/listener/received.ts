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

const MOST_PROBLEMS = 10;

/** What logs say of something that is no event: its first problems, for there can be thousands. */
export function problemsOf({ problems }: InvalidEnvelopeError): readonly string[] {
  return problems.slice(0, MOST_PROBLEMS);
}
