import { ListenerConfigurationError } from "./configuration-error.js";
import type { ListenedBinding } from "./listener-binding.js";
import { LARGEST_BATCH } from "./memory-deduplication.js";
import type { WebhookSettings } from "./settings.js";

const MINUTE = 60_000;
const MIB = 1024 * 1024;
/** Event Grid waits 30 s for an answer. */
const DELIVERY_TIMEOUT_MS = 30_000;

/** Fills in what was not set. */
export function withDefaults(settings: WebhookSettings, binding: ListenedBinding) {
  const { authentication = {}, limits = {} } = settings;
  const { eventGridApplicationId } = binding.cloud;
  const filled = {
    callers: authentication.callers ?? (eventGridApplicationId ? [eventGridApplicationId] : []),
    audiences: authentication.audiences ?? [],
    clockToleranceMs: (authentication.clockToleranceSeconds ?? 60) * 1000,
    maxTokenLength: authentication.maxTokenLength ?? 8192,
    keys: {
      refreshMs: authentication.keys?.refreshMs ?? 10 * MINUTE,
      cooldownMs: authentication.keys?.cooldownMs ?? MINUTE / 2,
      maxStaleMs: authentication.keys?.maxStaleMs ?? 24 * 60 * MINUTE,
      timeoutMs: authentication.keys?.timeoutMs ?? 4_000,
    },
    limits: {
      bodyBytes: limits.bodyBytes ?? 2 * MIB,
      events: limits.events ?? LARGEST_BATCH,
      requests: limits.requests ?? 256,
      bytes: limits.bytes ?? 64 * MIB,
      handlers: limits.handlers ?? 64,
      handlersPerBatch: limits.handlersPerBatch ?? 16,
    },
    deadlineMs: settings.deadlineMs ?? 25_000,
    unhandled: settings.unhandled ?? "acknowledge",
    fetch: settings.fetch ?? fetch,
    clock: settings.clock ?? Date.now,
  } as const;
  const problems = [...problemsOf(filled)];
  if (problems.length > 0) throw new ListenerConfigurationError(problems);
  return filled;
}

interface Filled {
  readonly callers: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  readonly keys: Readonly<Record<string, number>>;
  readonly maxTokenLength: number;
  readonly clockToleranceMs: number;
  readonly deadlineMs: number;
}

function* problemsOf(filled: Filled): Generator<string> {
  if (filled.callers.length === 0) {
    yield "authentication.callers is empty: Event Grid's application ID is not known for this cloud, so name it";
  }
  const { deadlineMs, maxTokenLength, clockToleranceMs, limits, keys } = filled;
  for (const [name, value] of Object.entries(limits)) {
    if (!isPositive(value)) yield `limits.${name} is ${value}: it must be a positive whole number`;
  }
  for (const [name, value] of Object.entries(keys)) {
    if (!(value > 0)) yield `authentication.keys.${name} is ${value}: it must be positive`;
  }
  if (!isPositive(maxTokenLength)) {
    yield `authentication.maxTokenLength is ${maxTokenLength}: it must be a positive whole number`;
  }
  if (!(clockToleranceMs >= 0 && clockToleranceMs <= 10 * MINUTE)) {
    yield `authentication.clockToleranceSeconds is ${clockToleranceMs / 1000}: it must be from 0 to 600`;
  }
  const { timeoutMs = 0 } = keys;
  // The deadline runs from when the token was judged, for which a key may have been fetched.
  if (!(deadlineMs > 0 && deadlineMs + timeoutMs < DELIVERY_TIMEOUT_MS)) {
    yield `deadlineMs is ${deadlineMs} and authentication.keys.timeoutMs ${timeoutMs}: together they must stay below 30000, when Event Grid gives up`;
  }
  const { bodyBytes = 0, bytes = 0 } = limits;
  if (bytes < bodyBytes) {
    yield `limits.bytes is ${bytes}, below limits.bodyBytes, ${bodyBytes}: the largest body would never be taken`;
  }
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
