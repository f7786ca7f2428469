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
  const problems: EventProblem[] = [];
  const encoded: EncodedEvent[] = [];
  events.forEach((event, index) => {
    const result = encodeEvent(event, envelope, trace);
    if (isEncoded(result)) encoded.push(result);
    else problems.push(...result.map((problem) => ({ index, ...problem })));
  });
  if (problems.length > 0) throw invalid(events, problems);
  return encoded;
}

/**
 * Checks the payloads of a call with their types' schemas.
 *
 * @returns a promise only where a schema needs one
 * @throws {InvalidEventError}
 */
export function checkPayloads(
  events: readonly EventToCreate[],
  schemas: ReadonlyMap<string, StandardSchemaV1>,
): Promise<void> | undefined {
  const found = events.map((event) => {
    const schema = schemas.get(event.type);
    return schema === undefined ? [] : payloadProblems(event.data, schema);
  });
  const atOnce = found.filter(isArray);
  if (atOnce.length < found.length) {
    return Promise.all(found).then((settled) => throwIfAny(events, settled));
  }
  throwIfAny(events, atOnce);
  return undefined;
}

function isArray(
  found: readonly Problem[] | Promise<readonly Problem[]>,
): found is readonly Problem[] {
  return Array.isArray(found);
}

function throwIfAny(
  events: readonly EventToCreate[],
  found: readonly (readonly Problem[])[],
): void {
  const problems = found.flatMap((ofEvent, index) =>
    ofEvent.map((problem) => ({ index, ...problem })),
  );
  if (problems.length > 0) throw invalid(events, problems);
}

function invalid(
  events: readonly EventToCreate[],
  problems: readonly EventProblem[],
): InvalidEventError {
  return new InvalidEventError(
    problems,
    events.map((event, index) => ({
      index,
      id: text(event, "id"),
      type: text(event, "type"),
      mayHaveArrived: false,
    })),
  );
}

/** What a caller gave is not what the compiler believes, or it would not be invalid. */
function text(event: unknown, name: "id" | "type"): string {
  if (typeof event !== "object" || event === null) return "";
  const value: unknown = Reflect.get(event, name);
  return typeof value === "string" ? value : "";
}
