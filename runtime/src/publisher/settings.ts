import { randomUUID } from "node:crypto";
import {
  AZURE_LIMITS,
  type NamespaceTopicRuntimeBinding,
  type OutputRuntimeBinding,
  parseNamespaceTopic,
  parseServiceBinding,
  type ServiceBinding,
  type ServiceNamespaceTopic,
} from "../binding/index.js";
import { ConfigurationError, type Problem, statedProblem } from "../errors.js";
import { attributeProblems } from "../events/envelope/index.js";
import type { EventCatalogue, EventPayloads } from "../events/index.js";
import type { TelemetryProviders } from "../observability.js";
import type { Clock } from "../time.js";
import {
  type CredentialOptions,
  credentialOptions,
  serviceProblems,
  type TransportOptions,
  transportOptions,
} from "../transport/index.js";
import { MIB, MINUTE_MS } from "../units.js";
import {
  checkOf,
  choiceRule,
  delayMs,
  durationMs,
  eventCatalogue,
  group,
  isObject,
  type OptionTable,
  objectWith,
  positiveInteger,
  problemsOf,
  telemetry,
  withDefaults,
} from "../validation/index.js";
import type { PublishFailure } from "./errors.js";
import { isNamespaceTopic, topicOf } from "./topic.js";

/** Limits of a publisher's queue and requests. */
export interface PublisherLimits {
  /** Events in one request; longer arrays are split. @default 1_000 */
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
   * @default any type
   */
  readonly events?: EventCatalogue<P> | undefined;
  /** URI reference used as the source of events without one. @default the binding's name */
  readonly source?: string | undefined;
  /**
   * Time for a call, including waits and retries, in milliseconds. `create` takes it for one call, too.
   * @default 60_000
   */
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
   * and keeps its events in memory, or fails with `ERR_PUBLISH_QUEUE_FULL` (`"fail"`).
   * @default "wait"
   */
  readonly whenFull?: "wait" | "fail" | undefined;
  /** OpenTelemetry providers. @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
}

/** The options without the types of a catalogue. */
export type AnyPublisherOptions = Omit<PublisherOptions, "events"> & {
  readonly events?: Pick<EventCatalogue<EventPayloads>, "types" | "schemas"> | undefined;
};

/** Each option of a publisher. */
export const publisherOptions = {
  events: { check: eventCatalogue },
  source: { check: { problems: sourceProblems } },
  ...credentialOptions,
  timeoutMs: { check: durationMs, default: MINUTE_MS },
  attemptTimeoutMs: { check: durationMs, default: 20_000 },
  retry: {
    options: {
      attempts: { check: positiveInteger, default: 5 },
      firstDelayMs: { check: delayMs, default: 250 },
      maxDelayMs: { check: delayMs, default: 10_000 },
    },
  },
  limits: {
    options: {
      requestEvents: { check: positiveInteger, default: AZURE_LIMITS.requestEvents },
      concurrentRequests: { check: positiveInteger, default: 4 },
      bufferedEvents: { check: positiveInteger, default: 10_000 },
      bufferedBytes: { check: positiveInteger, default: 64 * MIB },
    },
  },
  whenFull: { check: choiceRule("wait", "fail"), default: "wait" },
  ...transportOptions,
  telemetry: { check: telemetry },
} satisfies OptionTable<PublisherOptions>;

function sourceProblems(field: string, value: unknown): readonly Problem[] {
  const problems = attributeProblems({ specversion: "1.0", id: "1", type: "t", source: value });
  return (problems ?? []).map(({ message }) => statedProblem(field, { "uri-reference": message }));
}

/** The checked settings of a publisher, with defaults filled in. */
export type PublisherSettings = ReturnType<typeof publisherSettings>;

/**
 * Checks binding and options, and fills in the defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function publisherSettings(
  rawBinding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
  clock: Clock,
) {
  const binding = checkConfiguration(rawBinding, options);
  const settings = withDefaults(publisherOptions, options);
  const { events } = settings;
  const topic = topicOf(binding);
  return {
    ...settings,
    topic,
    envelope: {
      source: settings.source ?? binding.name,
      newId: (): string => randomUUID(),
      timestamp: timestamps(() => clock.now()),
      maxEventBytes: topic.eventBytes,
      /** The event types that may be published; any when absent. */
      types: events && new Set(events.types),
      needsData: topic.needsData,
    },
    schemas: events?.schemas.size ? events.schemas : undefined,
    clock,
    /** From 0 to below 1, for retry delays. */
    random: Math.random,
  };
}

