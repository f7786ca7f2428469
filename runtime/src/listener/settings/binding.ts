import {
  type CloudEnvironment,
  cloudEnvironments,
  type ListenerBinding as ListenerFields,
  type UnreadFields,
  webhookPath,
} from "../../binding/index.js";
import { bindingRules } from "../../binding/rules/index.js";
import { type Problem, problemOf } from "../../validation/index.js";

/** The binding of a listener: anything that has a binding's input half. */
export type ReceivingBinding = ListenerFields & UnreadFields;

/** The input half of a binding as the listener uses it: IDs in lower case, defaults filled in. */
export interface ListenerBinding {
  readonly tenantId: string;
  readonly clientId: string;
  readonly port: number;
  readonly path: string;
  readonly cloud: CloudEnvironment;
  /** Base URL of the token issuer, without a trailing slash. */
  readonly authorityHost: string;
}

const checked = [
  "cloudTenantId",
  "cloudClientId",
  "handshakePort",
  "cloudEnvironment",
  "cloudAuthorityHost",
  "subscriberEndpoint",
  "path",
] as const;
const required: ReadonlySet<string> = new Set(["cloudTenantId", "cloudClientId", "handshakePort"]);

/**
 * Everything that is missing or invalid for the listener.
 *
 * @param path the path to serve, if it is not the binding's own
 */
export function bindingProblems(binding: ReceivingBinding, path?: string): Problem[] {
  const given: Partial<ListenerFields> = servedOn(path, binding);
  const problems = checked.flatMap((field): Problem[] => {
    const value = given[field];
    if (value !== undefined) return [problemOf(bindingRules[field], field, value) ?? []].flat();
    if (!required.has(field)) return [];
    return [{ field, rule: "required", message: `${field} is required to receive events` }];
  });
  if (given.path === undefined && given.subscriberEndpoint === undefined) {
    const message = "path or subscriberEndpoint is required: it is the path that Event Grid calls";
    problems.push({ field: "path", rule: "required", message });
  }
  const served = problems.some(isAboutPath) ? "/" : pathOf(given);
  if (!isServable(served)) {
    const message = `path must be one path without * and broken escapes, but is ${served}`;
    problems.push({ field: "path", rule: "path", message });
  }
  return problems;
}

/** Reads the fields that the listener needs from a binding without problems. */
export function listenerBinding(binding: ReceivingBinding, path?: string): ListenerBinding {
  const given = servedOn(path, binding);
  const cloud = cloudEnvironments[given.cloudEnvironment ?? "public"];
  return {
    tenantId: given.cloudTenantId.toLowerCase(),
    clientId: given.cloudClientId.toLowerCase(),
    port: Number(given.handshakePort),
    path: pathOf(given),
    cloud,
    authorityHost: (given.cloudAuthorityHost ?? cloud.authorityHost).replace(/\/+$/, ""),
  };
}

/** The path as requests for it are compared: decoded. `undefined` if the binding's path is invalid. */
export function comparedPath(binding: ReceivingBinding, path?: string): string | undefined {
  if (bindingProblems(binding, path).some(isAboutPath)) return undefined;
  return decodeURI(pathOf(servedOn(path, binding)));
}

function servedOn(path: string | undefined, binding: ReceivingBinding): ListenerFields {
  return { ...binding, ...(path !== undefined && { path }) };
}

function isAboutPath({ field }: Problem): boolean {
  return field === "path" || field === "subscriberEndpoint";
}

function pathOf({ path, subscriberEndpoint = "" }: Partial<ListenerFields>): string {
  return path ?? webhookPath(subscriberEndpoint);
}

/** A star would match any path, and the router compares decoded paths. */
function isServable(path: string): boolean {
  try {
    return !decodeURI(path).includes("*");
  } catch {
    return false;
  }
}
