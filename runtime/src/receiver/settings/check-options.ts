import { BindingConfigurationError, type PullRuntimeBinding } from "../../binding/index.js";
import { parsePullBinding, type ServicePullBinding } from "../../binding/parsing/index.js";
import { AZURE_LIMITS } from "../../binding/rules/index.js";
import { deduplicationCheck } from "../../deduplication/index.js";
import { handlerProblems } from "../../handling/index.js";
import { healthPaths } from "../../health.js";
import {
  credentialOptions,
  credentialProblems,
  type TransportOptions,
  transportOptions,
  transportProblems,
} from "../../transport/index.js";
import {
  anyOf,
  boolean,
  callable,
  checkOf,
  choiceRule,
  clock,
  delayMs,
  durationMs,
  eventCatalogue,
  group,
  integerRule,
  isObject,
  listOf,
  log,
  nonEmptyString,
  type Problem,
  positiveInteger,
  problem,
  problemsOf,
  required,
  routePath,
  signal,
  telemetry,
  unchecked,
} from "../../validation/index.js";
import { ReceiverConfigurationError } from "../errors.js";
import type {
  AnyReceiverOptions,
  ReceiveRetrySettings,
  ReceiverHealth,
  ReceiverOptions,
} from "./options.js";

const { receiveEvents, receiveWaitSeconds, releaseDelaySeconds } = AZURE_LIMITS;

const receiverOptions = group<ReceiverOptions>({
  accessKey: credentialOptions.accessKey.check,
  sasToken: credentialOptions.sasToken.check,
  credential: credentialOptions.credential.check,
  events: eventCatalogue,
  on: unchecked,
  concurrency: positiveInteger,
  prefetch: integerRule(0, 10_000),
  maxEvents: integerRule(receiveEvents.min, receiveEvents.max),
  maxWaitSeconds: integerRule(receiveWaitSeconds.min, receiveWaitSeconds.max),
  retryDelaysSeconds: listOf(choiceRule(...releaseDelaySeconds), {
    of: "delays in seconds",
    whenEmpty: "is empty: it needs the delay after the first delivery",
  }),
  unhandled: choiceRule("acknowledge", "retry", "reject"),
  strict: boolean,
  deduplication: deduplicationCheck,
  deduplicationKey: callable,
  deduplicationTimeoutMs: durationMs,
  attemptTimeoutMs: durationMs,
  retry: group<ReceiveRetrySettings>({ firstDelayMs: delayMs, maxDelayMs: delayMs }),
  drainTimeoutMs: delayMs,
  signals: listOf(signal, { of: "signals" }),
  health: group<ReceiverHealth>(
    {
      port: required(integerRule(0, 65_535)),
      host: nonEmptyString,
      live: routePath,
      ready: routePath,
    },
    {
      together: (paths, field) => {
        const { live, ready } = healthPaths(paths);
        const message = `is ${ready}, the path of ${field}.live: choose a different path`;
        return live === ready ? [problem(`${field}.ready`, "own-path", message)] : [];
      },
    },
  ),
  transport: checkOf<TransportOptions>(transportOptions),
  logger: anyOf({ name: "logger", requirement: `${log.requirement}, or false` }, boolean, log),
  telemetry,
  clock,
});

/**
 * Checks binding, handlers and options together, and returns the binding with its defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ReceiverConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkConfiguration(
  binding: PullRuntimeBinding,
  options: AnyReceiverOptions,
): ServicePullBinding {
  // The key may be an option of the receiver.
  const parsed = parsePullBinding(binding, { supplied: ["accessKey"] });
  const problems: Problem[] = [...problemsOf(receiverOptions, "", options)];
  if (isObject(options)) {
    problems.push(
      ...handlerProblems(options.on, options.events),
      ...credentialProblems(binding ?? {}, options, "receiveWith", "entra"),
      ...transportProblems(options.transport),
    );
  }
  if (problems.length > 0) {
    throw new ReceiverConfigurationError([...(Array.isArray(parsed) ? parsed : []), ...problems]);
  }
  if (Array.isArray(parsed)) throw new BindingConfigurationError(parsed);
  return parsed;
}
