import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type Envelope,
  encodeEvent,
  isEncoded,
  type Problem,
  type TraceAttributes,
} from "./encode-event.js";
import type { EncodedEvent } from "./encoded-event.js";
import type { EventToCreate } from "./event-to-create.js";
import { type EventProblem, InvalidEventError } from "./invalid-event-error.js";
import { payloadProblems } from "./payload-check.js";

/**
 * Makes the events of a call ready to be sent, all or none.
 *
 * @throws {InvalidEventError} with everything that is wrong with any of them
 */
export function encodeAll(
  events: readonly EventToCreate[],
  envelope: Envelope,
  trace?: TraceAttributes,
): EncodedEvent[] {
  const results = events.map((event) => encodeEvent(event, envelope, trace));
  const encoded = results.filter(isEncoded);
  if (encoded.length === results.length) return encoded;
  const problems = results.flatMap((result, index) =>
    isEncoded(result) ? [] : result.problems.map((problem) => ({ index, ...problem })),
  );
  throw invalid(events, results, problems);
}

/**
 * Checks the payloads of a call with their types' schemas.
 *
 * @returns a promise only where a schema needs one
 * @throws {InvalidEventError}
 */
export function checkPayloads(
  events: readonly EventToCreate[],
  encoded: readonly EncodedEvent[],
  schemas: ReadonlyMap<string, StandardSchemaV1>,
): Promise<void> | undefined {
  const found = events.map((event) => {
    const schema = schemas.get(event.type);
    return schema === undefined ? [] : payloadProblems(event.data, schema);
  });
  const atOnce = found.filter(isArray);
  if (atOnce.length < found.length) {
    return Promise.all(found).then((settled) => throwIfAny(events, encoded, settled));
  }
  throwIfAny(events, encoded, atOnce);
  return undefined;
}

function isArray(
  found: readonly Problem[] | Promise<readonly Problem[]>,
): found is readonly Problem[] {
  return Array.isArray(found);
}

function throwIfAny(
  events: readonly EventToCreate[],
  encoded: readonly EncodedEvent[],
  found: readonly (readonly Problem[])[],
): void {
  const problems = found.flatMap((ofEvent, index) =>
    ofEvent.map((problem) => ({ index, ...problem })),
  );
  if (problems.length > 0) throw invalid(events, encoded, problems);
}

function invalid(
  events: readonly EventToCreate[],
  results: readonly { readonly id: string }[],
  problems: readonly EventProblem[],
): InvalidEventError {
  return new InvalidEventError(
    problems,
    events.map((event, index) => ({
      index,
      id: results[index]?.id ?? "",
      type: typeOf(event),
      mayHaveArrived: false,
    })),
  );
}

/** What a caller gave is not what the compiler believes, or it would not be invalid. */
function typeOf(event: unknown): string {
  if (typeof event !== "object" || event === null) return "";
  const type: unknown = Reflect.get(event, "type");
  return typeof type === "string" ? type : "";
}
