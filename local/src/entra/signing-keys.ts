import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkOptions, flag, inDirectory, optionalFields } from "../base/index.js";

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

/** Next to the files of the certificate authority. */
const FILE = "signing-keys.pem";

const rotation = optionalFields({ retire: flag });

/** Generating a key is slow, so all clouds of a process begin with the same one. */
let sharedKey: Promise<SigningKey> | undefined;

/** The keys that Entra signs tokens with: the current one, and earlier ones. */
export class SigningKeys {
  #current: Promise<SigningKey> | undefined;
  #retained: SigningKey[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #write: (pem: string) => void = () => {};

  /**
   * @param directory where to store the keys, so that tokens of one start are valid at the next.
   * @default the keys are lost when the process ends
   */
  constructor(directory?: string) {
    if (directory === undefined) return;
    const file = join(directory, FILE);
    this.#write = (pem) => inDirectory(directory, () => writeFileSync(file, pem, { mode: 0o600 }));
    const [current, ...retained] = readKeys(file);
    this.#current = current ? Promise.resolve(current) : undefined;
    this.#retained = retained;
  }

  /** The key that signs tokens. */
  current(): Promise<SigningKey> {
    sharedKey ??= generate();
    this.#current ??= sharedKey.then((key) => {
      this.#store([key]);
      return key;
    });
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
    this.#store([fresh, ...this.#retained]);
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

  #store(keys: readonly SigningKey[]): void {
    const pem = keys.map(({ privateKey }) => privateKey.export({ format: "pem", type: "pkcs8" }));
    this.#write(pem.join(""));
  }

  async #all(): Promise<SigningKey[]> {
    return [await this.current(), ...this.#retained];
  }
}

async function generate(): Promise<SigningKey> {
  return withId(await promisify(generateKeyPair)("rsa", { modulusLength: 2048 }));
}

function withId(pair: Omit<SigningKey, "kid">): SigningKey {
  const der = pair.publicKey.export({ type: "spki", format: "der" });
  return { ...pair, kid: createHash("sha1").update(der).digest("base64url") };
}

/** The stored keys, the current one first; empty if there are none or the file is damaged. */
function readKeys(file: string): SigningKey[] {
  try {
    const pems = readFileSync(file, "utf8").match(/-----BEGIN[\s\S]*?-----END[^\n]*\n/g) ?? [];
    return pems.map((pem) => {
      const privateKey = createPrivateKey(pem);
      return withId({ privateKey, publicKey: createPublicKey(privateKey) });
    });
  } catch {
    return [];
  }
}
