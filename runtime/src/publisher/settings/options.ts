import { AZURE_LIMITS } from "../../binding/index.js";
import type { Problem } from "../../errors.js";
import { attributeProblems } from "../../events/envelope/index.js";
import type { EventCatalogue, EventPayloads } from "../../events/index.js";
import type { TelemetryProviders } from "../../observability/index.js";
import {
  type CredentialOptions,
  credentialOptions,
  type TransportOptions,
  transportOptions,
} from "../../transport/index.js";
import {
  choiceRule,
  delayMs,
  durationMs,
  eventCatalogue,
  type OptionTable,
  positiveInteger,
  telemetry,
} from "../../validation/index.js";

/** Limits of a publisher's queue and requests. */
export interface PublisherLimits {
  /** Events in one request. @default 1000 */
  readonly requestEvents?: number | undefined;
  /** Requests at a time. Further events wait and share the next one. @default 4 */
  readonly concurrentRequests?: number | undefined;
  /** Most events of calls that are not settled, with `whenFull: "fail"`. @default 10_000 */
  readonly bufferedEvents?: number | undefined;
  /** Their size in bytes. @default 64 MiB */
  readonly bufferedBytes?: number | undefined;
}

/** How failed requests are sent again. */
export interface RetrySettings {
  /** Attempts in total; 1 disables retries. @default 5 */
  readonly attempts?: number | undefined;
  /** Delay before the second attempt, in milliseconds; it doubles each time, half of it is random. @default 250 */
  readonly firstDelayMs?: number | undefined;
  /** Longest delay in milliseconds, unless the topic asks for more. @default 10_000 */
  readonly maxDelayMs?: number | undefined;
}

/** Options of {@link createPublisher}. */
export interface PublisherOptions<P extends EventPayloads = EventPayloads>
  extends CredentialOptions,
    TransportOptions {
  /**
   * The event types that may be published; they type `create`. Payloads of a type with a schema are
   * checked before they are sent.
   * @default any type, any payload
   */
  readonly events?: EventCatalogue<P> | undefined;
  /** URI reference used as the source of events without one. @default the binding's name */
  readonly source?: string | undefined;
  /** Time for a call, including waits and retries, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Time for one attempt, in milliseconds: obtaining the key or token, connecting, and the response.
   * @default 20_000
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** How failed requests are sent again. */
  readonly retry?: RetrySettings | undefined;
  /** Limits of a publisher's queue and requests. */
  readonly limits?: PublisherLimits | undefined;
  /**
   * Whether a call beyond `limits.bufferedEvents` or `limits.bufferedBytes` waits for those before it,
   * as every call does, or fails with `ERR_PUBLISH_QUEUE_FULL`. Waiting calls keep their events in
   * memory.
   * @default "wait"
   */
  readonly whenFull?: "wait" | "fail" | undefined;
  /** @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
}

/** The options without the types of a catalogue. */
export type AnyPublisherOptions = Omit<PublisherOptions, "events"> & {
  readonly events?: Pick<EventCatalogue<EventPayloads>, "types" | "schemas"> | undefined;
};

const MIB = 1024 * 1024;

/** Each option of a publisher. */
export const publisherOptions = {
  events: {
    check: eventCatalogue,
    defaultText: "any type",
    text: "the [catalogue](events.md) of types that may be published; payloads of a type with a schema are checked",
  },
  source: {
    check: { problems: sourceProblems },
    defaultText: "the binding's name",
    text: "`source` of events without one",
  },
  ...credentialOptions,
  timeoutMs: {
    check: durationMs,
    default: 60_000,
    text: "a call with all attempts and waits. `create` takes it for one call, too",
  },
  attemptTimeoutMs: {
    check: durationMs,
    default: 20_000,
    text: "one attempt: obtaining the key or token, connecting, and the response",
  },
  retry: {
    options: {
      attempts: {
        check: positiveInteger,
        default: 5,
        text: "attempts in all; 1 turns retries off",
      },
      firstDelayMs: {
        check: delayMs,
        default: 250,
        text: "delay before the second attempt; it doubles each time, half of it is random",
      },
      maxDelayMs: {
        check: delayMs,
        default: 10_000,
        text: "longest delay, unless the topic asks for more",
      },
    },
  },
  limits: {
    options: {
      requestEvents: {
        check: positiveInteger,
        default: AZURE_LIMITS.requestEvents,
        text: "longer arrays are split",
      },
      concurrentRequests: {
        check: positiveInteger,
        default: 4,
        text: "requests at a time; further events wait and share the next one",
      },
      bufferedEvents: {
        check: positiveInteger,
        default: 10_000,
        text: 'most events of calls that are not settled, with `whenFull: "fail"`',
      },
      bufferedBytes: {
        check: positiveInteger,
        default: 64 * MIB,
        defaultText: "64 MiB",
        text: "their size",
      },
    },
  },
  whenFull: {
    check: choiceRule("wait", "fail"),
    default: "wait",
    text: 'whether a call beyond the buffer waits for those before it, or fails with `ERR_PUBLISH_QUEUE_FULL` (`"fail"`)',
  },
  ...transportOptions,
  telemetry: {
    check: telemetry,
    defaultText: "the global providers",
    text: "[OpenTelemetry providers](observability.md)",
  },
} satisfies OptionTable<PublisherOptions>;

function sourceProblems(field: string, value: unknown): readonly Problem[] {
  const problems = attributeProblems({ specversion: "1.0", id: "1", type: "t", source: value });
  return (problems ?? []).map(({ message }) => ({ field, rule: "uri-reference", message }));
}
