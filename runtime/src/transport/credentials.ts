import type { KeyCredential, SASCredential, TokenCredential } from "@azure/core-auth";
import { CloudEventGridError } from "../errors.js";

/**
 * A secret, or a function that returns it. The function is called before the first request, and again
 * when the topic refuses the secret, so a rotated key takes effect without a restart.
 */
export type Secret = string | (() => string | Promise<string>);

/** How to authenticate to the topic: at most one of these, none if the binding has an `accessKey`. */
export interface CredentialOptions {
  /** The topic's access key, instead of the binding's. */
  readonly accessKey?: Secret | undefined;
  /** A shared access signature (`r=…&e=…&s=…`), instead of the access key. */
  readonly sasToken?: Secret | undefined;
  /**
   * A credential of the Azure SDK. For a binding with `publishWith: "entra"` any `TokenCredential`,
   * such as those of `@azure/identity`; otherwise an `AzureKeyCredential` or `AzureSASCredential`.
   */
  readonly credential?: TokenCredential | KeyCredential | SASCredential | undefined;
}

/** A header that authenticates a request. */
export interface AuthorizationHeader {
  readonly name: string;
  readonly value: string;
}

/** Authenticates requests to a topic. */
export interface Credentials {
  /** The origin of the header, for messages: "the accessKey function". */
  readonly name: string;
  /**
   * The header for the next request.
   *
   * @throws {CredentialError} when it is not available
   */
  header(): Promise<AuthorizationHeader>;
  /**
   * Looks for another header after the topic refused one with 401.
   *
   * @param challenge the response's `WWW-Authenticate`
   * @returns whether {@link header} now returns another one
   * @throws {CredentialError} when it is not available
   */
  renew(refused: AuthorizationHeader, challenge?: string): Promise<boolean>;
}

/** Whether a string can be sent as a secret in a header. */
export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}

/** The key, signature or token is not available. */
export class CredentialError extends CloudEventGridError {
  readonly code = "ERR_CREDENTIAL";
}

/**
 * The error for a failed function or credential of the user. The message contains the error's name
 * or code only: its text may contain the secret.
 */
export function credentialFailed(subject: string, cause: unknown): CredentialError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const name = cause instanceof Error ? cause.name : "";
  const shown = /^[A-Z][A-Z0-9_]{1,49}$/.test(code) ? code : /^[A-Z]\w{1,43}Error$/.exec(name)?.[0];
  const what = shown === undefined ? "" : ` with ${shown}`;
  return new CredentialError(`${subject} failed${what}; see the cause`, { cause });
}
