import type { Attributes } from "@opentelemetry/api";
import { SECURE_WEBHOOK_ROLE } from "../binding/index.js";
import { isLoopback } from "../binding/rules/index.js";
import { ExpectedSource, eventDependencies } from "../handling/index.js";
import { type Log, loggableError } from "../observability/index.js";
import {
  Authenticator,
  IssuerError,
  lowerCaseId,
  REPEATED_FAILURES,
  SigningKeys,
  TokenCache,
} from "./authentication/index.js";
import { environmentFetch } from "./environment-fetch.js";
import { Handshake } from "./handshake.js";
import { Capacity, Draining, LifecycleNotices } from "./intake/index.js";
import type { Machine } from "./machine.js";
import { ListenerMetrics } from "./metrics.js";
import type { CheckedWebhook } from "./settings/index.js";

/** How long signing keys are trusted while the issuer is unreachable. */
const MAX_STALE_MS = 24 * 60 * 60 * 1_000;

export type WebhookDependencies = ReturnType<typeof webhookDependencies>;

/** Creates everything that a webhook is built from. */
export function webhookDependencies(
  { binding, settings }: CheckedWebhook,
  log: Log,
  { timer, clock, fetch: ownFetch, keyTimeoutMs, storeTimeoutMs }: Machine,
) {
  const { limits, deadlineMs, telemetry } = settings;
  const now = () => clock.now();

  const destination = destinationOf(binding);
  const metrics = new ListenerMetrics(timer, telemetry?.meterProvider, destination, now);
  const draining = new Draining(timer);
  const capacity = new Capacity(limits.concurrentRequests, limits.bufferedBytes, timer);
  const tokenCache = new TokenCache();
  const failing = new Set<string>();
  const isLocal = isLoopback(new URL(binding.cloudAuthorityHost));
  const documents = environmentFetch(isLocal, keyTimeoutMs);
  const fetch = ownFetch ?? documents.fetch;
  const keys = new SigningKeys(binding, {
    maxStaleMs: MAX_STALE_MS,
    timeoutMs: keyTimeoutMs,
    fetch,
    clock,
    timer,
    onKeysChanged: () => tokenCache.clear(),
    onRefresh({ version, metadataUrl, error, failures }) {
      metrics.keyRefresh(version, error === undefined);
      if (error === undefined) {
        log[failing.delete(version) ? "info" : "debug"]({ version }, "signing keys fetched");
        return;
      }
      failing.add(version);
      const cause =
        error instanceof IssuerError
          ? { reason: error.message, version }
          : { err: loggableError(error), version, metadataUrl };
      log.error(cause, "signing keys could not be fetched");
      if (failures === REPEATED_FAILURES && keys.isUsable) {
        log.warn(
          { version },
          "ready without the signing keys of this version, whose tokens get 503",
        );
      }
    },
  });
  const events = eventDependencies(settings, {
    concurrentHandlers: limits.concurrentHandlers,
    consumer: `${binding.cloudClientId}${binding.path}`,
    storeTimeoutMs: Math.min(storeTimeoutMs, deadlineMs),
    expectedSource: new ExpectedSource({
      binding,
      reject: settings.unexpectedSource === "reject",
      metrics,
      now,
    }),
    destination: { ...destination, ...invocation() },
    metrics,
    timer,
    log,
  });

  return {
    binding,
    settings,
    timer,
    metrics,
    draining,
    capacity,
    keys,
    documents,
    events,
    reading: { schema: settings.schema, metrics },
    authenticator: new Authenticator({
      tenantId: binding.cloudTenantId,
      audiences: new Set(
        [binding.cloudClientId, ...(settings.authentication.audiences ?? [])].map(lowerCaseId),
      ),
      callers: new Set(settings.callers.map((caller) => caller.toLowerCase())),
      role: settings.authentication.acceptWithoutRole ? undefined : SECURE_WEBHOOK_ROLE,
      keys,
      tokenCache,
      now,
    }),
    notices: new LifecycleNotices({
      capacity,
      draining,
      deadlineMs,
      schema: settings.schema,
      timer,
      onSubscriptionEnd: settings.onSubscriptionEnd,
    }),
    handshake: new Handshake({
      allowedOrigins: settings.allowedOrigins,
      metrics,
      isReady: () => !draining.isRefusing && keys.isUsable,
      now,
    }),
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
