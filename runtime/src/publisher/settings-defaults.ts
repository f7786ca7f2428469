import type { DispatchSettings } from "./dispatcher.js";
import type { PublisherOptions, PublishLimits } from "./settings.js";

/** What a topic takes at most, in bytes on the wire; measured, above what is documented. */
const MAX_EVENT_BYTES = 1_049_600;
const MAX_REQUEST_BYTES = 1_536_000;

/** The numbers of a publisher, all of them. */
export interface FilledSettings {
  readonly source: string | undefined;
  readonly maxEventBytes: number;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly queue: { readonly maxEvents: number; readonly maxBytes: number };
  readonly failWhenFull: boolean;
  readonly dispatch: DispatchSettings;
}

/** Fills in what was not set. */
export function withDefaults(
  options: Omit<PublisherOptions, "events">,
  bindingName: string | undefined,
): FilledSettings {
  const { limits = {}, batching = {}, retry = {}, queue = {} } = options;
  return {
    source: options.source ?? bindingName,
    maxEventBytes: limits.eventBytes ?? MAX_EVENT_BYTES,
    timeoutMs: options.timeoutMs ?? 60_000,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 20_000,
    queue: { maxEvents: queue.events ?? 10_000, maxBytes: queue.bytes ?? 64 * 1024 * 1024 },
    failWhenFull: queue.whenFull === "fail",
    dispatch: {
      maxRequestBytes: limits.requestBytes ?? MAX_REQUEST_BYTES,
      maxEventsPerRequest: limits.requestEvents ?? 1000,
      maxRequests: batching.requests ?? 4,
      lingerMs: batching.lingerMs ?? 0,
      retry: {
        maxAttempts: retry.attempts ?? 5,
        firstDelayMs: retry.firstDelayMs ?? 250,
        maxDelayMs: retry.maxDelayMs ?? 10_000,
      },
    },
  };
}

/** What is wrong with limits that are right each by itself, but do not go together. */
export function limitRelationProblems({
  eventBytes = MAX_EVENT_BYTES,
  requestBytes = MAX_REQUEST_BYTES,
}: PublishLimits): string[] {
  // An event stands in an array, between brackets.
  if (requestBytes >= eventBytes + 2) return [];
  return [
    `limits.requestBytes is ${requestBytes}: an event of limits.eventBytes, ${eventBytes}, would not fit into it with the brackets around it`,
  ];
}
