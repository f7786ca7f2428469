import type { AccessToken, KeyCredential, SASCredential, TokenCredential } from "@azure/core-auth";
import {
  CredentialError,
  type CredentialOptions,
  isSecret,
  type Secret,
} from "./credential-options.js";
import { KeptToken } from "./kept-token.js";
import type { PublishingBinding } from "./publishing-binding.js";

/** What the SDK's client authenticates with. */
export type SdkCredential = KeyCredential | SASCredential | TokenCredential;

/** Where keys, signatures and tokens come from. */
export interface CredentialSource {
  readonly ask: () => SdkCredential | Promise<SdkCredential>;
  /** Whether it may give another one when it is asked again. */
  readonly renewable: boolean;
}

/** What asks code that is not ours. */
export interface Asker {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs it, and knows how long it has not answered. */
  readonly asking: <T>(name: string, ask: () => T | Promise<T>) => Promise<T>;
}

/** Reads options that are known to fit. */
export function credentialSource(
  binding: PublishingBinding,
  { accessKey = binding.accessKey ?? "", sasToken, credential }: CredentialOptions,
  asker: Asker,
): CredentialSource {
  if (credential !== undefined) {
    const { publishScope } = binding.cloud;
    return { ask: () => inCloud(credential, publishScope, asker), renewable: true };
  }
  return sasToken !== undefined
    ? secretSource(sasToken, "sasToken", asker, (signature) => ({ signature }))
    : secretSource(accessKey, "accessKey", asker, (key) => ({ key }));
}

function secretSource(
  secret: Secret,
  name: string,
  { asking }: Asker,
  credential: (secret: string) => SdkCredential,
): CredentialSource {
  if (typeof secret === "string") return { ask: () => credential(secret), renewable: false };
  const ask = async () => {
    let value: string;
    try {
      value = await asking(`the ${name} function`, secret);
    } catch (cause) {
      throw new CredentialError(`the ${name} function failed${reason(cause)}`, { cause });
    }
    if (isSecret(value)) return credential(value);
    throw new CredentialError(
      `the ${name} function gave no secret: empty, not a string, or with white space in it`,
    );
  };
  return { ask, renewable: true };
}

/** The SDK asks for tokens of the public cloud, whichever cloud the topic is in. */
function inCloud(
  credential: TokenCredential,
  scope: string,
  { asking, now }: Asker,
): TokenCredential {
  const kept = new KeptToken(async (options) => {
    let token: AccessToken | null;
    try {
      token = await credential.getToken(scope, options);
    } catch (cause) {
      throw new CredentialError(`no token for ${scope} could be had${reason(cause)}`, { cause });
    }
    if (token === null) throw new CredentialError(`the credential has no token for ${scope}`);
    return token;
  }, now);
  return {
    async getToken(_scopes, options) {
      const token = kept.get(options);
      const known = token instanceof Promise ? await asking("the credential", () => token) : token;
      // The SDK's client shall ask here, each time, instead of keeping it.
      return { ...known, expiresOnTimestamp: 0 };
    },
  };
}

/** What was thrown, by name or code only: its words may hold the secret that was asked for. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return ": the cause says why";
  const { name } = cause;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const told = isCode.test(code) ? code : isClassName.test(name) ? name : "";
  return told === "" ? ": the cause says why" : `, with ${told}: the cause says more`;
}

const isCode = /^[A-Z][A-Z0-9_]{1,49}$/;
const isClassName = /^[A-Z][a-zA-Z]{1,43}Error$/;
