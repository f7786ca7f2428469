import { cloudEnvironments, type PullRuntimeBinding } from "../../binding/index.js";
import { isLoopback } from "../../binding/rules/index.js";
import { backgroundClock } from "../../clock.js";
import { healthPaths } from "../../health.js";
import { namespaceTopicUrl } from "../../transport/index.js";
import { checkConfiguration } from "./check-options.js";
import type { AnyReceiverOptions, ReleaseDelay } from "./options.js";

const SECOND = 1_000;
const retryDelaysSeconds: readonly ReleaseDelay[] = [10, 60, 600, 3600];

/** The queue that a receiver empties. */
export type Queue = ReturnType<typeof receiverSettings>["queue"];

/** The checked settings of a receiver, with defaults filled in. */
export type ReceiverSettings = ReturnType<typeof receiverSettings>;

/**
 * Checks binding and options, and fills in the defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ReceiverConfigurationError} otherwise
 */
export function receiverSettings(rawBinding: PullRuntimeBinding, options: AnyReceiverOptions) {
  const binding = checkConfiguration(rawBinding, options);
  const { eventSubscriptionName } = binding;
  const endpoint = new URL(
    `${namespaceTopicUrl(binding)}/eventsubscriptions/${eventSubscriptionName}`,
  );
  const { signals = [], health } = options;
  return {
    queue: {
      endpoint,
      isLoopback: isLoopback(endpoint),
      subscriptionName: eventSubscriptionName,
      subscriptionKey: eventSubscriptionName.toLowerCase(),
      lockMs: binding.receiveLockSeconds * SECOND,
      receiveWith: binding.receiveWith,
      accessKey: binding.accessKey,
      /** Entra scope of a token that receives; the one that publishes. */
      scope: cloudEnvironments[binding.cloudEnvironment].publishScope,
    },
    name: binding.name,
    concurrency: options.concurrency ?? 64,
    prefetch: options.prefetch ?? 100,
    maxEvents: options.maxEvents ?? 100,
    maxWaitSeconds: options.maxWaitSeconds ?? 60,
    retryDelaysSeconds: options.retryDelaysSeconds ?? retryDelaysSeconds,
    unhandled: options.unhandled ?? "acknowledge",
    strict: options.strict ?? false,
    deduplication: options.deduplication,
    deduplicationKey: options.deduplicationKey,
    deduplicationTimeoutMs: options.deduplicationTimeoutMs ?? 5 * SECOND,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 20 * SECOND,
    retry: {
      firstDelayMs: options.retry?.firstDelayMs ?? 250,
      maxDelayMs: options.retry?.maxDelayMs ?? 30 * SECOND,
    },
    drainTimeoutMs: options.drainTimeoutMs ?? 25 * SECOND,
    signals,
    health: health && {
      port: health.port,
      host: health.host ?? "0.0.0.0",
      ...healthPaths(health),
    },
    transport: options.transport,
    logger: options.logger ?? true,
    telemetry: options.telemetry ?? {},
    clock: options.clock ?? backgroundClock,
    credentials: options,
    on: options.on,
    schemas: options.events?.schemas,
  } as const;
}
