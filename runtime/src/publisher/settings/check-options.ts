import { parseServiceBinding, type ServiceBinding } from "../../binding/definition/index.js";
import { BindingConfigurationError, type OutputRuntimeBinding } from "../../binding/index.js";
import { AZURE_LIMITS } from "../../binding/rules/index.js";
import { attributeProblems } from "../../events/envelope/index.js";
import {
  boolean,
  ConfigurationError,
  choiceRule,
  clock,
  delayMs,
  durationMs,
  eventCatalogue,
  group,
  isObject,
  objectWith,
  type Problem,
  positiveInteger,
  predicateRule,
  problem,
  problemsOf,
  telemetry,
} from "../../validation/index.js";
import { type CredentialOptions, isSecret, type TransportOptions } from "../transport/index.js";
import type {
  AnyPublisherOptions,
  PublisherLimits,
  PublisherOptions,
  RetrySettings,
} from "./options.js";

/** The binding or the options of a publisher are invalid. */
export class PublisherConfigurationError extends ConfigurationError {
  readonly code = "ERR_PUBLISHER_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The publisher cannot be created", problems);
  }
}

const secret = predicateRule({
  name: "secret",
  requirement: "must be a string without white space, or a function that returns one",
  secret: true,
  test: (value) => typeof value === "function" || isSecret(value),
});

/** The credentials of the Azure SDK: for Entra, access keys and SAS tokens. */
const credential = predicateRule({
  name: "credential",
  requirement: "must be a TokenCredential, AzureKeyCredential or AzureSASCredential",
  secret: true,
  test: (value) =>
    isObject(value) && ["getToken", "key", "signature"].some((name) => name in value),
});

const proxyUrl = predicateRule({
  name: "http-url",
  requirement: "must be an http or https URL, or false",
  test: (value) =>
    value === false ||
    (URL.canParse(String(value)) && /^https?:$/.test(new URL(String(value)).protocol)),
});

const tlsOptions = predicateRule({
  name: "object",
  requirement: "must be an object of TLS options",
  test: isObject,
});

const publisherLimits = group<PublisherLimits>({
  eventBytes: positiveInteger,
  requestBytes: positiveInteger,
  requestEvents: positiveInteger,
  concurrentRequests: positiveInteger,
  bufferedEvents: positiveInteger,
  bufferedBytes: positiveInteger,
});

const publisherOptions = group<PublisherOptions>({
  accessKey: secret,
  sasToken: secret,
  credential,
  events: eventCatalogue,
  source: { problems: sourceProblems },
  checkPayloads: boolean,
  timeoutMs: durationMs,
  attemptTimeoutMs: durationMs,
  retry: group<RetrySettings>({
    attempts: positiveInteger,
    firstDelayMs: delayMs,
    maxDelayMs: delayMs,
  }),
  limits: publisherLimits,
  whenFull: choiceRule("wait", "fail"),
  transport: group<TransportOptions>({
    proxy: proxyUrl,
    tls: tlsOptions,
    dispatcher: objectWith("must be a dispatcher of undici", "dispatch"),
  }),
  telemetry,
  clock,
});

/**
 * Checks binding and options together, and returns the binding with its defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {PublisherConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkConfiguration(
  binding: OutputRuntimeBinding,
  options: AnyPublisherOptions,
): ServiceBinding<"output"> {
  // The key may be an option of the publisher.
  const parsed = parseServiceBinding(binding, "output", { supplied: ["accessKey"] });
  const ofBinding = Array.isArray(parsed) ? parsed : [];
  const problems = [...problemsOf(publisherOptions, "", options)];
  if (isObject(options)) {
    problems.push(...credentialProblems(binding ?? {}, options), ...combinationProblems(options));
    // The name of the binding is the default source.
    if (options.source === undefined && !Array.isArray(parsed) && parsed.name !== undefined) {
      problems.push(...sourceProblems("source", parsed.name));
    }
  }
  if (problems.length > 0) throw new PublisherConfigurationError([...ofBinding, ...problems]);
  if (Array.isArray(parsed)) throw new BindingConfigurationError(parsed);
  return parsed;
}

function sourceProblems(field: string, value: unknown): readonly Problem[] {
  const problems = attributeProblems({ specversion: "1.0", id: "1", type: "t", source: value });
  return (problems ?? []).map(({ message }) => ({ field, rule: "uri-reference", message }));
}

/** Which credentials fit the binding, and each other. */
function credentialProblems(
  { publishWith, accessKey }: Partial<OutputRuntimeBinding>,
  options: CredentialOptions,
): Problem[] {
  const names = (["accessKey", "sasToken", "credential"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const isToken = isObject(options.credential) && "getToken" in options.credential;
  const isKey = credential.test(options.credential) && !isToken;
  const problems: Problem[] = [];
  const report = (...about: Parameters<typeof problem>) => problems.push(problem(...about));

  if (names.length > 1) {
    report("credential", "unused", `is ambiguous: keep one of ${names.join(" and ")}`);
  }
  if (publishWith === "entra" && (options.credential === undefined || isKey)) {
    const example = "such as new DefaultAzureCredential() of @azure/identity";
    report(
      "credential",
      "required",
      `must be a TokenCredential for publishWith "entra", ${example}`,
    );
  }
  if (publishWith !== "entra" && isToken) {
    report("credential", "unused", 'is a TokenCredential, which needs publishWith: "entra"');
  }
  if (publishWith !== "entra" && accessKey === undefined && names.length === 0) {
    report("accessKey", "required", "is required, in the binding or as an option");
  }
  return problems;
}

/** Options that are valid each, but not together. */
function combinationProblems(options: AnyPublisherOptions): Problem[] {
  const { limits = {}, transport } = options;
  const problems: Problem[] = [];
  if (problemsOf(publisherLimits, "limits", limits).length === 0) {
    const { eventBytes = AZURE_LIMITS.eventBytes, requestBytes = AZURE_LIMITS.requestBytes } =
      limits;
    // A request is an array: an event is surrounded by two brackets.
    if (requestBytes < eventBytes + 2) {
      const message = `is ${requestBytes}, too small for an event of limits.eventBytes (${eventBytes}) and the brackets around it: make it ${eventBytes + 2} or more`;
      problems.push(problem("limits.requestBytes", "minimum", message));
    }
  }
  if (isObject(transport) && transport.dispatcher !== undefined) {
    for (const name of ["proxy", "tls"]) {
      if (transport[name] === undefined) continue;
      const message = "has no effect with transport.dispatcher: configure the dispatcher";
      problems.push(problem(`transport.${name}`, "unused", message));
    }
  }
  return problems;
}
