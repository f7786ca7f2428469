import { cloudEnvironments, type PullRuntimeBinding } from "../../binding/index.js";
import { isLoopback } from "../../binding/rules/index.js";
import { healthPaths } from "../../network/index.js";
import { namespaceTopicUrl } from "../../transport/index.js";
import { withDefaults } from "../../validation/index.js";
import { checkConfiguration } from "./check-options.js";
import { type AnyReceiverOptions, receiverOptions } from "./options.js";

const SECOND = 1_000;

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
  const { eventSubscriptionName, topicName } = binding;
  const endpoint = new URL(
    `${namespaceTopicUrl(binding)}/eventsubscriptions/${eventSubscriptionName}`,
  );
  const { events, ...others } = options;
  const { health, ...completed } = withDefaults(receiverOptions, others);
  return {
    queue: {
      endpoint,
      isLoopback: isLoopback(endpoint),
      subscriptionName: eventSubscriptionName,
      /** In attributes of OpenTelemetry's semantic conventions. */
      destination: {
        "messaging.destination.name": topicName,
        "messaging.destination.subscription.name": eventSubscriptionName,
        "server.address": endpoint.hostname,
        ...(endpoint.port !== "" && { "server.port": Number(endpoint.port) }),
      },
      subscriptionKey: eventSubscriptionName.toLowerCase(),
      lockMs: binding.receiveLockSeconds * SECOND,
      receiveWith: binding.receiveWith,
      accessKey: binding.accessKey,
      /** Entra scope of a token that receives; the one that publishes. */
      scope: cloudEnvironments[binding.cloudEnvironment].publishScope,
    },
    name: binding.name,
    ...completed,
    health: health && {
      port: health.port,
      host: health.host ?? "0.0.0.0",
      ...healthPaths(health),
    },
    telemetry: options.telemetry ?? {},
    credentials: options,
    schemas: events?.schemas,
  } as const;
}
