import { randomUUID } from "node:crypto";
import type { NamespaceTopicRuntimeBinding, OutputRuntimeBinding } from "../../binding/index.js";
import {
  parseNamespaceTopic,
  parseServiceBinding,
  type ServiceBinding,
  type ServiceNamespaceTopic,
} from "../../binding/index.js";
import { ConfigurationError } from "../../errors.js";
import type { Clock } from "../../time.js";
import { serviceProblems } from "../../transport/index.js";
import { checkOf, isObject, problemsOf, withDefaults } from "../../validation/index.js";
import { isNamespaceTopic, topicOf } from "../topic.js";
import { type AnyPublisherOptions, type PublisherOptions, publisherOptions } from "./options.js";

/** The checked settings of a publisher, with defaults filled in. */
export type PublisherSettings = ReturnType<typeof publisherSettings>;

/**
 * Checks binding and options, and fills in the defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function publisherSettings(
  rawBinding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
  clock: Clock,
) {
  const binding = checkConfiguration(rawBinding, options);
  const settings = withDefaults(publisherOptions, options);
  const { events } = settings;
  const topic = topicOf(binding);
  return {
    ...settings,
    topic,
    envelope: {
      source: settings.source ?? binding.name,
      newId: (): string => randomUUID(),
      timestamp: timestamps(() => clock.now()),
      maxEventBytes: topic.eventBytes,
      /** The event types that may be published; any when absent. */
      types: events && new Set(events.types),
      needsData: topic.needsData,
    },
    schemas: events?.schemas.size ? events.schemas : undefined,
    clock,
    /** From 0 to below 1, for retry delays. */
    random: Math.random,
  };
}

const check = checkOf<PublisherOptions>(publisherOptions);

/**
 * Checks binding and options together, and returns the binding with its defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
function checkConfiguration(
  binding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
): ServiceBinding<"output"> | ServiceNamespaceTopic {
  const isOfNamespace = isNamespaceTopic(binding ?? {});
  // The key may be an option of the publisher.
  const supplied = { supplied: ["accessKey"] };
  const parsed = isOfNamespace
    ? parseNamespaceTopic(binding, supplied)
    : parseServiceBinding(binding, "output", supplied);
  const problems = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    const byDefault = isOfNamespace ? "entra" : "accessKey";
    problems.push(...serviceProblems(binding ?? {}, options, "publishWith", byDefault));
    // The name of the binding is the default source.
    if (options.source === undefined && !Array.isArray(parsed) && parsed.name !== undefined) {
      problems.push(...problemsOf(publisherOptions.source.check, "source", parsed.name));
    }
  }
  if (Array.isArray(parsed) || problems.length > 0) {
    const ofBinding = Array.isArray(parsed) ? parsed : [];
    throw new ConfigurationError("The publisher cannot be created", [...ofBinding, ...problems]);
  }
  return parsed;
}

/**
 * Formats the present time as an RFC 3339 timestamp in UTC. Events of the same millisecond share the
 * string, because formatting costs as much as the rest of an envelope.
 *
 * @param now milliseconds since 1970
 */
function timestamps(now: () => number): () => string {
  let formatted = Number.NaN;
  let text = "";
  return () => {
    const time = now();
    if (time !== formatted) {
      text = new Date(time).toISOString();
      formatted = time;
    }
    return text;
  };
}
