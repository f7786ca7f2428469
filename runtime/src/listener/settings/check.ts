import { BindingConfigurationError } from "../../binding/index.js";
import { handlerProblems } from "../../handling/index.js";
import { ListenerConfigurationError } from "../../listener-errors.js";
import { healthPaths } from "../../network/index.js";
import {
  type Composite,
  checkOf,
  isObject,
  misspeltNames,
  type Problem,
  problem,
  problemsOf,
  withDefaults,
} from "../../validation/index.js";
import { type ListenerBinding, parseListenerBinding } from "./binding.js";
import {
  type BoundOptions,
  type ListenerOptions,
  serverOptions,
  settingsOf,
  type WebhookOptions,
  type WebhookSettings,
  webhookOptions,
} from "./options.js";

const together = bufferProblems;
const webhookCheck = checkOf<WebhookOptions>(webhookOptions, { together });
// Fastify's own tools pass options of theirs to every plugin.
const pluginCheck = checkOf<WebhookOptions>(webhookOptions, {
  together,
  nameProblems: misspeltNames,
});
const { logger } = serverOptions;
const endpointCheck = checkOf<WebhookOptions & Pick<ListenerOptions, "logger">>(
  { ...webhookOptions, logger },
  { together },
);
const serverCheck = checkOf<ListenerOptions>({ ...webhookOptions, ...serverOptions }, { together });

/** A webhook's options after their check: the binding parsed, and the defaults filled in. */
export interface CheckedWebhook {
  readonly binding: ListenerBinding;
  readonly settings: WebhookSettings;
}

/**
 * Checks the binding, the handlers and the settings of a webhook in a Fastify app.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ListenerConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkPlugin(options: BoundOptions): CheckedWebhook {
  return checked(pluginCheck, options);
}

/** Checks a webhook of a server of the user's own. Throws like {@link checkPlugin}. */
export function checkEndpoint(options: BoundOptions): CheckedWebhook {
  return checked(endpointCheck, options);
}

/** Checks a webhook together with the server it runs on. Throws like {@link checkPlugin}. */
export function checkServer(options: BoundOptions & Pick<ListenerOptions, "health">) {
  return checked(serverCheck, options, ({ path }) => healthProblems(options.health, path));
}

/**
 * Checks a webhook that is added to a listener. Throws like {@link checkPlugin}.
 *
 * @param firstPort of the listener's first binding
 * @param served the paths of the webhooks that the listener has
 */
export function checkAddedWebhook(
  options: BoundOptions,
  server: Pick<ListenerOptions, "port" | "health">,
  firstPort: number,
  served: { has(path: string): boolean },
): CheckedWebhook {
  return checked(webhookCheck, options, ({ path, handshakePort }) => {
    const problems = healthProblems(server.health, path);
    const decoded = decodeURI(path);
    if (served.has(decoded)) {
      const message = `is ${decoded}, which another binding of this listener uses: choose a different path`;
      problems.push(problem("path", "own-path", message));
    }
    if (server.port === undefined && Number(handshakePort) !== firstPort) {
      const message = `must be "${firstPort}" as in the first binding, or the listener's option port must be set`;
      problems.push(problem("handshakePort", "same-port", message));
    }
    return problems;
  });
}

/**
 * @param check of each option
 * @param combine the problems of a valid binding together with the server or other webhooks
 */
function checked(
  check: Composite,
  { binding: given, ...options }: BoundOptions,
  combine: (binding: ListenerBinding) => readonly Problem[] = () => [],
): CheckedWebhook {
  const binding = parseListenerBinding(given, options.path);
  const ofHandlers = handlerProblems(options.on, options.events);
  const ofOptions = [...ofHandlers, ...problemsOf(check, "", options)];
  if (Array.isArray(binding)) {
    if (ofOptions.length === 0) throw new BindingConfigurationError(binding);
    throw new ListenerConfigurationError([...binding, ...ofOptions]);
  }
  ofOptions.push(...combine(binding), ...callerProblems(binding, options));
  if (ofOptions.length > 0) throw new ListenerConfigurationError(ofOptions);
  return { binding, settings: settingsOf(options, binding.cloud) };
}

function callerProblems({ cloud }: ListenerBinding, { authentication }: WebhookOptions): Problem[] {
  const isKnown = cloud.eventGridApplicationId !== undefined;
  if (isKnown || authentication?.callers !== undefined) return [];
  const message =
    "is required in this cloud, where Microsoft does not publish Event Grid's application ID";
  return [problem("authentication.callers", "required", message)];
}

/** Requests that are allowed, but never accepted. */
function bufferProblems(options: WebhookOptions): Problem[] {
  const { limits } = withDefaults(webhookOptions, options);
  const { bufferedBytes, requestBytes } = limits;
  if (!(bufferedBytes < requestBytes)) return [];
  const message = `(${bufferedBytes}) must be at least limits.requestBytes (${requestBytes}), or the largest request is never accepted`;
  return [problem("limits.bufferedBytes", "request-bytes", message)];
}

/** Health routes that would share a path with the webhook. */
function healthProblems(health: ListenerOptions["health"] = {}, webhookPath: string): Problem[] {
  if (!isObject(health)) return [];
  const webhook = decodeURI(webhookPath);
  return Object.entries(healthPaths(health))
    .filter(([, own]) => own === webhook)
    .map(([name, own]) => {
      const message = `is ${own}, the path of the webhook: choose a different path`;
      return problem(`health.${name}`, "own-path", message);
    });
}