const check = checkOf<PublisherOptions>(publisherOptions);

/**
 * Checks binding and options together, and returns the binding with its defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
function checkConfiguration(
  binding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
): ServiceBinding<"output"> | ServiceNamespaceTopic {
  const isOfNamespace = isNamespaceTopic(binding);
  // The key may be an option of the publisher.
  const supplied = { supplied: ["accessKey"] };
  const parsed = isOfNamespace
    ? parseNamespaceTopic(binding, supplied)
    : parseServiceBinding(binding, "output", supplied);
  const problems = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    const byDefault = isOfNamespace ? "entra" : "accessKey";
    problems.push(...serviceProblems(binding, options, "publishWith", byDefault));
    // The name of the binding is the default source.
    if (options.source === undefined && !Array.isArray(parsed) && parsed.name !== undefined) {
      problems.push(...problemsOf(publisherOptions.source.check, "source", parsed.name));
    }
  }
  if (Array.isArray(parsed) || problems.length > 0) {
    const ofBinding = Array.isArray(parsed) ? parsed : [];
    throw new ConfigurationError("The publisher cannot be created", [...ofBinding, ...problems]);
  }
  return parsed;
}

/**
 * Formats the present time as an RFC 3339 timestamp in UTC. Events of the same millisecond share the
 * string, because formatting costs as much as the rest of an envelope.
 *
 * @param now milliseconds since 1970
 */
function timestamps(now: () => number): () => string {
  let formatted = Number.NaN;
  let text = "";
  return () => {
    const time = now();
    if (time !== formatted) {
      text = new Date(time).toISOString();
      formatted = time;
    }
    return text;
  };
}

/** Options of one `create` call. */
export interface CreateOptions {
  /** Aborts the call. Events that were sent already may be accepted nonetheless. */
  readonly signal?: AbortSignal | undefined;
  /** Time for this call, in milliseconds. @default the publisher's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
}

const callOptions = group<CreateOptions>({
  timeoutMs: durationMs,
  signal: objectWith("must be an AbortSignal", "addEventListener", "removeEventListener"),
});

/** Why a call cannot be made with these options; `undefined` when it can. */
export function checkCallOptions(options: CreateOptions | undefined): PublishFailure | undefined {
  if (options === undefined) return undefined;
  const problems = problemsOf(callOptions, "", options);
  if (problems.length > 0) {
    const message = `nothing was sent: ${problems.map((problem) => problem.message).join("; ")}`;
    return { code: "ERR_PUBLISH_OPTIONS", message, retryable: false };
  }
  return options.signal?.aborted ? abortFailure(options.signal) : undefined;
}

/** The call was made after `close`. */
export const CLOSED_FAILURE: PublishFailure = {
  code: "ERR_PUBLISH_CLOSED",
  message: "the publisher is closed: create was called after close",
  retryable: false,
};

export function abortFailure(signal: AbortSignal): PublishFailure {
  const message = "the call's signal was aborted before the topic accepted all events";
  return { code: "ERR_PUBLISH_ABORTED", message, retryable: false, cause: signal.reason };
}

/** @param last why the events were not accepted yet, if that is known */
export function timeoutFailure(
  timeoutMs: number,
  last: PublishFailure | undefined,
): PublishFailure {
  const why = last === undefined ? "" : ` (last failure: ${last.message})`;
  const message = `the topic did not accept all events within ${timeoutMs} ms${why}`;
  return { code: "ERR_PUBLISH_TIMEOUT", message, retryable: true };
}

export function queueFullFailure({
  bufferedEvents,
  bufferedBytes,
}: PublisherSettings["limits"]): PublishFailure {
  const message = `the queue is full (${bufferedEvents} events, ${bufferedBytes} bytes): events are created faster than the topic accepts them`;
  return { code: "ERR_PUBLISH_QUEUE_FULL", message, retryable: true };
}
