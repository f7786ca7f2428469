import type { CloudEnvironment } from "../binding/index.js";
import { LARGEST_BATCH } from "./memory-deduplication.js";
import type { WebhookSettings } from "./settings.js";

const MINUTE = 60_000;
const MIB = 1024 * 1024;
/** Event Grid waits 30 s for an answer. */
const DELIVERY_TIMEOUT_MS = 30_000;

/** Fills in what was not set. */
export function withDefaults(settings: WebhookSettings, cloud: CloudEnvironment) {
  const { authentication = {}, limits = {} } = settings;
  const { eventGridApplicationId } = cloud;
  return {
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
}

/** What is wrong with settings that are right each by itself, but do not go together. */
export function relationProblems(settings: WebhookSettings, cloud: CloudEnvironment): string[] {
  const { callers, deadlineMs, keys, limits } = withDefaults(settings, cloud);
  const problems: string[] = [];
  if (callers.length === 0) {
    problems.push(
      "authentication.callers is empty: Event Grid's application ID is not known for this cloud, so name it",
    );
  }
  // The deadline runs from when the token was judged, for which a key may have been fetched.
  if (deadlineMs + keys.timeoutMs >= DELIVERY_TIMEOUT_MS) {
    problems.push(
      `deadlineMs is ${deadlineMs} and authentication.keys.timeoutMs ${keys.timeoutMs}: together they must stay below 30000, when Event Grid gives up`,
    );
  }
  if (limits.bytes < limits.bodyBytes) {
    problems.push(
      `limits.bytes is ${limits.bytes}, below limits.bodyBytes, ${limits.bodyBytes}: the largest body would never be taken`,
    );
  }
  return problems;
}
