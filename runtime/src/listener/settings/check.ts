import { constants } from "node:os";
import {
  BindingConfigurationError,
  type CloudEnvironment,
  cloudEnvironments,
} from "../../binding/index.js";
import { AZURE_LIMITS, uuidRule } from "../../binding/rules/index.js";
import { handlerProblems } from "../../handling/index.js";
import { ListenerConfigurationError } from "../../listener-errors.js";
import {
  anyOf,
  boolean,
  callable,
  choiceRule,
  clock,
  delayMs,
  durationMs,
  either,
  eventCatalogue,
  group,
  integerRule,
  isObject,
  listOf,
  misspeltNames,
  nonEmptyString,
  numberRule,
  objectWith,
  type Problem,
  positiveInteger,
  predicateRule,
  problem,
  problemsOf,
  telemetry,
  unchecked,
} from "../../validation/index.js";
import { bindingProblems, comparedPath } from "./binding.js";
import {
  type AuthenticationSettings,
  type HandshakeSettings,
  type HealthPaths,
  healthPaths,
  type ListenerLimits,
  type ListenerOptions,
  type WebhookOptions,
  withDefaults,
} from "./settings.js";

const hostName = predicateRule({
  name: "host-name",
  requirement: "must be a host name such as eventgrid.azure.net, without https:// and wildcards",
  test: (value) => typeof value === "string" && /^[\w.-]+(?::\d+)?$/.test(value),
});
const signal = predicateRule({
  name: "signal",
  requirement: "must be a signal that a process can catch, such as SIGTERM",
  test: (value) =>
    typeof value === "string" &&
    Object.hasOwn(constants.signals, value) &&
    value !== "SIGKILL" &&
    value !== "SIGSTOP",
});
const routePath = predicateRule({
  name: "path",
  requirement: "must be a path such as /healthz, without *, : and escapes",
  test: (value) => typeof value === "string" && /^\/[^\s?#*:%]*$/.test(value),
});
const reason = predicateRule({
  name: "reason",
  requirement: 'must be an object with the reason: { reason: "…" }',
  test: (value) => isObject(value) && nonEmptyString.test(value.reason),
});
const storeOrFalse = anyOf(
  {
    name: "deduplication-store",
    requirement: "must be a store such as new MemoryDeduplication(), or false",
  },
  choiceRule(false),
  objectWith("", "claim"),
);
const leaseMs = anyOf(
  { ...durationMs, requirement: `${durationMs.requirement}, or Infinity` },
  durationMs,
  choiceRule(Number.POSITIVE_INFINITY),
);

function deduplicationProblems(field: string, value: unknown): readonly Problem[] {
  const problems = problemsOf(storeOrFalse, field, value);
  if (problems.length > 0 || !isObject(value)) return problems;
  return problemsOf(leaseMs, `${field}.leaseMs`, value.leaseMs);
}

const webhookChecks = {
  path: unchecked,
  on: unchecked,
  events: eventCatalogue,
  handshake: group<HandshakeSettings>({
    allowedOrigins: listOf(hostName, {
      of: "host names",
      whenEmpty: "is empty: no handshake would ever be accepted",
    }),
    callback: boolean,
  }),
  authentication: group<AuthenticationSettings>({
    audiences: listOf(nonEmptyString, { of: "strings" }),
    callers: listOf(uuidRule, { of: "UUIDs" }),
    acceptWithoutRole: reason,
    clockToleranceMs: numberRule(0, 600_000),
    keys: group<AuthenticationSettings["keys"] & object>({
      maxStaleMs: durationMs,
      timeoutMs: durationMs,
    }),
  }),
  limits: group<ListenerLimits>({
    requestBytes: positiveInteger,
    requestEvents: positiveInteger,
    concurrentRequests: positiveInteger,
    bufferedBytes: positiveInteger,
    concurrentHandlers: positiveInteger,
    concurrentHandlersPerRequest: positiveInteger,
  }),
  deadlineMs: durationMs,
  unhandled: choiceRule("acknowledge", "retry", "reject"),
  strict: boolean,
  unexpectedSource: choiceRule("accept", "reject"),
  deduplication: { problems: deduplicationProblems },
  deduplicationTimeoutMs: durationMs,
  onSubscriptionEnd: callable,
  drainLagMs: delayMs,
  telemetry,
  fetch: callable,
  clock,
};
// Fastify's own tools pass options of theirs to every plugin.
const webhookCheck = group<WebhookOptions>(
  { ...webhookChecks, binding: unchecked },
  { nameProblems: misspeltNames },
);
const addedWebhookCheck = group<Omit<WebhookOptions, "binding">>(webhookChecks);

const serverCheck = group<ListenerOptions>({
  ...webhookChecks,
  host: nonEmptyString,
  port: integerRule(0, 65_535),
  logger: anyOf(
    { name: "logger", requirement: "must be a pino logger, pino's options, true or false" },
    boolean,
    predicateRule({ name: "", requirement: "", test: isObject }),
  ),
  health: either(choiceRule(false), group<HealthPaths>({ live: routePath, ready: routePath })),
  signals: listOf(signal, { of: "signals" }),
});

/**
 * Checks the binding, the handlers and the settings of a webhook.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ListenerConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkWebhook(options: WebhookOptions): void {
  report(options, problemsOf(webhookCheck, "", options));
}

/** Checks a webhook together with the server it runs on. Throws like {@link checkWebhook}. */
export function checkServer(options: WebhookOptions & ListenerOptions): void {
  const problems = problemsOf(serverCheck, "", withoutBinding(options));
  report(options, problems, healthPathProblems(options));
}

/**
 * Checks a webhook that is added to a listener, also against those that the listener has.
 * Throws like {@link checkWebhook}.
 */
export function checkAddedWebhook(
  options: WebhookOptions,
  server: ListenerOptions,
  others: readonly [WebhookOptions, ...WebhookOptions[]],
): void {
  const served = comparedPath(options.binding, options.path);
  const taken = others.some(({ binding, path }) => comparedPath(binding, path) === served);
  const port = others[0].binding.handshakePort;
  const problems = healthPathProblems({
    ...options,
    ...(server.health !== undefined && { health: server.health }),
  });
  if (taken && served !== undefined) {
    const message = `is ${served}, which another binding of this listener uses: choose a different path`;
    problems.push(problem("path", "own-path", message));
  }
  if (server.port === undefined && options.binding.handshakePort !== port) {
    const message = `must be "${port}" as in the first binding, or the listener's option port must be set`;
    problems.push(problem("handshakePort", "same-port", message));
  }
  report(options, problemsOf(addedWebhookCheck, "", withoutBinding(options)), problems);
}

/** The options alone, where the binding is an argument of its own. */
function withoutBinding<Options extends WebhookOptions>({ binding: _, ...options }: Options) {
  return options;
}

/** @param combined the problems of settings together with the server's or other webhooks' */
function report(
  options: WebhookOptions,
  ofSettings: readonly Problem[],
  combined: readonly Problem[] = [],
): void {
  const ofBinding = bindingProblems(options.binding, options.path);
  const others = [
    ...handlerProblems(options.on, options.events),
    ...settingProblems(ofSettings, options),
    ...combined,
  ];
  if (others.length > 0) throw new ListenerConfigurationError([...ofBinding, ...others]);
  if (ofBinding.length > 0) throw new BindingConfigurationError(ofBinding);
}

/** Adds the settings that contradict each other, if each of them is valid. */
function settingProblems(problems: readonly Problem[], options: WebhookOptions): Problem[] {
  const areValid = problems.every(({ field }) => SERVER_OPTION.test(field));
  return areValid ? [...problems, ...contradictions(options)] : [...problems];
}

const SERVER_OPTION = /^(?:host|port|logger|health|signals)\b/;

function contradictions(options: WebhookOptions): Problem[] {
  const { callers, deadlineMs, deduplicationTimeoutMs, keys, limits } = withDefaults(
    options,
    cloudOf(options),
  );
  const problems: Problem[] = [];
  if (callers.length === 0) {
    const message =
      "is required in this cloud, where Microsoft does not publish Event Grid's application ID";
    problems.push(problem("authentication.callers", "required", message));
  }
  // The deadline runs from when the token was judged, for which a key may have been fetched.
  if (deadlineMs + keys.timeoutMs >= AZURE_LIMITS.deliveryTimeoutMs) {
    const message = `(${deadlineMs}) plus authentication.keys.timeoutMs (${keys.timeoutMs}) must be less than ${AZURE_LIMITS.deliveryTimeoutMs}, the time that Event Grid waits for a response`;
    problems.push(problem("deadlineMs", "delivery-timeout", message));
  }
  if (deduplicationTimeoutMs > deadlineMs) {
    const message = `(${deduplicationTimeoutMs}) must not exceed deadlineMs (${deadlineMs})`;
    problems.push(problem("deduplicationTimeoutMs", "deadline", message));
  }
  if (limits.bufferedBytes < limits.requestBytes) {
    const message = `(${limits.bufferedBytes}) must be at least limits.requestBytes (${limits.requestBytes}), or the largest request is never accepted`;
    problems.push(problem("limits.bufferedBytes", "request-bytes", message));
  }
  return problems;
}

/** Health routes that would share a path with the webhook or with each other. */
function healthPathProblems({ binding, path, health = {} }: WebhookOptions & ListenerOptions) {
  if (!isObject(health)) return [];
  const { live, ready } = healthPaths(health);
  const webhook = comparedPath(binding, path);
  const shared = (field: string, taken: string, by: string) =>
    problem(field, "own-path", `is ${taken}, the path of ${by}: choose a different path`);
  const problems = Object.entries({ live, ready })
    .filter(([, own]) => own === webhook)
    .map(([name, own]) => shared(`health.${name}`, own, "the webhook"));
  if (live === ready) problems.push(shared("health.ready", ready, "health.live"));
  return problems;
}

/** The binding's cloud. An unknown name is reported as the binding's problem. */
function cloudOf({ binding }: WebhookOptions): CloudEnvironment {
  const name = binding?.cloudEnvironment;
  return cloudEnvironments[name ?? "public"] ?? cloudEnvironments.public;
}
