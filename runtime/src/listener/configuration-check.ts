import {
  BindingConfigurationError,
  type CloudEnvironment,
  cloudEnvironments,
  isCloudEnvironmentName,
} from "../binding/index.js";
import {
  anything,
  callable,
  catalogue,
  duration,
  either,
  flag,
  group,
  isObject,
  LONGEST_MS,
  notEmpty,
  numberFrom,
  oneOf,
  positiveWhole,
  type Rule,
  rule,
  telemetry,
  text,
  wait,
  withMethods,
} from "../setting-rules.js";
import { ListenerConfigurationError } from "./configuration-error.js";
import { handlerProblems } from "./handlers.js";
import { type HealthPaths, sharedPathProblems } from "./health.js";
import { bindingProblems, comparedPath } from "./listener-binding.js";
import type { ListenerOptions } from "./server.js";
import { origins, portNumber, routePath, signals, texts, uuids } from "./setting-rules.js";
import type {
  AuthenticationSettings,
  HandshakeSettings,
  LimitSettings,
  WebhookOptions,
} from "./settings.js";
import { relationProblems } from "./settings-defaults.js";

const storeOrFalse = either(
  "a store such as new MemoryDeduplication(), or false",
  oneOf(false),
  withMethods("", "claim"),
);
const leaseMs = either(
  `a number from 1 to ${LONGEST_MS}, or Infinity`,
  duration,
  oneOf(Number.POSITIVE_INFINITY),
);

function deduplication(name: string, value: unknown): string[] {
  const problems = storeOrFalse(name, value);
  if (problems.length > 0 || !isObject(value)) return problems;
  return leaseMs(`${name}.leaseMs`, Reflect.get(value, "leaseMs"));
}

const ofWebhook = {
  binding: anything,
  path: anything,
  on: anything,
  events: catalogue,
  handshake: group<HandshakeSettings>({
    allowedOrigins: notEmpty(origins, "no handshake would ever be consented to"),
    allowedRate: either('a positive whole number, or "*"', positiveWhole, oneOf("*")),
    callback: flag,
  }),
  authentication: group<AuthenticationSettings>({
    audiences: texts,
    callers: uuids,
    acceptWithoutRole: rule(
      'an object with the reason: { reason: "…" }',
      (value) => isObject(value) && text("", Reflect.get(value, "reason")).length === 0,
    ),
    clockToleranceSeconds: numberFrom(0, 600),
    maxTokenLength: positiveWhole,
    keys: group<AuthenticationSettings["keys"] & object>({
      refreshMs: duration,
      cooldownMs: duration,
      maxStaleMs: duration,
      timeoutMs: duration,
    }),
  }),
  limits: group<LimitSettings>({
    bodyBytes: positiveWhole,
    events: positiveWhole,
    requests: positiveWhole,
    bytes: positiveWhole,
    handlers: positiveWhole,
    handlersPerBatch: positiveWhole,
  }),
  deadlineMs: duration,
  unhandled: oneOf("acknowledge", "retry", "reject"),
  deduplication,
  onSubscriptionEnd: callable,
  drainLagMs: wait,
  telemetry,
  fetch: callable,
  clock: callable,
};
const webhookRules = group<WebhookOptions>(ofWebhook);

const serverRules = group<WebhookOptions & ListenerOptions>({
  ...ofWebhook,
  host: text,
  port: portNumber,
  logger: either(
    "a pino logger, pino's options, true or false",
    flag,
    rule("", (value) => typeof value === "object" && value !== null),
  ),
  health: either(
    "false, or an object with the paths live and ready",
    oneOf(false),
    rule("", isObject),
  ),
  signals,
  anonymousConnections: positiveWhole,
});
const healthPaths = group<HealthPaths>({ live: routePath, ready: routePath });

/**
 * Looks at everything that a webhook is made with.
 *
 * @throws {BindingConfigurationError} when only the binding is wrong
 * @throws {ListenerConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkWebhook(options: WebhookOptions): void {
  check(options, webhookRules, () => []);
}

/** The same for a webhook with a server of its own. */
export function checkServer(
  options: WebhookOptions & { readonly health?: HealthPaths | false },
): void {
  const { health = {} } = options;
  check(options, serverRules, (webhookPath) => {
    const ofPaths = isObject(health) ? healthPaths("health", health) : [];
    if (isObject(health) && ofPaths.length === 0) {
      ofPaths.push(...sharedPathProblems(health, webhookPath));
    }
    return ofPaths;
  });
}

function check(
  options: WebhookOptions,
  rules: Rule,
  others: (webhookPath: string | undefined) => readonly string[],
): void {
  const ofBinding = bindingProblems(options.binding, options.path);
  const ofSettings = rules("", options);
  // How settings go together can only be said of such as are right by themselves.
  if (webhookRules("", options).length === 0) {
    ofSettings.push(...relationProblems(options, cloudOf(options)));
  }
  const problems = [
    ...handlerProblems(options.on, options.events),
    ...ofSettings,
    ...others(comparedPath(options.binding, options.path, ofBinding)),
  ];
  if (problems.length > 0) {
    const messages = ofBinding.map(({ message }) => message);
    throw new ListenerConfigurationError([...messages, ...problems]);
  }
  if (ofBinding.length > 0) throw new BindingConfigurationError(ofBinding);
}

/** The binding's cloud; where it names none that exists, that is the binding's problem. */
function cloudOf({ binding }: WebhookOptions): CloudEnvironment {
  const name = binding?.cloudEnvironment;
  return cloudEnvironments[isCloudEnvironmentName(name) ? name : "public"];
}
