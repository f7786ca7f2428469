import { fieldProblem } from "../binding/field-rules.js";
import {
  type BindingProblem,
  type CloudEnvironment,
  cloudEnvironments,
  type ListenerBinding,
  type UnreadFields,
  webhookPath,
} from "../binding/index.js";

/** What a listener can be started with: anything that has a binding's input half. */
export type ReceivingBinding = ListenerBinding & UnreadFields;

/** The input half of a binding as the listener uses it: IDs in lower case, defaults filled in. */
export interface ListenedBinding {
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
 * Everything that is missing or wrong for the listener.
 *
 * @param path the listening path, where it is not the binding's own
 */
export function bindingProblems(binding: ReceivingBinding, path?: string): BindingProblem[] {
  const given: Partial<ListenerBinding> = listeningOn(path, binding);
  const problems = checked.flatMap((field): BindingProblem[] => {
    const value = given[field];
    if (value !== undefined) return [fieldProblem(field, value) ?? []].flat();
    if (!required.has(field)) return [];
    return [{ field, rule: "required", message: `${field} is required to receive events` }];
  });
  if (given.path === undefined && given.subscriberEndpoint === undefined) {
    const message = "path or subscriberEndpoint is required: which path does Event Grid call?";
    problems.push({ field: "path", rule: "required", message });
  }
  const served = isAboutPath(problems) ? "/" : servedPath(given);
  if (!isServable(served)) {
    const message = `path is ${served}: a listener serves one path, without * and broken escapes`;
    problems.push({ field: "path", rule: "path", message });
  }
  return problems;
}

/** Reads what the listener needs of a binding that has no problems. */
export function listenedBinding(binding: ReceivingBinding, path?: string): ListenedBinding {
  const given = listeningOn(path, binding);
  const cloud = cloudEnvironments[given.cloudEnvironment ?? "public"];
  return {
    tenantId: given.cloudTenantId.toLowerCase(),
    clientId: given.cloudClientId.toLowerCase(),
    port: Number(given.handshakePort),
    path: servedPath(given),
    cloud,
    authorityHost: (given.cloudAuthorityHost ?? cloud.authorityHost).replace(/\/+$/, ""),
  };
}

/**
 * The path that is served, as requests for it are compared: decoded.
 *
 * @returns `undefined` where one of the binding's problems is about it
 */
export function comparedPath(
  binding: ReceivingBinding,
  path: string | undefined,
  problems: readonly BindingProblem[],
): string | undefined {
  if (isAboutPath(problems)) return undefined;
  return decodeURI(servedPath(listeningOn(path, binding)));
}

function listeningOn(path: string | undefined, binding: ListenerBinding): ListenerBinding {
  return { ...binding, ...(path !== undefined && { path }) };
}

function isAboutPath(problems: readonly BindingProblem[]): boolean {
  return problems.some(({ field }) => field === "path" || field === "subscriberEndpoint");
}

function servedPath({ path, subscriberEndpoint = "" }: Partial<ListenerBinding>): string {
  return path ?? webhookPath(subscriberEndpoint);
}

/** A star would stand for any path; and who asks for the path decodes it first. */
function isServable(path: string): boolean {
  try {
    return !decodeURI(path).includes("*");
  } catch {
    return false;
  }
}
