import type { TokenCredential } from "@azure/core-auth";
import type { PublisherBinding } from "../binding/index.js";
import { CloudEventGridError } from "../errors.js";
import { type Rule, withMethods } from "../setting-rules.js";

/**
 * A secret, or how to ask for it. A function is asked before the first request, and again when the
 * topic refuses what it gave: that is how a rotated key comes in.
 */
export type Secret = string | (() => string | Promise<string>);

/** How to authenticate to the topic; at most one of them, and none where the binding has its key. */
export interface CredentialOptions {
  /** The topic's access key, instead of the binding's. */
  readonly accessKey?: Secret;
  /** A shared access signature (`r=…&e=…&s=…`), instead of the access key. */
  readonly sasToken?: Secret;
  /** Where Entra tokens come from, for a binding with `publishWith: "entra"`. */
  readonly credential?: TokenCredential;
}

/** The key, signature or token could not be had. */
export class CredentialError extends CloudEventGridError {
  readonly code = "ERR_PUBLISH_CREDENTIAL";
}

/** What is wrong with the choice among them, beside what the binding has. */
export function choiceProblems(
  binding: Pick<PublisherBinding, "accessKey" | "publishWith">,
  { accessKey, sasToken, credential }: CredentialOptions,
): string[] {
  const given = Object.entries({ accessKey, sasToken, credential })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const problems: string[] = [];
  if (given.length > 1) problems.push(`${given.join(" and ")} are given: keep one of them`);
  if (binding.publishWith === "entra") {
    if (credential === undefined) {
      problems.push(
        'publishWith is "entra": give a credential, such as new DefaultAzureCredential() of @azure/identity',
      );
    }
  } else if (credential !== undefined) {
    problems.push('a credential is given, but the binding does not say publishWith: "entra"');
  } else if (binding.accessKey === undefined && given.length === 0) {
    problems.push("the topic's accessKey is missing: in the binding, or as an option");
  }
  return problems;
}

/** How each must look by itself. What is wrong is not shown: it may be a secret. */
export const credentialRules: Readonly<Record<keyof CredentialOptions, Rule>> = {
  accessKey: secret,
  sasToken: secret,
  credential: (name, value) =>
    givesTokens(name, value).length === 0
      ? []
      : [`${name} must be a TokenCredential, which has a function getToken`],
};

const givesTokens = withMethods("", "getToken");

function secret(name: string, value: unknown): string[] {
  if (typeof value === "function" || isSecret(value)) return [];
  return typeof value === "string"
    ? [`${name} is empty or has white space in it (its value is not shown)`]
    : [`${name} must be a string, or a function that gives one`];
}

export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}
