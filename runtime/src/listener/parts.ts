import type { FastifyBaseLogger } from "fastify";
import { SECURE_WEBHOOK_ROLE } from "../binding/index.js";
import { Authenticator } from "./authentication.js";
import { Capacity } from "./capacity.js";
import { lowerCaseId } from "./claims.js";
import { checkWebhook } from "./configuration-check.js";
import { Deadlines } from "./deadlines.js";
import { DenialLog } from "./denial-log.js";
import { Draining } from "./draining.js";
import { EventProcessor } from "./event-processing.js";
import { HandlerSlots } from "./handler-slots.js";
import { HandlerTable } from "./handlers.js";
import { Handshake } from "./handshake.js";
import { IssuerError } from "./issuer-json.js";
import { listenedBinding } from "./listener-binding.js";
import { MemoryDeduplication } from "./memory-deduplication.js";
import { ListenerMetrics } from "./metrics.js";
import type { WebhookOptions } from "./settings.js";
import { withDefaults } from "./settings-defaults.js";
import { SigningKeys } from "./signing-keys.js";
import { readableError } from "./thrown.js";
import { ListenerTracing } from "./tracing.js";
import { VerifiedTokens } from "./verified-tokens.js";

export type WebhookParts = ReturnType<typeof webhookParts>;

/**
 * Makes the parts of a webhook and connects them.
 *
 * @throws {BindingConfigurationError} when the binding has no complete input half
 * @throws {ListenerConfigurationError} when handlers or settings cannot work
 */
export function webhookParts(options: WebhookOptions, log: FastifyBaseLogger) {
  checkWebhook(options);
  const binding = listenedBinding(options.binding, options.path);
  const settings = withDefaults(options, binding.cloud);
  const handlers = new HandlerTable(options.on);
  const { clock, limits } = settings;

  const metrics = new ListenerMetrics(options.telemetry?.meterProvider);
  const draining = new Draining();
  const slots = new HandlerSlots(limits.handlers);
  const verifiedTokens = new VerifiedTokens();
  const keys = new SigningKeys(binding, {
    ...settings.keys,
    fetch: settings.fetch,
    clock,
    onKeysChanged: () => verifiedTokens.clear(),
    onRefresh: ({ version, metadataUrl, error }) => {
      metrics.keyRefresh(version, error === undefined);
      if (error === undefined) log.debug({ version }, "signing keys fetched");
      else if (error instanceof IssuerError) {
        log.error({ reason: error.message, version }, "signing keys could not be fetched");
      } else
        log.error(
          { err: readableError(error), version, metadataUrl },
          "signing keys could not be fetched",
        );
    },
  });
  const isReady = () => draining.isServing && keys.isLoaded;

  return {
    binding,
    settings,
    handlers,
    metrics,
    draining,
    slots,
    keys,
    isReady,
    deadlines: new Deadlines(settings.deadlineMs),
    denials: new DenialLog(clock),
    capacity: new Capacity(limits.requests, limits.bytes),
    authenticator: new Authenticator({
      tenantId: binding.tenantId,
      audiences: new Set([binding.clientId, ...settings.audiences].map(lowerCaseId)),
      callers: new Set(settings.callers.map((caller) => caller.toLowerCase())),
      role: options.authentication?.acceptWithoutRole ? undefined : SECURE_WEBHOOK_ROLE,
      clockToleranceMs: settings.clockToleranceMs,
      maxTokenLength: settings.maxTokenLength,
      keys,
      verifiedTokens,
      clock,
    }),
    handshake: new Handshake(binding, {
      settings: options.handshake ?? {},
      metrics,
      isReady: () => !draining.isRefusing && keys.isLoaded,
      fetch: settings.fetch,
      clock,
    }),
    processor: new EventProcessor({
      handlers,
      schemas: options.events?.schemas,
      unhandled: settings.unhandled,
      slots,
      store:
        options.deduplication === false
          ? undefined
          : (options.deduplication ?? new MemoryDeduplication({ clock })),
      metrics,
      tracing: new ListenerTracing(options.telemetry?.tracerProvider),
    }),
  };
}
