import {
  type CloudEnvironment,
  cloudEnvironments,
  type InputRuntimeBinding,
  parseServiceBinding,
  routePathRule,
  type ServiceBinding,
  webhookPath,
} from "../binding/index.js";
import { ConfigurationError, type Problem, problem } from "../errors.js";
import { handlerProblems } from "../handling/index.js";
import { HEALTH_PATHS } from "../network.js";
import { checkOf, problemsOf, withDefaults } from "../validation/index.js";
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
const { logger } = serverOptions;

/** By what the options are passed to. */
const checks = {
  createListener: checkOf<ListenerOptions>({ ...webhookOptions, ...serverOptions }, { together }),
  createWebhook: checkOf<WebhookOptions & Pick<ListenerOptions, "logger">>(
    { ...webhookOptions, logger },
    { together },
  ),
  add: checkOf<WebhookOptions>(webhookOptions, { together }),
  // Fastify's own tools pass options of theirs to every plugin.
  plugin: checkOf<WebhookOptions>(webhookOptions, { together, allowsOthers: true }),
};

/** The beginning of the error that each function throws. */
const refusals: Readonly<Record<keyof typeof checks, string>> = {
  createListener: "The listener cannot be created",
  createWebhook: "The webhook cannot be created",
  add: "The binding cannot be added",
  plugin: "The plugin eventGridWebhook cannot be registered",
};

/** A webhook's options after their check: the binding parsed, and the defaults filled in. */
export interface CheckedWebhook {
  readonly binding: ListenerBinding;
  readonly settings: WebhookSettings;
}

/** The demands of a webhook's server, and the values that it gives. */
export interface ServerConstraints {
  /** Whether the server has health routes. @default false */
  readonly health?: boolean;
  /** The port that the binding must agree with. @default any */
  readonly port?: number | undefined;
  /** Paths of other webhooks. @default none */
  readonly paths?: { has(path: string): boolean };
  /** Lag of a webhook whose options have none. @default that of {@link webhookOptions} */
  readonly drainLagMs?: number | undefined;
}

/**
 * Checks the binding, the handlers and the settings of a webhook.
 *
 * @param entry what the options were passed to
 * @param server that serves it, if it is not the user's own
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function checkWebhook(
  entry: keyof typeof checks,
  { binding: given, ...options }: BoundOptions,
  server?: ServerConstraints,
): CheckedWebhook {
  const binding = parseListenerBinding(given, options.path);
  const ofHandlers = handlerProblems(options.on, options.events);
  const problems = [...ofHandlers, ...problemsOf(checks[entry], "", options)];
  if (Array.isArray(binding)) {
    throw new ConfigurationError(refusals[entry], [...binding, ...problems]);
  }
  if (server !== undefined) problems.push(...serverProblems(binding, server));
  if (entry === "plugin") problems.push(...routerProblems(binding));
  problems.push(...callerProblems(binding, options));
  if (problems.length > 0) throw new ConfigurationError(refusals[entry], problems);
  const { drainLagMs = server?.drainLagMs } = options;
  return { binding, settings: settingsOf({ ...options, drainLagMs }, binding.cloud) };
}

function serverProblems(
  { path, handshakePort }: ListenerBinding,
  { health = false, port, paths }: ServerConstraints,
): Problem[] {
  const problems: Problem[] = [];
  const served = decodeURI(path);
  if (health && Object.values(HEALTH_PATHS).includes(served)) {
    const message = `is ${served}, the path of a health route: choose a different path, or set health to false`;
    problems.push(problem("path", { "own-path": message }));
  }
  if (paths?.has(served)) {
    const message = `is ${served}, which another binding of this listener uses: choose a different path`;
    problems.push(problem("path", { "own-path": message }));
  }
  if (port !== undefined && Number(handshakePort) !== port) {
    const message = `must be "${port}" as in the first binding, or the listener's option port must be set`;
    problems.push(problem("handshakePort", { "same-port": message }));
  }
  return problems;
}

/** Of `# $ & + , / : ; = ? @`, which `decodeURI` leaves escaped, and which Fastify's router never finds. */
const RESERVED_ESCAPE = /%(?:2[346BCF]|3[ABDF]|40)/i;

function routerProblems({ path }: ListenerBinding): Problem[] {
  const [found] = RESERVED_ESCAPE.exec(path) ?? [];
  if (found === undefined) return [];
  const message = `is ${path}, but Fastify finds no route with ${found}: choose a different path, or use createWebhook`;
  return [problem("path", { path: message })];
}

function callerProblems({ cloud }: ListenerBinding, { authentication }: WebhookOptions): Problem[] {
  const isKnown = cloud.eventGridApplicationId !== undefined;
  if (isKnown || authentication?.callers !== undefined) return [];
  const message =
    "is required in this cloud, where Microsoft does not publish Event Grid's application ID";
  return [problem("authentication.callers", { required: message })];
}

/** Requests that are allowed, but never accepted. */
function bufferProblems(options: WebhookOptions): Problem[] {
  const { limits } = withDefaults(webhookOptions, options);
  const { bufferedBytes, requestBytes } = limits;
  if (!(bufferedBytes < requestBytes)) return [];
  const message = `(${bufferedBytes}) must be at least limits.requestBytes (${requestBytes}), or the largest request is never accepted`;
  return [problem("limits.bufferedBytes", { "request-bytes": message })];
}

/** A binding as the listener uses it: IDs in lower case, defaults filled in. */
export type ListenerBinding = ServiceBinding<"input"> & {
  readonly path: string;
  readonly cloud: CloudEnvironment;
  /** Without a trailing slash. */
  readonly cloudAuthorityHost: string;
};

/**
 * Reads what the listener needs from a binding, or reports everything that is wrong with it.
 *
 * @param ownPath the path to serve, if it is not the binding's
 */
function parseListenerBinding(
  binding: InputRuntimeBinding,
  ownPath?: string,
): ListenerBinding | Problem[] {
  const parsed = parseServiceBinding(binding, "input", { supplied: ["path"] });
  const problems = Array.isArray(parsed) ? parsed : [];
  // An invalid URL has no path.
  if (problems.some(isAboutPath)) return problems;
  const path = parsePath({ ...binding }, ownPath);
  if (Array.isArray(path)) return [...problems, ...path];
  if (Array.isArray(parsed)) return parsed;
  const cloud = cloudEnvironments[parsed.cloudEnvironment];
  return {
    ...parsed,
    cloudTenantId: parsed.cloudTenantId.toLowerCase(),
    cloudClientId: parsed.cloudClientId.toLowerCase(),
    path,
    cloud,
    cloudAuthorityHost: parsed.cloudAuthorityHost ?? cloud.authorityHost,
  };
}

function parsePath(
  { path, subscriberEndpoint }: Partial<InputRuntimeBinding>,
  ownPath: string | undefined,
): string | Problem[] {
  if (ownPath === undefined && path !== undefined) return path;
  if (ownPath === undefined && subscriberEndpoint === undefined) {
    const message = "or subscriberEndpoint is required: it is the path that Event Grid calls";
    return [problem("path", { required: message })];
  }
  // A path that is part of a valid URL may still be one that a route cannot serve.
  const served = webhookPath({ path: ownPath, subscriberEndpoint });
  const problems = problemsOf(routePathRule, "path", served);
  return problems.length === 0 ? served : [...problems];
}

function isAboutPath({ field }: Problem): boolean {
  return field === "path" || field === "subscriberEndpoint";
}
