import { serviceProblems } from "../../binding/fields/index.js";
import {
  type CloudEnvironment,
  cloudEnvironments,
  type InputRuntimeBinding,
} from "../../binding/index.js";
import { routePathRule, webhookPath } from "../../binding/rules/index.js";
import { type Problem, problemsOf } from "../../validation/index.js";

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
 * The problems of a binding for the listener.
 *
 * @param path the path to serve, if it is not the binding's own
 */
export function bindingProblems(binding: InputRuntimeBinding, path?: string): Problem[] {
  const given: Partial<InputRuntimeBinding> = servedOn(path, binding);
  const problems = serviceProblems({ ...given }, "input", { supplied: ["path"] });
  if (given.path === undefined && given.subscriberEndpoint === undefined) {
    const message = "path or subscriberEndpoint is required: it is the path that Event Grid calls";
    problems.push({ field: "path", rule: "required", message });
  }
  if (problems.some(isAboutPath)) return problems;
  // A path that is part of a valid URL may still be one that a route cannot serve.
  return [...problems, ...problemsOf(routePathRule, "path", webhookPath(given))];
}

/** Reads the fields that the listener needs from a binding without problems. */
export function listenerBinding(binding: InputRuntimeBinding, path?: string): ListenerBinding {
  const given = servedOn(path, binding);
  const cloud = cloudEnvironments[given.cloudEnvironment ?? "public"];
  return {
    tenantId: given.cloudTenantId.toLowerCase(),
    clientId: given.cloudClientId.toLowerCase(),
    port: Number(given.handshakePort),
    path: webhookPath(given),
    cloud,
    authorityHost: (given.cloudAuthorityHost ?? cloud.authorityHost).replace(/\/+$/, ""),
    eventSubscriptionName: given.eventSubscriptionName,
    scope: given.scope,
  };
}

/** The path as requests for it are compared: decoded. `undefined` if the binding's path is invalid. */
export function comparedPath(binding: InputRuntimeBinding, path?: string): string | undefined {
  if (bindingProblems(binding, path).some(isAboutPath)) return undefined;
  return decodeURI(webhookPath(servedOn(path, binding)));
}

function servedOn(path: string | undefined, binding: InputRuntimeBinding): InputRuntimeBinding {
  return { ...binding, ...(path !== undefined && { path }) };
}

function isAboutPath({ field }: Problem): boolean {
  return field === "path" || field === "subscriberEndpoint";
}
