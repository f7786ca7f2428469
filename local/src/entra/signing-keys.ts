import { createHash, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { checkOptions } from "../check-options.js";
import { flag, object } from "../shape.js";

/** A key pair that signs tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A public key as the key documents list it: a JSON Web Key, RFC 7517. */
export interface PublishedKey {
  readonly kid: string;
  readonly x5t: string;
  readonly use: "sig";
  readonly kty?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
}

const rotation = object({}, { retire: flag });

/** Making one takes long, so every cloud of a process begins with the same one. */
let sharedKey: Promise<SigningKey> | undefined;

/** The keys that Entra signs tokens with: one in use, and those that it replaced. */
export class SigningKeys {
  #current: Promise<SigningKey> | undefined;
  #retained: SigningKey[] = [];
  readonly #listeners = new Set<() => void>();

  /** The key that signs now. */
  current(): Promise<SigningKey> {
    sharedKey ??= generate();
    this.#current ??= sharedKey;
    return this.#current;
  }

  /**
   * Signs with a fresh key from now on. Tokens that are out stay valid, since the old key is still
   * published, as it is for some days in Entra.
   *
   * @param options.retire withdraws the old keys, as after a leak: what they signed is void
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  async rotate(options: { readonly retire?: boolean } = {}): Promise<void> {
    checkOptions(rotation, options, "rotate cannot take these options");
    const old = await this.current();
    const fresh = await generate();
    this.#current = Promise.resolve(fresh);
    this.#retained = options.retire ? [] : [old, ...this.#retained];
    for (const listener of this.#listeners) listener();
  }

  /** What the key documents say, the key in use first. */
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

  /** @internal calls back after each rotation */
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
