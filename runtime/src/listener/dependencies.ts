import type { FastifyBaseLogger } from "fastify";
import { SECURE_WEBHOOK_ROLE } from "../binding/index.js";
import {
  Authenticator,
  IssuerError,
  lowerCaseId,
  REPEATED_FAILURES,
  SigningKeys,
  TokenCache,
} from "./authentication/index.js";
import { UnstoredOutcomes } from "./deduplication/index.js";
import {
  type EventServices,
  ExpectedSource,
  HandlerSlots,
  HandlerTable,
} from "./handling/index.js";
import { Handshake } from "./handshake/index.js";
import { Capacity, Deadlines, Draining, LifecycleNotices } from "./intake/index.js";
import { listenerBinding, type WebhookOptions, withDefaults } from "./settings/index.js";
import { ListenerMetrics, loggableError } from "./telemetry/index.js";

export type WebhookDependencies = ReturnType<typeof webhookDependencies>;

/** Creates everything that a webhook is built from. The options must have been checked. */
export function webhookDependencies(options: WebhookOptions, log: FastifyBaseLogger) {
  const binding = listenerBinding(options.binding, options.path);
  const settings = withDefaults(options, binding.cloud);
  const { limits, deadlineMs, deduplication, deduplicationTimeoutMs } = settings;
  const now = () => settings.clock.now();

  const metrics = new ListenerMetrics(options.telemetry?.meterProvider);
  const draining = new Draining();
  const capacity = new Capacity(limits.concurrentRequests, limits.bufferedBytes);
  const tokenCache = new TokenCache();
  const failing = new Set<string>();
  const keys = new SigningKeys(binding, {
    ...settings.keys,
    fetch: settings.fetch,
    clock: settings.clock,
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
  const services: EventServices = {
    handlers: new HandlerTable(options.on),
    unhandled: settings.unhandled,
    schemas: options.events?.schemas,
    expectedSource: new ExpectedSource({
      binding,
      reject: settings.unexpectedSource === "reject",
      metrics,
      now,
    }),
    slots: new HandlerSlots(limits.concurrentHandlers),
    deduplication:
      deduplication === false
        ? undefined
        : {
            consumer: `${binding.clientId}${binding.path}`,
            store: deduplication,
            timeoutMs: deduplicationTimeoutMs,
            unstored: new UnstoredOutcomes(log),
          },
    metrics,
    tracerProvider: options.telemetry?.tracerProvider,
  };

  return {
    binding,
    settings,
    metrics,
    draining,
    capacity,
    keys,
    services,
    reading: { maxEvents: limits.requestEvents, strict: settings.strict, metrics },
    deadlines: new Deadlines(deadlineMs),
    authenticator: new Authenticator({
      tenantId: binding.tenantId,
      audiences: new Set([binding.clientId, ...settings.audiences].map(lowerCaseId)),
      callers: new Set(settings.callers.map((caller) => caller.toLowerCase())),
      role: options.authentication?.acceptWithoutRole ? undefined : SECURE_WEBHOOK_ROLE,
      clockToleranceMs: settings.clockToleranceMs,
      keys,
      tokenCache,
      now,
    }),
    notices: new LifecycleNotices({
      capacity,
      draining,
      deadlineMs,
      onSubscriptionEnd: options.onSubscriptionEnd,
    }),
    handshake: new Handshake({
      ...settings.handshake,
      metrics,
      isReady: () => !draining.isRefusing && keys.isUsable,
      fetch: settings.fetch,
      now,
    }),
  };
}
