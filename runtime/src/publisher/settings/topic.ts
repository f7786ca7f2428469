import { serviceProblems } from "../../binding/fields/index.js";
import { cloudEnvironments, type OutputRuntimeBinding } from "../../binding/index.js";
import { eventsUrl, isLoopback } from "../../binding/rules/index.js";
import type { Problem } from "../../validation/index.js";
import type { Topic } from "../transport/index.js";

/** The topic of a binding, with defaults filled in. */
export interface BindingTopic extends Topic {
  /** Whether the topic is on this machine. */
  readonly isLoopback: boolean;
  readonly accessKey: string | undefined;
  /** Entra scope of a token that publishes to the topic. */
  readonly publishScope: string;
}

/** The problems of a binding for publishing. */
export function bindingProblems(binding: OutputRuntimeBinding): Problem[] {
  // The key may be an option of the publisher.
  return serviceProblems({ ...binding }, "output", { supplied: ["accessKey"] });
}

/** The topic of a binding that has no problems. */
export function topicOf(binding: OutputRuntimeBinding): BindingTopic {
  const endpoint = new URL(eventsUrl(binding.topicEndpoint));
  return {
    endpoint,
    isLoopback: isLoopback(endpoint),
    publishWith: binding.publishWith ?? "accessKey",
    accessKey: binding.accessKey,
    publishScope: cloudEnvironments[binding.cloudEnvironment ?? "public"].publishScope,
  };
}
