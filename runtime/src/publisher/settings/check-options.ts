import {
  BindingConfigurationError,
  type NamespaceTopicRuntimeBinding,
  type OutputRuntimeBinding,
} from "../../binding/index.js";
import {
  parseNamespaceTopic,
  parseServiceBinding,
  type ServiceCheck,
} from "../../binding/parsing/index.js";
import { credentialProblems, transportProblems } from "../../transport/index.js";
import {
  ConfigurationError,
  checkOf,
  isObject,
  type Problem,
  problemsOf,
} from "../../validation/index.js";
import { isNamespaceTopic, type PublishBinding } from "./binding-topic.js";
import { type AnyPublisherOptions, type PublisherOptions, publisherOptions } from "./options.js";

/** The binding or the options of a publisher are invalid. */
export class PublisherConfigurationError extends ConfigurationError {
  readonly code = "ERR_PUBLISHER_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The publisher cannot be created", problems);
  }
}

const check = checkOf<PublisherOptions>(publisherOptions);

/**
 * Checks binding and options together, and returns the binding with its defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {PublisherConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkConfiguration(
  binding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: AnyPublisherOptions,
): PublishBinding {
  const { parse, defaultSwitch } = isNamespaceTopic(binding ?? {})
    ? ({ parse: parseNamespaceTopic, defaultSwitch: "entra" } as const)
    : ({ parse: parseTopic, defaultSwitch: "accessKey" } as const);
  // The key may be an option of the publisher.
  const parsed = parse(binding, { supplied: ["accessKey"] });
  const ofBinding = Array.isArray(parsed) ? parsed : [];
  const problems = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    problems.push(
      ...credentialProblems(binding ?? {}, options, "publishWith", defaultSwitch),
      ...transportProblems(options.transport),
    );
    // The name of the binding is the default source.
    if (options.source === undefined && !Array.isArray(parsed) && parsed.name !== undefined) {
      problems.push(...problemsOf(publisherOptions.source.check, "source", parsed.name));
    }
  }
  if (problems.length > 0) throw new PublisherConfigurationError([...ofBinding, ...problems]);
  if (Array.isArray(parsed)) throw new BindingConfigurationError(parsed);
  return parsed;
}

function parseTopic(binding: object, check: ServiceCheck) {
  return parseServiceBinding(binding, "output", check);
}
