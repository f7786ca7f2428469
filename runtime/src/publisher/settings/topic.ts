import {
  cloudEnvironments,
  type OutputRuntimeBinding,
  type PublishWith,
} from "../../binding/index.js";
import { bindingRules, eventsUrl, isLoopback } from "../../binding/rules/index.js";
import { type Problem, problemsOf } from "../../validation/index.js";

/** The topic of a binding, with defaults filled in. */
export interface BindingTopic {
  /** With its path. */
  readonly endpoint: URL;
  /** Whether the topic is on this machine. */
  readonly isLoopback: boolean;
  readonly publishWith: PublishWith;
  readonly accessKey: string | undefined;
  /** Entra scope of a token that publishes to the topic. */
  readonly publishScope: string;
}

const FIELDS = ["topicEndpoint", "publishWith", "accessKey", "cloudEnvironment", "name"] as const;

/** The problems of a binding for publishing. */
export function bindingProblems(binding: OutputRuntimeBinding): Problem[] {
  const fields: Partial<OutputRuntimeBinding> = binding ?? {};
  return FIELDS.flatMap((field): readonly Problem[] => {
    const value = fields[field];
    if (value !== undefined) return problemsOf(bindingRules[field], field, value);
    if (field !== "topicEndpoint") return [];
    return [{ field, rule: "required", message: `${field} is required to publish events` }];
  });
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
