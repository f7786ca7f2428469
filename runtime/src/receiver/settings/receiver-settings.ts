import type { PullRuntimeBinding } from "../../binding/index.js";
import { parsePullBinding, type ServicePullBinding } from "../../binding/index.js";
import { ConfigurationError, type Problem } from "../../errors.js";
import { type AnyCatalogue, handlerProblems } from "../../handling/index.js";
import { healthPaths } from "../../network.js";
import { namespaceService, serviceProblems } from "../../transport/index.js";
import { checkOf, isObject, problemsOf, withDefaults } from "../../validation/index.js";
import { type ReceiverOptions, receiverOptions } from "./options.js";

const check = checkOf<ReceiverOptions>(receiverOptions);

export type Queue = ReturnType<typeof receiverSettings>["queue"];

export type ReceiverSettings = ReturnType<typeof receiverSettings>;

/**
 * Checks binding, handlers and options together, and fills in the defaults.
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function receiverSettings(
  rawBinding: PullRuntimeBinding,
  options: AnyCatalogue<ReceiverOptions>,
) {
  const binding = checkedBinding(rawBinding, options);
  const { eventSubscriptionName, receiveWith } = binding;
  const service = namespaceService(binding, {
    authenticatesWith: receiveWith,
    path: `/eventsubscriptions/${eventSubscriptionName}`,
    role: "EventGrid Data Receiver on the namespace (not only on the topic)",
    fields: "topicName and eventSubscriptionName",
  });
  const { hostname, port } = service.endpoint;
  const { health, ...settings } = withDefaults(receiverOptions, options);
  return {
    queue: {
      ...service,
      subscriptionName: eventSubscriptionName,
      subscriptionKey: eventSubscriptionName.toLowerCase(),
      /** In attributes of OpenTelemetry's semantic conventions. */
      destination: {
        "messaging.destination.name": binding.topicName,
        "messaging.destination.subscription.name": eventSubscriptionName,
        "server.address": hostname,
        ...(port !== "" && { "server.port": Number(port) }),
      },
      lockMs: binding.receiveLockSeconds * 1_000,
    },
    name: binding.name,
    ...settings,
    health: health && {
      port: health.port,
      host: health.host ?? "0.0.0.0",
      ...healthPaths(health),
    },
  } as const;
}

function checkedBinding(
  binding: PullRuntimeBinding,
  options: AnyCatalogue<ReceiverOptions>,
): ServicePullBinding {
  // The key may be an option of the receiver.
  const parsed = parsePullBinding(binding, { supplied: ["accessKey"] });
  const problems: Problem[] = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    problems.push(
      ...handlerProblems(options.on, options.events),
      ...serviceProblems(binding ?? {}, options, "receiveWith", "entra"),
    );
  }
  if (Array.isArray(parsed) || problems.length > 0) {
    const ofBinding = Array.isArray(parsed) ? parsed : [];
    throw new ConfigurationError("The receiver cannot be created", [...ofBinding, ...problems]);
  }
  return parsed;
}
