import type { Attributes } from "@opentelemetry/api";
import { isLoopback, SECURE_WEBHOOK_ROLE } from "../binding/index.js";
import { eventDependencies } from "../handling/index.js";
import { environmentProxy } from "../network.js";
import type { Log } from "../observability.js";
import { backgroundClock, type Clock, monotonicClock } from "../time.js";
import type { ClosableFetch, Fetch } from "../transport/index.js";
import { Authenticator, lowerCaseId, TokenCache, TrustedIssuers } from "./authentication/index.js";
import type { CheckedWebhook } from "./check.js";
import { ExpectedSource, Handshake } from "./delivery/index.js";
import { Capacity, Draining } from "./in-flight.js";
import { ListenerMetrics } from "./metrics.js";
import { KEY_TIMEOUT_MS } from "./options.js";

export type WebhookDependencies = ReturnType<typeof webhookDependencies>;

export function webhookDependencies(
  { binding, settings }: CheckedWebhook,
  log: Log,
  { timer, clock, fetch, keyTimeoutMs, storeTimeoutMs }: SystemDependencies,
) {
  const { authentication, limits } = settings;
  const now = () => clock.now();

  const destination = destinationOf(binding);
  const metrics = new ListenerMetrics(timer, settings.telemetry?.meterProvider, destination, now);
  const draining = new Draining(timer);
  const capacity = new Capacity(limits.concurrentRequests, limits.bufferedBytes, timer);
  const tokenCache = new TokenCache();
  const isLocal = isLoopback(new URL(binding.cloudAuthorityHost));
  const documents = environmentFetch(isLocal, keyTimeoutMs);
  const keys = new TrustedIssuers(binding, {
    timeoutMs: keyTimeoutMs,
    fetch: fetch ?? documents.fetch,
    clock,
    timer,
    log,
    onKeys: () => tokenCache.clear(),
    onRefresh: (version, succeeded) => metrics.keyRefresh(version, succeeded),
  });
  const audiences = [binding.cloudClientId, ...(authentication.audiences ?? [])];
  const expected = {
    tenantId: binding.cloudTenantId,
    audiences: new Set(audiences.map(lowerCaseId)),
    callers: new Set(settings.callers.map((caller) => caller.toLowerCase())),
    role: authentication.acceptWithoutRole ? undefined : SECURE_WEBHOOK_ROLE,
  };
  const rejects = settings.unexpectedSource === "reject";
  const canConsent = () => !draining.isRefusing && keys.isUsable;

  return {
    binding,
    settings,
    timer,
    metrics,
    draining,
    capacity,
    keys,
    documents,
    events: eventDependencies(settings, {
      concurrentHandlers: limits.concurrentHandlers,
      consumer: `${binding.cloudClientId}${binding.path}`,
      storeTimeoutMs: Math.min(storeTimeoutMs, settings.deadlineMs),
      expectedSource: new ExpectedSource(binding, rejects, metrics, now),
      destination: { ...destination, ...invocation() },
      metrics,
      timer,
      log,
    }),
    authenticator: new Authenticator(expected, keys, tokenCache, clock),
    handshake: new Handshake(settings.allowedOrigins, metrics, canConsent, now),
  };
}

/**
 * Node's `fetch`, or one that uses the proxy of the environment if there is one. Only then are the
 * transport and its HTTP client loaded.
 *
 * @param isLocal whether it is for this machine, which no proxy of the environment reaches
 */
function environmentFetch(isLocal: boolean, connectTimeoutMs: number): ClosableFetch {
  if (isLocal || !environmentProxy()) return { fetch, close: async () => {} };
  let loaded: Promise<ClosableFetch> | undefined;
  const load = async () => (await import("../transport/index.js")).proxiedFetch(connectTimeoutMs);
  return {
    async fetch(url, init) {
      loaded ??= load();
      return (await loaded).fetch(url, init);
    },
    close: async () => (await loaded)?.close(),
  };
}

/** Azure Functions sets this variable in its workers. A delivery arrives through an HTTP trigger. */
function invocation(): Attributes {
  return process.env.FUNCTIONS_WORKER_RUNTIME === undefined ? {} : { "faas.trigger": "http" };
}

/** The event subscription and the resource at the end of its scope, as far as the binding has them. */
function destinationOf({ scope, eventSubscriptionName }: CheckedWebhook["binding"]): Attributes {
  const resource = scope?.split("/").at(-1);
  return {
    ...(resource !== undefined && { "messaging.destination.name": resource }),
    ...(eventSubscriptionName !== undefined && {
      "messaging.destination.subscription.name": eventSubscriptionName,
    }),
  };
}

/** The clocks, timeouts and network of the system that a webhook runs on. Tests replace it; no entry point exports it. */
export interface SystemDependencies {
  /** Monotonic: in which deadlines run. */
  readonly timer: Clock;
  /** The time of day: decides when tokens expire, keys are fetched again and events are forgotten. */
  readonly clock: Clock;
  /** Fetches the issuer's documents. @default `fetch` through the proxy of the environment, if any */
  readonly fetch?: Fetch | undefined;
  readonly keyTimeoutMs: number;
  /** How long the deduplication store may take for an answer, in milliseconds. */
  readonly storeTimeoutMs: number;
}

export const systemDependencies: SystemDependencies = {
  timer: monotonicClock,
  clock: backgroundClock,
  keyTimeoutMs: KEY_TIMEOUT_MS,
  storeTimeoutMs: 5_000,
};
