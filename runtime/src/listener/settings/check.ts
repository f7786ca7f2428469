import { BindingConfigurationError, cloudEnvironments } from "../../binding/index.js";
import { AZURE_LIMITS, uuidRule } from "../../binding/rules/index.js";
import { deduplicationCheck } from "../../deduplication/index.js";
import { handlerProblems } from "../../handling/index.js";
import { healthPaths } from "../../health.js";
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
  log,
  misspeltNames,
  nonEmptyString,
  numberRule,
  type Problem,
  positiveInteger,
  predicateRule,
  problem,
  problemsOf,
  routePath,
  signal,
  telemetry,
  unchecked,
} from "../../validation/index.js";
import { type ListenerBinding, parseListenerBinding } from "./binding.js";
import {
  type AuthenticationSettings,
  type CompleteSettings,
  type HandshakeSettings,
  type HealthPaths,
  type ListenerLimits,
  type ListenerOptions,
  type WebhookEndpointOptions,
  type WebhookOptions,
  withDefaults,
} from "./settings.js";

const hostName = predicateRule({
  name: "host-name",
  requirement: "must be a host name such as eventgrid.azure.net, without https:// and wildcards",
  test: (value) => typeof value === "string" && /^[\w.-]+(?::\d+)?$/.test(value),
});
const reason = predicateRule({
  name: "reason",
  requirement: 'must be an object with the reason: { reason: "…" }',
  test: (value) => isObject(value) && nonEmptyString.test(value.reason),
});
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
  schema: choiceRule("cloudevents", "eventgrid"),
  strict: boolean,
  unexpectedSource: choiceRule("accept", "reject"),
  deduplication: deduplicationCheck,
  deduplicationKey: callable,
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

const endpointChecks = {
  ...webhookChecks,
  logger: anyOf({ name: "logger", requirement: `${log.requirement}, or false` }, boolean, log),
};
const endpointCheck = group<WebhookEndpointOptions>(endpointChecks);

const serverCheck = group<ListenerOptions>({
  ...endpointChecks,
  host: nonEmptyString,
  port: integerRule(0, 65_535),
  health: either(choiceRule(false), group<HealthPaths>({ live: routePath, ready: routePath })),
  signals: listOf(signal, { of: "signals" }),
});

/** A webhook's options after their check: the binding parsed, and the defaults filled in. */
export interface CheckedWebhook {
  readonly options: Omit<WebhookOptions, "binding">;
  readonly binding: ListenerBinding;
  readonly settings: CompleteSettings;
}

/**
 * Checks the binding, the handlers and the settings of a webhook.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ListenerConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkWebhook(options: WebhookOptions): CheckedWebhook {
  return checked(options, problemsOf(webhookCheck, "", options));
}

/** Checks a webhook of a server of the user's own. Throws like {@link checkWebhook}. */
export function checkEndpoint(
  options: WebhookOptions & Omit<WebhookEndpointOptions, "events">,
): CheckedWebhook {
  const { binding: _, ...settings } = options;
  return checked(options, problemsOf(endpointCheck, "", settings));
}

/** Checks a webhook together with the server it runs on. Throws like {@link checkWebhook}. */
export function checkServer(options: WebhookOptions & ListenerOptions): CheckedWebhook {
  const { binding: _, ...settings } = options;
  return checked(options, problemsOf(serverCheck, "", settings), ({ path }) =>
    healthPathProblems(options.health, path),
  );
}

/**
 * Checks a webhook that is added to a listener, also against those that the listener has.
 * Throws like {@link checkWebhook}.
 */
export function checkAddedWebhook(
  options: WebhookOptions,
  server: Pick<ListenerOptions, "port" | "health">,
  others: readonly [CheckedWebhook, ...CheckedWebhook[]],
): CheckedWebhook {
  const { binding: _, ...settings } = options;
  return checked(options, problemsOf(addedWebhookCheck, "", settings), ({ path, port }) => {
    const problems = healthPathProblems(server.health, path);
    const served = decodeURI(path);
    if (others.some(({ binding }) => decodeURI(binding.path) === served)) {
      const message = `is ${served}, which another binding of this listener uses: choose a different path`;
      problems.push(problem("path", "own-path", message));
    }
    const firstPort = others[0].binding.port;
    if (server.port === undefined && port !== firstPort) {
      const message = `must be "${firstPort}" as in the first binding, or the listener's option port must be set`;
      problems.push(problem("handshakePort", "same-port", message));
    }
    return problems;
  });
}

/**
 * @param ofSettings the problems of each setting
 * @param combine the problems of a valid binding together with the server or other webhooks
 */
function checked(
  { binding: rawBinding, ...options }: WebhookOptions,
  ofSettings: readonly Problem[],
  combine: (binding: ListenerBinding) => readonly Problem[] = () => [],
): CheckedWebhook {
  const binding = parseListenerBinding(rawBinding, options.path);
  const isInvalid = Array.isArray(binding);
  const cloud = isInvalid ? cloudEnvironments.public : binding.cloud;
  const others = [
    ...handlerProblems(options.on, options.events),
    ...ofSettings,
    ...(isInvalid ? [] : combine(binding)),
  ];
  // Settings that are invalid already cannot be compared with each other.
  const areComparable = ofSettings.every(({ field }) => SERVER_OPTION.test(field));
  const settings = areComparable ? withDefaults(options, cloud) : undefined;
  if (settings !== undefined) others.push(...contradictions(settings));
  if (isInvalid && others.length === 0) throw new BindingConfigurationError(binding);
  if (isInvalid || settings === undefined || others.length > 0) {
    throw new ListenerConfigurationError([...(isInvalid ? binding : []), ...others]);
  }
  return { options, binding, settings };
}

const SERVER_OPTION = /^(?:host|port|logger|health|signals)\b/;

/** Settings that are valid each, but not together. */
function contradictions(settings: CompleteSettings): Problem[] {
  const { callers, deadlineMs, deduplicationTimeoutMs, keys, limits } = settings;
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
function healthPathProblems(health: ListenerOptions["health"] = {}, webhookPath: string) {
  if (!isObject(health)) return [];
  const { live, ready } = healthPaths(health);
  const webhook = decodeURI(webhookPath);
  const shared = (field: string, taken: string, by: string) =>
    problem(field, "own-path", `is ${taken}, the path of ${by}: choose a different path`);
  const problems = Object.entries({ live, ready })
    .filter(([, own]) => own === webhook)
    .map(([name, own]) => shared(`health.${name}`, own, "the webhook"));
  if (live === ready) problems.push(shared("health.ready", ready, "health.live"));
  return problems;
}
