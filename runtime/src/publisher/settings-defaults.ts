import { shownValue } from "../binding/shown-value.js";
import { attributeProblems } from "../events/envelope-attributes.js";
import { PublisherConfigurationError } from "./configuration-error.js";
import type { DispatchSettings } from "./dispatcher.js";
import type { PublisherOptions } from "./settings.js";
import { LONGEST_MS, shownSetting, timeLimitProblem } from "./time-limit.js";

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

/**
 * Fills in what was not set.
 *
 * @throws {PublisherConfigurationError} with everything that cannot be
 */
export function withDefaults(
  options: Omit<PublisherOptions, "events">,
  bindingName: string | undefined,
): FilledSettings {
  checkGroups(options);
  const { limits = {}, batching = {}, retry = {}, queue = {} } = options;
  const filled: FilledSettings = {
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
  const problems = [...numberProblems(filled), ...sourceProblems(filled.source)];
  const { whenFull } = queue;
  if (whenFull !== undefined && whenFull !== "wait" && whenFull !== "fail") {
    problems.push(`queue.whenFull is ${shownValue(whenFull)}: it must be "wait" or "fail"`);
  }
  if (problems.length > 0) throw new PublisherConfigurationError(problems);
  return filled;
}

function checkGroups({
  limits,
  batching,
  retry,
  queue,
  client,
  telemetry,
}: Omit<PublisherOptions, "events">): void {
  const problems = Object.entries({ limits, batching, retry, queue, client, telemetry })
    .filter(([, value]) => value !== undefined && (typeof value !== "object" || value === null))
    .map(([name, value]) => `${name} is ${shownSetting(value)}: it must be an object`);
  if (problems.length > 0) throw new PublisherConfigurationError(problems);
}

function* numberProblems(filled: FilledSettings): Generator<string> {
  const { dispatch, queue } = filled;
  const counts = {
    "limits.eventBytes": filled.maxEventBytes,
    "limits.requestBytes": dispatch.maxRequestBytes,
    "limits.requestEvents": dispatch.maxEventsPerRequest,
    "batching.requests": dispatch.maxRequests,
    "retry.attempts": dispatch.retry.maxAttempts,
    "queue.events": queue.maxEvents,
    "queue.bytes": queue.maxBytes,
  };
  for (const [name, value] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      yield `${name} is ${shownSetting(value)}: it must be a positive whole number`;
    }
  }
  const { timeoutMs, attemptTimeoutMs } = filled;
  for (const [name, value] of Object.entries({ timeoutMs, attemptTimeoutMs })) {
    const problem = timeLimitProblem(name, value);
    if (problem !== undefined) yield problem;
  }
  const waits = {
    "batching.lingerMs": dispatch.lingerMs,
    "retry.firstDelayMs": dispatch.retry.firstDelayMs,
    "retry.maxDelayMs": dispatch.retry.maxDelayMs,
  };
  for (const [name, value] of Object.entries(waits)) {
    if (typeof value !== "number" || !(value >= 0 && value <= LONGEST_MS)) {
      yield `${name} is ${shownSetting(value)}: it must be from 0 to ${LONGEST_MS}`;
    }
  }
  // An event stands in an array, between brackets.
  if (dispatch.maxRequestBytes < filled.maxEventBytes + 2) {
    yield `limits.requestBytes is ${dispatch.maxRequestBytes}: an event of limits.eventBytes, ${filled.maxEventBytes}, would not fit into it with the brackets around it`;
  }
}

function sourceProblems(source: string | undefined): string[] {
  if (source === undefined) return [];
  return attributeProblems({ specversion: "1.0", id: "1", type: "any", source }) ?? [];
}
