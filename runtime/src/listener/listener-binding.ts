import { fieldProblem } from "../binding/field-rules.js";
import {
  BindingConfigurationError,
  type BindingProblem,
  type CloudEnvironment,
  cloudEnvironments,
  type InputBindingProps,
  type InputOutputBindingProps,
  type ListenerBinding,
  webhookPath,
} from "../binding/index.js";

/** What a listener can be started with: anything that has a binding's input half. */
export type ReceivingBinding = ListenerBinding | InputBindingProps | InputOutputBindingProps;

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
 * Reads what the listener needs.
 *
 * @param path the listening path, where it is not the binding's own
 * @throws {BindingConfigurationError} with everything that is missing or wrong
 */
export function listenedBinding(binding: ReceivingBinding, path?: string): ListenedBinding {
  const given: ListenerBinding = { ...binding, ...(path !== undefined && { path }) };
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
  if (problems.length > 0) throw new BindingConfigurationError(problems);
  const servedPath = given.path ?? webhookPath(given.subscriberEndpoint ?? "");
  if (!isServable(servedPath)) {
    const message = `path is ${servedPath}: a listener serves one path, without * and broken escapes`;
    throw new BindingConfigurationError([{ field: "path", rule: "path", message }]);
  }

  const cloud = cloudEnvironments[given.cloudEnvironment ?? "public"];
  return {
    tenantId: given.cloudTenantId.toLowerCase(),
    clientId: given.cloudClientId.toLowerCase(),
    port: Number(given.handshakePort),
    path: servedPath,
    cloud,
    authorityHost: (given.cloudAuthorityHost ?? cloud.authorityHost).replace(/\/+$/, ""),
  };
}

/** A star would stand for any path; and who asks for the path decodes it first. */
function isServable(path: string): boolean {
  try {
    return !decodeURI(path).includes("*");
  } catch {
    return false;
  }
}
