import { randomUUID } from "node:crypto";
import type { NamespaceTopicRuntimeBinding, OutputRuntimeBinding } from "../../binding/index.js";
import type { Clock } from "../../time.js";
import { withDefaults } from "../../validation/index.js";
import { timestamps } from "../event/index.js";
import { limitsOf, topicOf } from "./binding-topic.js";
import { checkConfiguration } from "./check-options.js";
import { type AnyPublisherOptions, publisherOptions } from "./options.js";

/** The checked settings of a publisher, with defaults filled in. */
export type PublisherSettings = ReturnType<typeof publisherSettings>;

/**
 * Checks binding and options, and fills in the defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {PublisherConfigurationError} when an option is invalid
 */
export function publisherSettings(
  rawBinding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
  clock: Clock,
) {
  const binding = checkConfiguration(rawBinding, options);
  const { events, limits, retry, ...settings } = withDefaults(publisherOptions, options);
  const topic = topicOf(binding);
  const service = limitsOf(binding);
  return {
    topic,
    envelope: {
      source: settings.source ?? binding.name,
      newId: (): string => randomUUID(),
      timestamp: timestamps(() => clock.now()),
      maxEventBytes: service.eventBytes,
      types: events && new Set(events.types),
      needsData: topic.kind === "namespaceTopic",
    },
    schemas: events?.schemas.size ? events.schemas : undefined,
    timeoutMs: settings.timeoutMs,
    attemptTimeoutMs: settings.attemptTimeoutMs,
    admission: { maxEvents: limits.bufferedEvents, maxBytes: limits.bufferedBytes },
    failWhenFull: settings.whenFull === "fail",
    batches: {
      maxRequestBytes: service.requestBytes,
      maxRequestEvents: limits.requestEvents,
      maxRequests: limits.concurrentRequests,
      retry,
    },
    credentials: settings,
    transport: settings.transport,
    telemetry: settings.telemetry,
    clock,
    /** From 0 to below 1, for retry delays. */
    random: Math.random,
  };
}
