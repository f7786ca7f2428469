import {
  type AuthorizationHeader,
  CredentialError,
  credentialFailed,
  isSecret,
  type Secret,
  type TopicCredentials,
} from "./credentials.js";
import type { SingleFlight } from "./single-flight.js";

/** A secret that its owner may replace at any time, such as that of an `AzureKeyCredential`. */
interface LiveSecret {
  current(): string;
}

/** Authenticates with a secret in a header of Event Grid's. */
export class SecretCredentials implements TopicCredentials {
  readonly name: string;
  readonly #headerName: string;
  readonly #secret: Secret | LiveSecret;
  readonly #flight: SingleFlight<string>;
  #header: AuthorizationHeader | undefined;

  /** @param option the option that the secret comes from, for messages */
  constructor(
    headerName: string,
    option: string,
    secret: Secret | LiveSecret,
    flight: SingleFlight<string>,
  ) {
    this.name = `the ${option} function`;
    this.#headerName = headerName;
    this.#secret = secret;
    this.#flight = flight;
    if (typeof secret === "string") this.#header = this.#headerOf(secret);
  }

  header(): AuthorizationHeader | Promise<AuthorizationHeader> {
    const secret = this.#secret;
    if (typeof secret === "object") return this.#headerOf(secret.current());
    return this.#header ?? this.#obtain();
  }

  async renew(refused: AuthorizationHeader): Promise<boolean> {
    const secret = this.#secret;
    if (typeof secret === "string") return false;
    if (typeof secret === "object") return secret.current() !== refused.value;
    // Another request may have been refused earlier, and renewed it.
    if (this.#header !== undefined && this.#header.value !== refused.value) return true;
    const { value } = await this.#obtain();
    return value !== refused.value;
  }

  async #obtain(): Promise<AuthorizationHeader> {
    const secret = await this.#flight.run(
      () => this.#call(),
      (kept) => {
        this.#header = this.#headerOf(kept);
      },
    );
    return this.#headerOf(secret);
  }

  async #call(): Promise<string> {
    let secret: unknown;
    try {
      if (typeof this.#secret === "function") secret = await this.#secret();
    } catch (cause) {
      throw credentialFailed(this.name, cause);
    }
    if (isSecret(secret)) return secret;
    throw new CredentialError(
      `${this.name} returned no secret: empty, not a string, or with white space in it`,
    );
  }

  #headerOf(secret: string): AuthorizationHeader {
    return { name: this.#headerName, value: secret };
  }
}
