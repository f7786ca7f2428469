import { CloudEventGridError } from "../errors.js";
import type { EventToCreate } from "./event-to-create.js";
import { InvalidEventError } from "./invalid-event-error.js";

/** The operations of the binding. */
export type Operation = "create";

/** The operations of the binding. */
export const OPERATIONS: readonly Operation[] = ["create"];

/** A call through the component's binding interface. */
export interface Invocation {
  readonly operation: string;
  /** A ready CloudEvent, an array of them, or the payload of one event that `metadata` describes. */
  readonly data?: unknown;
  /** The attributes of the event that `data` is the payload of: `type` at least. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What an invocation gave. */
export interface InvocationResult {
  /** IDs of the events that were accepted. */
  readonly ids: readonly string[];
}

/** The binding has no such operation. */
export class UnsupportedOperationError extends CloudEventGridError {
  readonly code = "ERR_OPERATION_UNSUPPORTED";

  constructor(readonly operation: string) {
    super(
      `operation ${JSON.stringify(operation)} is not supported: this binding has ${OPERATIONS.map((name) => `"${name}"`).join(", ")}`,
    );
  }
}

/**
 * The events that an invocation means.
 *
 * @throws {UnsupportedOperationError}
 * @throws {InvalidEventError} when it is not clear which
 */
export function invokedEvents(invocation: Invocation): EventToCreate[] {
  // Callers of this interface often pass on what came over a wire, where nothing may be null.
  const { operation, data, metadata: given } = invocation ?? {};
  if (operation !== "create") throw new UnsupportedOperationError(operation);
  const metadata = given ?? {};
  const attributes = Object.entries(metadata);
  if (isReady(data) || (Array.isArray(data) && data.length > 0 && data.every(isReady))) {
    if (attributes.length > 0) {
      throw unclear("metadata", "data is a CloudEvent with attributes of its own: drop metadata");
    }
    return Array.isArray(data) ? data : [data];
  }
  const { type } = metadata;
  if (type === undefined) {
    throw unclear("type", 'data is no CloudEvent: metadata must name its "type"');
  }
  if (Object.hasOwn(metadata, "data")) {
    throw unclear("metadata.data", "the payload is data, not an attribute in metadata");
  }
  return [{ ...metadata, type, ...(data !== undefined && { data }) }];
}

function isReady(data: unknown): data is EventToCreate {
  return typeof data === "object" && data !== null && "specversion" in data;
}

function unclear(path: string, message: string): InvalidEventError {
  return new InvalidEventError([{ index: 0, path, message }], []);
}
