import { createHash, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { checkOptions, flag, optionalFields } from "../base/index.js";

/** A key pair for signing tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A public key as the key documents list it: a JSON Web Key (RFC 7517). */
export interface PublishedKey {
  readonly kid: string;
  readonly x5t: string;
  readonly use: "sig";
  readonly kty?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
}

const rotation = optionalFields({ retire: flag });

/** Generating a key is slow, so all clouds of a process start with the same key. */
let sharedKey: Promise<SigningKey> | undefined;

/** The keys that Entra signs tokens with: the current one, and earlier ones. */
export class SigningKeys {
  #current: Promise<SigningKey> | undefined;
  #retained: SigningKey[] = [];
  readonly #listeners = new Set<() => void>();

  /** The key that signs tokens. */
  current(): Promise<SigningKey> {
    sharedKey ??= generate();
    this.#current ??= sharedKey;
    return this.#current;
  }

  /**
   * Replaces the current key. Earlier tokens stay valid, because the old key is still published, as
   * Entra does for some days.
   *
   * @param options.retire no longer publishes the old keys, as after a leak: their tokens are invalid
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  async rotate(options: { readonly retire?: boolean } = {}): Promise<void> {
    checkOptions(rotation, options, "Invalid options of rotate");
    const old = await this.current();
    const fresh = await generate();
    this.#current = Promise.resolve(fresh);
    this.#retained = options.retire ? [] : [old, ...this.#retained];
    for (const listener of this.#listeners) listener();
  }

  /** The keys of the key documents, the current one first. */
  async published(): Promise<PublishedKey[]> {
    return (await this.#all()).map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: "jwk" }),
      use: "sig",
      kid,
      x5t: kid,
    }));
  }

  async byId(kid: string): Promise<SigningKey | undefined> {
    return (await this.#all()).find((key) => key.kid === kid);
  }

  /** @internal */
  onRotation(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async #all(): Promise<SigningKey[]> {
    return [await this.current(), ...this.#retained];
  }
}

async function generate(): Promise<SigningKey> {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const der = pair.publicKey.export({ type: "spki", format: "der" });
  return { ...pair, kid: createHash("sha1").update(der).digest("base64url") };
}
