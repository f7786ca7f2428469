import {
  type CloudEnvironment,
  cloudEnvironments,
  type InputRuntimeBinding,
  parseServiceBinding,
  routePathRule,
  type ServiceBinding,
  webhookPath,
} from "../../binding/index.js";
import { type Problem, problem } from "../../errors.js";
import { problemsOf } from "../../validation/index.js";

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
