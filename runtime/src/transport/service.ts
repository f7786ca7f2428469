import type { Dispatcher } from "undici";
import {
  type AuthenticationMethod,
  cloudEnvironments,
  type ServiceNamespaceTopic,
  type ServicePullBinding,
  withoutSlashesAtEnd,
} from "../binding/index.js";
import { type Problem, problem } from "../errors.js";
import { isObject, type OptionTable, objectWith, predicateRule } from "../validation/index.js";
import { type CredentialOptions, type CredentialTarget, isSecret } from "./credentials.js";

const secret = predicateRule({
  requirement: { secret: "must be a string without white space, or a function that returns one" },
  secret: true,
  test: (value) => typeof value === "function" || isSecret(value),
});

/** The credentials of the Azure SDK: for Entra, access keys and SAS tokens. */
const credential = predicateRule({
  requirement: {
    credential: "must be a TokenCredential, AzureKeyCredential or AzureSASCredential",
  },
  secret: true,
  test: (value) =>
    isObject(value) && ["getToken", "key", "signature"].some((name) => name in value),
});

/** How to authenticate to the service. */
export const credentialOptions = {
  accessKey: { check: secret },
  sasToken: { check: secret },
  credential: { check: credential },
} satisfies OptionTable<CredentialOptions>;

/** How requests reach the service. */
export interface TransportOptions {
  /**
   * A dispatcher of undici 7 that sends all requests: for a proxy or certificates that the environment
   * does not set, interceptors, a pool of your own, or a mock. It is not closed, and retries and
   * timeouts still apply.
   * @default its own pool, with the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except for the hosts of
   * `NO_PROXY` and for a topic on this machine
   */
  readonly dispatcher?: Dispatcher | undefined;
}

export const transportOptions = {
  dispatcher: { check: objectWith("must be a dispatcher of undici", "dispatch") },
} satisfies OptionTable<TransportOptions>;

/**
 * Which credentials fit the binding and each other.
 *
 * @param switchName the field of the binding that chooses between key and token
 * @param defaultSwitch its default
 */
export function serviceProblems<Switch extends "publishWith" | "receiveWith">(
  binding:
    | ({ readonly [Name in Switch]?: AuthenticationMethod | undefined } & {
        readonly accessKey?: string | undefined;
      })
    | undefined,
  options: CredentialOptions,
  switchName: Switch,
  defaultSwitch: AuthenticationMethod,
): Problem[] {
  const authenticatesWith = binding?.[switchName] ?? defaultSwitch;
  const names = (["accessKey", "sasToken", "credential"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const isToken = isObject(options.credential) && "getToken" in options.credential;
  const isKey = credential.test(options.credential) && !isToken;
  const problems: Problem[] = [];
  const report = (...about: Parameters<typeof problem>) => problems.push(problem(...about));

  if (names.length > 1) {
    report("credential", { unused: `is ambiguous: keep one of ${names.join(" and ")}` });
  }
  if (authenticatesWith === "entra" && (options.credential === undefined || isKey)) {
    const example = "such as new DefaultAzureCredential() of @azure/identity";
    const other = defaultSwitch === "entra" ? `; for a key, set ${switchName} to "accessKey"` : "";
    report("credential", {
      required: `must be a TokenCredential for ${switchName} "entra", ${example}${other}`,
    });
  }
  if (authenticatesWith !== "entra" && isToken) {
    report("credential", { unused: `is a TokenCredential, which needs ${switchName}: "entra"` });
  }
  if (authenticatesWith !== "entra" && binding?.accessKey === undefined && names.length === 0) {
    report("accessKey", { required: "is required, in the binding or as an option" });
  }
  return problems;
}

/** A topic, or the queue of an event subscription: what requests to it need. */
export interface Service extends CredentialTarget {
  /** With its path; it has no query. */
  readonly endpoint: URL;
  readonly apiVersion: string;
  /** The advice for each status of a response; Azure's own messages only point to its forums. */
  readonly advice: Readonly<Record<number, string | undefined>>;
}

/** The paths and names of a part of a namespace's topic. */
interface NamespacePart {
  readonly authenticatesWith: AuthenticationMethod;
  /** Follows the topic's URL. */
  readonly path: string;
  /** The role that an identity needs, and where. */
  readonly role: string;
  /** The fields of the binding that name it. */
  readonly fields: string;
}

/** A part of a namespace's topic as a service. */
export function namespaceService(
  binding: ServiceNamespaceTopic | ServicePullBinding,
  { authenticatesWith, path, role, fields }: NamespacePart,
): Service {
  const base = withoutSlashesAtEnd(binding.namespaceEndpoint);
  const byKey = authenticatesWith === "accessKey";
  const needsRole = `Check that the identity has the role ${role}`;
  return {
    endpoint: new URL(`${base}/topics/${binding.topicName}${path}`),
    apiVersion: "2024-06-01",
    accessKey: binding.accessKey,
    scope: cloudEnvironments[binding.cloudEnvironment].publishScope,
    secretHeaders: {
      accessKey: { name: "authorization", prefix: "SharedAccessKey " },
      sasToken: { name: "authorization", prefix: "SharedAccessSignature " },
    },
    advice: {
      401: byKey
        ? "Check that the access key or SAS token belongs to this namespace or topic and is valid."
        : `${needsRole}, and that the credential's tenant is the namespace's.`,
      403: byKey
        ? "Check the network rules of the namespace."
        : `${needsRole}, and the network rules of the namespace.`,
      404: `Check ${fields}.`,
    },
  };
}
