import { CloudEventGridError } from "../../errors.js";
import { showValue } from "../../validation/index.js";
import { InvalidEventError } from "../errors.js";
import type { EventToCreate } from "./event-to-create.js";

/** The operations of the output binding. */
export type Operation = "create";

export const OPERATIONS: readonly Operation[] = ["create"];

/** A call through the component's binding interface. */
export interface Invocation {
  readonly operation: string;
  /** A complete CloudEvent, an array of them, or the payload of one event that `metadata` describes. */
  readonly data?: unknown;
  /** The attributes of the event whose payload is `data`; `type` is required. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The result of an invocation. */
export interface InvocationResult {
  /** IDs of the events that were accepted. */
  readonly ids: readonly string[];
}

/** The binding has no such operation. */
export class UnsupportedOperationError extends CloudEventGridError {
  readonly code = "ERR_OPERATION_UNSUPPORTED";

  constructor(readonly operation: string) {
    const supported = OPERATIONS.map((name) => `"${name}"`).join(", ");
    super(`operation ${showValue(operation)} is not supported, this binding supports ${supported}`);
  }
}

/**
 * The events that an invocation describes.
 *
 * @throws {UnsupportedOperationError}
 * @throws {InvalidEventError} when data and metadata contradict each other or lack a type
 */
export function invokedEvents(invocation: Invocation): EventToCreate[] {
  // Callers of this interface often pass on parsed JSON, in which anything may be null.
  const { operation, data, metadata: attributes } = invocation ?? {};
  if (operation !== "create") throw new UnsupportedOperationError(operation);
  const metadata = attributes ?? {};
  if (isReady(data) || (Array.isArray(data) && data.length > 0 && data.every(isReady))) {
    if (Object.keys(metadata).length > 0) {
      const message = "data is a CloudEvent, which has its own attributes: leave metadata out";
      throw invalidInvocation("metadata", message);
    }
    return Array.isArray(data) ? data : [data];
  }
  const { type } = metadata;
  if (type === undefined) {
    const message = 'data is not a CloudEvent, so metadata must contain its "type"';
    throw invalidInvocation("type", message);
  }
  if ("data" in metadata) {
    throw invalidInvocation("metadata.data", "pass the payload as data, not in metadata");
  }
  return [{ ...metadata, type, ...(data !== undefined && { data }) }];
}

function isReady(data: unknown): data is EventToCreate {
  return typeof data === "object" && data !== null && "specversion" in data;
}

function invalidInvocation(path: string, message: string): InvalidEventError {
  return new InvalidEventError([{ index: 0, path, message }], []);
}
