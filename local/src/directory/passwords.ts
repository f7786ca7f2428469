import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "../base/index.js";

/** A client secret as Graph shows it, without the secret itself. */
export interface PasswordCredential {
  readonly keyId: string;
  readonly displayName: string | null;
  /** The first characters of the secret, to recognise it by. */
  readonly hint: string;
  readonly startDateTime: string;
  readonly endDateTime: string;
}

export interface NewPassword {
  readonly displayName?: string | undefined;
  /** @default 40 random characters */
  readonly secret?: string | undefined;
  readonly startDateTime?: string | undefined;
  /** @default two years after the start, as in Entra */
  readonly endDateTime?: string | undefined;
}

/** A client secret as it is stored. */
export interface PasswordSnapshot {
  readonly credential: PasswordCredential;
  /** SHA-256 of the secret, in Base64. */
  readonly digest: string;
}

export type SecretCheck = "valid" | "wrong" | "expired";

const TWO_YEARS = 2 * 365 * DAY_MS;

/** The client secrets of one application, stored as digests. */
export class Passwords {
  #all: readonly PasswordSnapshot[];

  constructor(
    private readonly now: () => number,
    stored: readonly PasswordSnapshot[] = [],
  ) {
    this.#all = stored;
  }

  /** Adds a secret and returns its text, which cannot be read later. */
  add(password: NewPassword = {}): { credential: PasswordCredential; secretText: string } {
    const secretText = password.secret ?? randomBytes(30).toString("base64url");
    const start = password.startDateTime ?? new Date(this.now()).toISOString();
    const credential = {
      keyId: randomUUID(),
      displayName: password.displayName ?? null,
      hint: secretText.slice(0, 3),
      startDateTime: start,
      endDateTime: password.endDateTime ?? new Date(Date.parse(start) + TWO_YEARS).toISOString(),
    };
    const digest = digestOf(secretText).toString("base64");
    this.#all = [...this.#all, { credential, digest }];
    return { credential, secretText };
  }

  /** `false` if there is no such secret. */
  remove(keyId: string): boolean {
    const before = this.#all;
    this.#all = before.filter(({ credential }) => credential.keyId !== keyId);
    return this.#all.length < before.length;
  }

  list(): PasswordCredential[] {
    return this.#all.map(({ credential }) => credential);
  }

  /** @internal */
  snapshot(): readonly PasswordSnapshot[] {
    return this.#all;
  }

  check(secret: string): SecretCheck {
    const digest = digestOf(secret);
    const matching = this.#all.filter((each) =>
      timingSafeEqual(Buffer.from(each.digest, "base64"), digest),
    );
    if (matching.length === 0) return "wrong";
    const valid = matching.some(
      ({ credential }) => Date.parse(credential.endDateTime) > this.now(),
    );
    return valid ? "valid" : "expired";
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
