import type { PublishWith } from "../binding/index.js";
import {
  isObject,
  type OptionTable,
  objectWith,
  type Problem,
  predicateRule,
  problem,
} from "../validation/index.js";
import type { TransportOptions } from "./connections.js";
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

const proxyUrl = predicateRule({
  name: "http-url",
  requirement: "must be an http or https URL, or false",
  test: (value) =>
    value === false ||
    (URL.canParse(String(value)) && /^https?:$/.test(new URL(String(value)).protocol)),
});

/** How requests reach the service. */
export const transportOptions = {
  proxy: {
    check: proxyUrl,
    defaultText: "from the environment",
    text: "URL of a proxy; `false` uses none",
  },
  tls: {
    check: objectWith("must be an object of TLS options"),
    defaultText: "Node's",
    text: "TLS options of the connection to the service, also through a proxy",
  },
  dispatcher: {
    check: objectWith("must be a dispatcher of undici", "dispatch"),
    defaultText: "its own pool",
    text: "a dispatcher of undici 7: your own pool, a mock in tests, or an agent with interceptors. It is not closed, and retries and timeouts still apply",
  },
} satisfies OptionTable<TransportOptions>;

/**
 * Which credentials fit the binding and each other, and which options of the transport do not.
 *
 * @param switchName the field of the binding that chooses between key and token
 * @param defaultSwitch its default
 */
export function serviceProblems<Switch extends "publishWith" | "receiveWith">(
  binding: { readonly [Name in Switch]?: PublishWith | undefined } & {
    readonly accessKey?: string | undefined;
  },
  options: CredentialOptions & { readonly transport?: TransportOptions | undefined },
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
  return [...problems, ...transportProblems(options.transport)];
}

function transportProblems(transport: TransportOptions | undefined): Problem[] {
  if (!isObject(transport) || transport.dispatcher === undefined) return [];
  return ["proxy", "tls"].flatMap((name) => {
    if (transport[name] === undefined) return [];
    const message = "has no effect with transport.dispatcher: configure the dispatcher";
    return [problem(`transport.${name}`, "unused", message)];
  });
}
