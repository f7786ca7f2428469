import type { ServiceBinding } from "../../binding/definition/index.js";
import { cloudEnvironments } from "../../binding/index.js";
import { eventsUrl, isLoopback } from "../../binding/rules/index.js";
import type { Topic } from "../transport/index.js";

/** The topic of a binding, with defaults filled in. */
export interface BindingTopic extends Topic {
  /** Whether the topic is on this machine. */
  readonly isLoopback: boolean;
  readonly accessKey: string | undefined;
  /** Entra scope of a token that publishes to the topic. */
  readonly publishScope: string;
}

export function topicOf(binding: ServiceBinding<"output">): BindingTopic {
  const endpoint = new URL(eventsUrl(binding.topicEndpoint));
  return {
    endpoint,
    isLoopback: isLoopback(endpoint),
    publishWith: binding.publishWith,
    accessKey: binding.accessKey,
    publishScope: cloudEnvironments[binding.cloudEnvironment].publishScope,
  };
}
