import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describeIssues } from "../../payload-problems.js";
import { InvalidEventError } from "../errors/index.js";
import type { TraceAttributes } from "../telemetry/index.js";
import {
  type EncodedEvent,
  type EnvelopeDefaults,
  encodeEvent,
  isEncoded,
} from "./encode-event.js";
import type { EventToCreate } from "./event-to-create.js";
import type { Problem } from "./json-problems.js";

/**
 * Encodes the events of a call, all or none.
 *
 * @throws {InvalidEventError} with every problem of every event
 */
export function encodeAll(
  events: readonly EventToCreate[],
  defaults: EnvelopeDefaults,
  trace?: TraceAttributes,
): EncodedEvent[] {
  const results = events.map((event) => encodeEvent(event, defaults, trace));
  const encoded = results.filter(isEncoded);
  if (encoded.length === results.length) return encoded;
  throw invalid(
    results,
    results.map((result) => (isEncoded(result) ? [] : result.problems)),
  );
}

/**
 * Checks the payloads of a call with the schemas of their types. The payload is sent as it was
 * given, not as the schema returns it.
 *
 * @returns a promise only where a schema returns one: most publish at once
 * @throws {InvalidEventError}
 */
export function checkPayloads(
  events: readonly EventToCreate[],
  encoded: readonly EncodedEvent[],
  schemas: ReadonlyMap<string, StandardSchemaV1>,
): Promise<void> | undefined {
  const found = encoded.map(({ type }, index) => {
    const schema = schemas.get(type);
    return schema === undefined ? [] : payloadProblems(events[index]?.data, schema);
  });
  const settled = found.filter((problems) => Array.isArray(problems));
  if (settled.length === found.length) {
    throwIfAny(encoded, settled);
    return undefined;
  }
  return Promise.all(found).then((all) => throwIfAny(encoded, all));
}

function payloadProblems(data: unknown, schema: StandardSchemaV1): Problem[] | Promise<Problem[]> {
  try {
    const result = schema["~standard"].validate(data);
    return "then" in result
      ? Promise.resolve(result).then(problemsOf, () => SCHEMA_FAILED)
      : problemsOf(result);
  } catch {
    return SCHEMA_FAILED;
  }
}

/** Without the error's message, which may contain the payload. */
const SCHEMA_FAILED: Problem[] = [
  { path: "data", message: "data: the schema of its type threw an error" },
];

function problemsOf({ issues = [] }: StandardSchemaV1.Result<unknown>): Problem[] {
  return describeIssues(issues);
}

function throwIfAny(
  encoded: readonly EncodedEvent[],
  problems: readonly (readonly Problem[])[],
): void {
  if (problems.some(({ length }) => length > 0)) throw invalid(encoded, problems);
}

/** @param problems those of each event */
function invalid(
  events: readonly { readonly id: string; readonly type: string }[],
  problems: readonly (readonly Problem[])[],
): InvalidEventError {
  return new InvalidEventError(
    problems.flatMap((ofEvent, index) => ofEvent.map((problem) => ({ index, ...problem }))),
    events.map(({ id, type }, index) => ({ index, id, type, mayHaveArrived: false })),
  );
}
