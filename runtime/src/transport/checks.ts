import type { Dispatcher } from "undici";
import type { PublishWith } from "../binding/index.js";
import { type Problem, problem } from "../errors.js";
import { isObject, type OptionTable, objectWith, predicateRule } from "../validation/index.js";
import { type CredentialOptions, isSecret } from "./credentials.js";

const secret = predicateRule({
  name: "secret",
  requirement: "must be a string without white space, or a function that returns one",
  secret: true,
  test: (value) => typeof value === "function" || isSecret(value),
});

/** The credentials of the Azure SDK: for Entra, access keys and SAS tokens. */
const credential = predicateRule({
  name: "credential",
  requirement: "must be a TokenCredential, AzureKeyCredential or AzureSASCredential",
  secret: true,
  test: (value) =>
    isObject(value) && ["getToken", "key", "signature"].some((name) => name in value),
});

/** How to authenticate to the service. */
export const credentialOptions = {
  accessKey: {
    check: secret,
    defaultText: "the binding's",
    text: "access key, or a function that returns it",
  },
  sasToken: {
    check: secret,
    text: "shared access signature instead of a key, or a function that returns it",
  },
  credential: {
    check: credential,
    text: "credential of the Azure SDK: a `TokenCredential` for Entra, an `AzureKeyCredential` or an `AzureSASCredential`",
  },
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
  dispatcher: {
    check: objectWith("must be a dispatcher of undici", "dispatch"),
    defaultText: "its own pool",
    text: "a [dispatcher of undici 7](private-networks.md#proxies-and-certificates): another proxy or certificate, your own pool, or a mock in tests. It is not closed, and retries and timeouts still apply",
  },
} satisfies OptionTable<TransportOptions>;

/**
 * Which credentials fit the binding and each other.
 *
 * @param switchName the field of the binding that chooses between key and token
 * @param defaultSwitch its default
 */
export function serviceProblems<Switch extends "publishWith" | "receiveWith">(
  binding: { readonly [Name in Switch]?: PublishWith | undefined } & {
    readonly accessKey?: string | undefined;
  },
  options: CredentialOptions,
  switchName: Switch,
  defaultSwitch: PublishWith,
): Problem[] {
  const authenticatesWith = binding[switchName] ?? defaultSwitch;
  const names = (["accessKey", "sasToken", "credential"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const isToken = isObject(options.credential) && "getToken" in options.credential;
  const isKey = credential.test(options.credential) && !isToken;
  const problems: Problem[] = [];
  const report = (...about: Parameters<typeof problem>) => problems.push(problem(...about));

  if (names.length > 1) {
    report("credential", "unused", `is ambiguous: keep one of ${names.join(" and ")}`);
  }
  if (authenticatesWith === "entra" && (options.credential === undefined || isKey)) {
    const example = "such as new DefaultAzureCredential() of @azure/identity";
    const other = defaultSwitch === "entra" ? `; for a key, set ${switchName} to "accessKey"` : "";
    report(
      "credential",
      "required",
      `must be a TokenCredential for ${switchName} "entra", ${example}${other}`,
    );
  }
  if (authenticatesWith !== "entra" && isToken) {
    report("credential", "unused", `is a TokenCredential, which needs ${switchName}: "entra"`);
  }
  if (authenticatesWith !== "entra" && binding.accessKey === undefined && names.length === 0) {
    report("accessKey", "required", "is required, in the binding or as an option");
  }
  return problems;
}
