import {
  type CloudEnvironment,
  cloudEnvironments,
  type InputRuntimeBinding,
} from "../../binding/index.js";
import { parseServiceBinding } from "../../binding/parsing/index.js";
import { routePathRule, webhookPath } from "../../binding/rules/index.js";
import { type Problem, problem, problemsOf } from "../../validation/index.js";

/** A binding as the listener uses it: IDs in lower case, defaults filled in. */
export interface ListenerBinding {
  readonly tenantId: string;
  readonly clientId: string;
  readonly port: number;
  readonly path: string;
  readonly cloud: CloudEnvironment;
  /** Base URL of the token issuer, without a trailing slash. */
  readonly authorityHost: string;
  /** Name of the event subscription, if it is known. */
  readonly eventSubscriptionName: string | undefined;
  /** The scope, if it is known. */
  readonly scope: string | undefined;
}

/**
 * Reads what the listener needs from a binding, or reports everything that is wrong with it.
 *
 * @param ownPath the path to serve, if it is not the binding's
 */
export function parseListenerBinding(
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
    tenantId: parsed.cloudTenantId.toLowerCase(),
    clientId: parsed.cloudClientId.toLowerCase(),
    port: Number(parsed.handshakePort),
    path,
    cloud,
    authorityHost: (parsed.cloudAuthorityHost ?? cloud.authorityHost).replace(/\/+$/, ""),
    eventSubscriptionName: parsed.eventSubscriptionName,
    scope: parsed.scope,
  };
}

function parsePath(
  { path, subscriberEndpoint }: Partial<InputRuntimeBinding>,
  ownPath: string | undefined,
): string | Problem[] {
  if (ownPath === undefined && path !== undefined) return path;
  if (ownPath === undefined && subscriberEndpoint === undefined) {
    const message = "or subscriberEndpoint is required: it is the path that Event Grid calls";
    return [problem("path", "required", message)];
  }
  // A path that is part of a valid URL may still be one that a route cannot serve.
  const served = webhookPath({ path: ownPath, subscriberEndpoint });
  const problems = problemsOf(routePathRule, "path", served);
  return problems.length === 0 ? served : [...problems];
}

function isAboutPath({ field }: Problem): boolean {
  return field === "path" || field === "subscriberEndpoint";
}
