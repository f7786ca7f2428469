import { BindingConfigurationError } from "../binding/index.js";
import { attributeProblems } from "../events/envelope-attributes.js";
import {
  anything,
  callable,
  catalogue,
  duration,
  flag,
  group,
  isObject,
  oneOf,
  positiveWhole,
  type Rule,
  rule,
  telemetry,
  wait,
  withMethods,
} from "../setting-rules.js";
import { PublisherConfigurationError } from "./configuration-error.js";
import { choiceProblems, credentialRules } from "./credential-options.js";
import { bindingProblems, type SendingBinding } from "./publishing-binding.js";
import type {
  BatchingSettings,
  PublisherOptions,
  PublishLimits,
  QueueSettings,
  RetrySettings,
} from "./settings.js";
import { limitRelationProblems } from "./settings-defaults.js";
import type { ClientOptions } from "./topic-client.js";

const source: Rule = (_name, value) =>
  attributeProblems({ specversion: "1.0", id: "1", type: "any", source: value }) ?? [];

const limits = group<PublishLimits>({
  eventBytes: positiveWhole,
  requestBytes: positiveWhole,
  requestEvents: positiveWhole,
});

const optionRules = group<PublisherOptions>({
  ...credentialRules,
  events: catalogue,
  source,
  checkPayloads: flag,
  timeoutMs: duration,
  attemptTimeoutMs: duration,
  retry: group<RetrySettings>({ attempts: positiveWhole, firstDelayMs: wait, maxDelayMs: wait }),
  batching: group<BatchingSettings>({ requests: positiveWhole, lingerMs: wait }),
  limits,
  queue: group<QueueSettings>({
    events: positiveWhole,
    bytes: positiveWhole,
    whenFull: oneOf("wait", "fail"),
  }),
  client: group<ClientOptions>({
    additionalPolicies: rule("a list of policies", Array.isArray),
    agent: anything,
    httpClient: withMethods("an HTTP client, which has a function sendRequest", "sendRequest"),
    proxyOptions: anything,
    telemetryOptions: anything,
    tlsOptions: anything,
    userAgentOptions: anything,
  }),
  telemetry,
  clock: withMethods("a clock, which has functions now and schedule", "now", "schedule"),
  random: callable,
  newId: callable,
});

/**
 * Looks at everything that a publisher is made with.
 *
 * @throws {BindingConfigurationError} when only the binding is wrong
 * @throws {PublisherConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkPublisher(
  binding: SendingBinding,
  options: Omit<PublisherOptions, "events">,
): void {
  const ofBinding = bindingProblems(binding);
  const problems = optionRules("", options);
  if (isObject(options)) {
    problems.push(...choiceProblems(binding ?? {}, options), ...sizeProblems(options));
    if (ofBinding.length === 0) problems.push(...nameProblems(binding, options));
  }
  if (problems.length > 0) {
    throw new PublisherConfigurationError([
      ...ofBinding.map(({ message }) => message),
      ...problems,
    ]);
  }
  if (ofBinding.length > 0) throw new BindingConfigurationError(ofBinding);
}

/** How sizes go together can only be said of such as are right by themselves. */
function sizeProblems({ limits: given = {} }: Pick<PublisherOptions, "limits">): string[] {
  return limits("limits", given).length > 0 ? [] : limitRelationProblems(given);
}

/** The binding's name is the source of events where no other is given. */
function nameProblems(
  { name }: SendingBinding,
  options: Pick<PublisherOptions, "source">,
): string[] {
  return options.source !== undefined || name === undefined ? [] : source("source", name);
}
