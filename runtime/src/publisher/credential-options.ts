import type { TokenCredential } from "@azure/core-auth";
import { CloudEventGridError } from "../errors.js";
import { PublisherConfigurationError } from "./configuration-error.js";
import type { PublishingBinding } from "./publishing-binding.js";

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

/** @throws {PublisherConfigurationError} when there is nothing, or more than one thing */
export function checkChoice(binding: PublishingBinding, options: CredentialOptions): void {
  const { accessKey, sasToken, credential } = options;
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
  for (const [name, value] of Object.entries({ accessKey, sasToken })) {
    if (typeof value === "string" && !isSecret(value)) {
      problems.push(`${name} is empty or has white space in it (its value is not shown)`);
    } else if (!["string", "function", "undefined"].includes(typeof value)) {
      problems.push(`${name} must be a string, or a function that gives one`);
    }
  }
  if (credential !== undefined && typeof credential?.getToken !== "function") {
    problems.push("credential must be a TokenCredential, which has a function getToken");
  }
  if (problems.length > 0) throw new PublisherConfigurationError(problems);
}

export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}
