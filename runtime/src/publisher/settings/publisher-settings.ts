import { randomUUID } from "node:crypto";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { NamespaceTopicRuntimeBinding, OutputRuntimeBinding } from "../../binding/index.js";
import type { TelemetryProviders } from "../../instrumentation.js";
import type { Clock } from "../../time.js";
import type { CredentialOptions, TransportOptions } from "../../transport/index.js";
import { withDefaults } from "../../validation/index.js";
import { type EnvelopeDefaults, timestamps } from "../event/index.js";
import type { AdmissionLimits, BatchSettings } from "../queue/index.js";
import { type BindingTopic, limitsOf, topicOf } from "./binding-topic.js";
import { checkConfiguration } from "./check-options.js";
import { type AnyPublisherOptions, publisherOptions } from "./options.js";

/** The checked settings of a publisher, with defaults filled in. */
export interface PublisherSettings {
  readonly topic: BindingTopic;
  readonly envelope: EnvelopeDefaults;
  /** The schemas that payloads are checked with, by event type; `undefined` when there is none. */
  readonly schemas: ReadonlyMap<string, StandardSchemaV1> | undefined;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly admission: AdmissionLimits;
  readonly failWhenFull: boolean;
  readonly batches: BatchSettings;
  readonly credentials: CredentialOptions;
  readonly transport: TransportOptions | undefined;
  readonly telemetry: TelemetryProviders | undefined;
  readonly clock: Clock;
  /** From 0 to below 1, for retry delays. */
  readonly random: () => number;
}

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
): PublisherSettings {
  const binding = checkConfiguration(rawBinding, options);
  const { events, limits, retry, ...settings } = withDefaults(publisherOptions, options);
  const topic = topicOf(binding);
  const service = limitsOf(binding);
  return {
    topic,
    envelope: {
      source: settings.source ?? binding.name,
      newId: randomUUID,
      timestamp: timestamps(() => clock.now()),
      maxEventBytes: limits.eventBytes ?? service.eventBytes,
      types: events && new Set(events.types),
      needsData: topic.kind === "namespaceTopic",
    },
    schemas: events?.schemas.size ? events.schemas : undefined,
    timeoutMs: settings.timeoutMs,
    attemptTimeoutMs: settings.attemptTimeoutMs,
    admission: { maxEvents: limits.bufferedEvents, maxBytes: limits.bufferedBytes },
    failWhenFull: settings.whenFull === "fail",
    batches: {
      maxRequestBytes: limits.requestBytes ?? service.requestBytes,
      maxRequestEvents: limits.requestEvents,
      maxRequests: limits.concurrentRequests,
      retry,
    },
    credentials: settings,
    transport: settings.transport,
    telemetry: settings.telemetry,
    clock,
    random: Math.random,
  };
}
