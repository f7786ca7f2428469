import type { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { CloudEvent } from "../events/index.js";

/** What logs say of an event: never its payload, and of a name of any length its beginning. */
export function nameOf({
  id,
  type,
  source,
}: CloudEvent): Pick<CloudEvent, "id" | "type" | "source"> {
  return { id: beginning(id), type: beginning(type), source: beginning(source) };
}

const LONGEST_NAME = 512;

function beginning(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

/** As many events of a delivery are named in a line of the log. */
export const MOST_NAMED = 10;

const MOST_PROBLEMS = 10;

/** What logs say of something that is no event: its first problems, for there can be thousands. */
export function problemsOf({ problems }: InvalidEnvelopeError): readonly string[] {
  return problems.slice(0, MOST_PROBLEMS);
}
