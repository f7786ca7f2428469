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
 * The events of a call, read once.
 *
 * @throws {InvalidEventError} when the array, or its proxy, throws
 */
export function listOf(events: EventToCreate | readonly EventToCreate[]): EventToCreate[] {
  try {
    return isList(events) ? [...events] : [events];
  } catch {
    throw new InvalidEventError(
      [{ index: 0, path: "", message: "what create was given throws when it is read" }],
      [],
    );
  }
}

function isList(
  events: EventToCreate | readonly EventToCreate[],
): events is readonly EventToCreate[] {
  return Array.isArray(events);
}

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
  throw invalid(results, problems);
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
  const found = encoded.map(({ type }, index) => {
    const schema = schemas.get(type);
    return schema === undefined ? [] : payloadProblems(events[index], schema);
  });
  const atOnce = found.filter(isArray);
  if (atOnce.length < found.length) {
    return Promise.all(found).then((settled) => throwIfAny(encoded, settled));
  }
  throwIfAny(encoded, atOnce);
  return undefined;
}

function isArray(
  found: readonly Problem[] | Promise<readonly Problem[]>,
): found is readonly Problem[] {
  return Array.isArray(found);
}

function throwIfAny(
  encoded: readonly EncodedEvent[],
  found: readonly (readonly Problem[])[],
): void {
  const problems = found.flatMap((ofEvent, index) =>
    ofEvent.map((problem) => ({ index, ...problem })),
  );
  if (problems.length > 0) throw invalid(encoded, problems);
}

function invalid(
  results: readonly { readonly id: string; readonly type: string }[],
  problems: readonly EventProblem[],
): InvalidEventError {
  return new InvalidEventError(
    problems,
    results.map(({ id, type }, index) => ({ index, id, type, mayHaveArrived: false })),
  );
}
