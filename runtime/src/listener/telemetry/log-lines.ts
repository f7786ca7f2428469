import type { CloudEvent } from "../../events/index.js";
import { beginningOf } from "../../log.js";

/** An event as the log shows it: never its payload, and of long names only the beginning. */
export function eventNames({ id, type, source }: CloudEvent) {
  return { id: beginningOf(id), type: beginningOf(type), source: beginningOf(source) };
}
