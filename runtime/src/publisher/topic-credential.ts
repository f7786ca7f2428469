import type { KeyCredential, SASCredential, TokenCredential } from "@azure/core-auth";
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

/** What the SDK's client authenticates with. */
export type SdkCredential = KeyCredential | SASCredential | TokenCredential;

/** The key, signature or token could not be had. */
export class CredentialError extends CloudEventGridError {
  readonly code = "ERR_PUBLISH_CREDENTIAL";
}

/** What the publisher authenticates with: asked for once, and anew when it was refused. */
export class TopicCredential {
  readonly #ask: () => SdkCredential | Promise<SdkCredential>;
  readonly #renewable: boolean;
  #current: SdkCredential | undefined;
  #asking: Promise<SdkCredential> | undefined;

  /** @throws {PublisherConfigurationError} when there is nothing, or more than one thing */
  constructor(binding: PublishingBinding, options: CredentialOptions) {
    const { accessKey = binding.accessKey, sasToken, credential } = options;
    const problems = choiceProblems(binding, options);
    if (problems.length > 0) throw new PublisherConfigurationError(problems);
    if (credential !== undefined) {
      this.#ask = () => inCloud(credential, binding.cloud.publishScope);
      this.#renewable = true;
    } else if (sasToken !== undefined) {
      this.#ask = asked(sasToken, "sasToken", (signature) => ({ signature }));
      this.#renewable = typeof sasToken === "function";
    } else {
      this.#ask = asked(accessKey ?? "", "accessKey", (key) => ({ key }));
      this.#renewable = typeof accessKey === "function";
    }
  }

  /** @throws {CredentialError} when it cannot be had */
  get(): SdkCredential | Promise<SdkCredential> {
    return this.#current ?? this.#renewed();
  }

  /**
   * Another one, after the topic refused this one; the same when there is no other.
   *
   * @throws {CredentialError} when it cannot be had
   */
  async renew(refused: SdkCredential): Promise<SdkCredential> {
    if (!this.#renewable) return refused;
    // Another request may have been refused before, and the answer been heard.
    if (this.#current !== undefined && this.#current !== refused) return this.#current;
    const fresh = await this.#renewed();
    return isSame(fresh, refused) ? refused : fresh;
  }

  #renewed(): SdkCredential | Promise<SdkCredential> {
    if (this.#asking !== undefined) return this.#asking;
    const answer = this.#ask();
    if (!(answer instanceof Promise)) {
      this.#current = answer;
      return answer;
    }
    this.#asking = answer
      .then((credential) => {
        this.#current = credential;
        return credential;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

function choiceProblems(binding: PublishingBinding, options: CredentialOptions): string[] {
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
    }
  }
  return problems;
}

function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}

function asked(
  secret: Secret,
  name: string,
  credential: (secret: string) => SdkCredential,
): () => SdkCredential | Promise<SdkCredential> {
  if (typeof secret === "string") return () => credential(secret);
  return async () => {
    let value: string;
    try {
      value = await secret();
    } catch (cause) {
      throw new CredentialError(`the ${name} function failed`, { cause });
    }
    if (isSecret(value)) return credential(value);
    throw new CredentialError(
      `the ${name} function gave no secret: empty, not a string, or with white space in it`,
    );
  };
}

/** The SDK asks for tokens of the public cloud, whichever cloud the topic is in. */
function inCloud(credential: TokenCredential, scope: string): TokenCredential {
  return {
    async getToken(_scopes, options) {
      let token: Awaited<ReturnType<TokenCredential["getToken"]>>;
      try {
        token = await credential.getToken(scope, options);
      } catch (cause) {
        throw new CredentialError(`no token for ${scope} could be had`, { cause });
      }
      if (token === null) throw new CredentialError(`the credential has no token for ${scope}`);
      return token;
    },
  };
}

function isSame(one: SdkCredential, other: SdkCredential): boolean {
  if ("key" in one && "key" in other) return one.key === other.key;
  if ("signature" in one && "signature" in other) return one.signature === other.signature;
  return false;
}
