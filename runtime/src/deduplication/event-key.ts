import { hash } from "node:crypto";
import type { CloudEvent } from "../events/index.js";
import { eventNames, type Log, loggableError } from "../observability/index.js";

/** The properties by which an event is recognised when it is delivered again. */
export interface EventKey {
  /**
   * What received the event: a webhook, by its application's client ID followed by its path, or a
   * receiver, by the URL of its queue without `https://`. It keeps those apart that share a store and
   * receive the same events.
   */
  readonly consumer: string;
  /** In lower case; empty when the delivery did not name its subscription. */
  readonly subscriptionName: string;
  readonly source: string;
  /** The event's ID, or what the option `deduplicationKey` returned instead. */
  readonly id: string;
}

/**
 * Event types of Azure whose `id` does not identify an event, each with the source that says so. To
 * take two different events for one would lose the second, so they are never duplicates by default.
 */
const typesWithSharedIds: ReadonlySet<string> = new Set([
  // Messages that follow each other quickly: https://github.com/MicrosoftDocs/azure-docs/issues/77475
  "Microsoft.Devices.DeviceTelemetry",
]);

/** What identifies an event within its source; `undefined` if it is never a duplicate. */
export type DeduplicationKey = (event: CloudEvent, log: Log) => string | undefined;

const defaultKey: DeduplicationKey = ({ type, id }) =>
  typesWithSharedIds.has(type) ? undefined : id;

/** @param ownKey the user's function; an event for which it fails is never a duplicate */
export function deduplicationKey(
  ownKey: ((event: CloudEvent) => string | undefined) | undefined,
): DeduplicationKey {
  if (ownKey === undefined) return defaultKey;
  return (event, log) => {
    try {
      const key = ownKey(event);
      if (key === undefined) return undefined;
      // Events without the property that the function reads must not count as one event.
      if (typeof key === "string" && key !== "") return bounded(key);
      const type = typeof key === "string" ? "an empty string" : typeof key;
      throw new TypeError(`it returned ${type} instead of a string or undefined`);
    } catch (error) {
      const line = { err: loggableError(error), event: eventNames(event) };
      log.error(line, "deduplicationKey failed: the event is handled even if it is a duplicate");
      return undefined;
    }
  };
}

/** Publishers choose IDs, sources and payloads, which may be long. */
const MAX_LENGTH = 256;

/** The text, or a digest if it is long. The digest is padded, so that no short text equals it. */
export function bounded(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // UTF-16, because UTF-8 has no lone surrogates.
  return hash("sha256", Buffer.from(text, "utf16le"), "hex").padEnd(MAX_LENGTH + 1);
}
