import { isLoopback } from "../binding/endpoint.js";
import { fieldProblem } from "../binding/field-rules.js";
import {
  type BindingProblem,
  type CloudEnvironment,
  cloudEnvironments,
  DEFAULT_WEBHOOK_PATH,
  type PublisherBinding,
  type PublishWith,
  type UnreadFields,
} from "../binding/index.js";

/** What a publisher can be made with: anything that has a binding's output half. */
export type SendingBinding = PublisherBinding & UnreadFields;

/** The output half of a binding as the publisher uses it, with defaults filled in. */
export interface PublishingBinding {
  /** With its path. */
  readonly endpoint: URL;
  /** Whether the topic is on this machine. */
  readonly loopback: boolean;
  /** Whether the topic is on this machine, and spoken to without TLS. */
  readonly insecure: boolean;
  readonly publishWith: PublishWith;
  readonly accessKey: string | undefined;
  readonly name: string | undefined;
  readonly cloud: CloudEnvironment;
}

const checked = ["topicEndpoint", "publishWith", "accessKey", "cloudEnvironment", "name"] as const;

/** Everything that is missing or wrong for the publisher. */
export function bindingProblems(binding: SendingBinding): BindingProblem[] {
  const given: Partial<PublisherBinding> = binding ?? {};
  return checked.flatMap((field): BindingProblem[] => {
    const value = given[field];
    if (value !== undefined) return [fieldProblem(field, value) ?? []].flat();
    if (field !== "topicEndpoint") return [];
    return [{ field, rule: "required", message: `${field} is required to publish events` }];
  });
}

/** Reads what the publisher needs of a binding that has no problems. */
export function publishingBinding(given: PublisherBinding): PublishingBinding {
  const endpoint = new URL(given.topicEndpoint);
  // Azure shows a topic's endpoint with this path, and the SDK does not add it.
  if (endpoint.pathname === "/") endpoint.pathname = DEFAULT_WEBHOOK_PATH;
  const loopback = isLoopback(endpoint);
  return {
    endpoint,
    loopback,
    insecure: loopback && endpoint.protocol === "http:",
    publishWith: given.publishWith ?? "accessKey",
    accessKey: given.accessKey,
    name: given.name,
    cloud: cloudEnvironments[given.cloudEnvironment ?? "public"],
  };
}
