import { createHmac, randomBytes } from "node:crypto";
import { invalidRequest } from "../base/index.js";
import type { Claims } from "../entra/index.js";
import { isEqualText } from "../http/index.js";
import type { ServerNames } from "../network/index.js";

export type AccessKeyName = "key1" | "key2";

/** The two keys of a topic, domain or namespace. */
export interface AccessKeys {
  readonly key1: string;
  readonly key2: string;
}

/** What publishers and receivers can sign in to with one of two keys. */
export class KeyOwner {
  #keys: AccessKeys;

  constructor(keys: AccessKeys) {
    this.#keys = keys;
  }

  /** The first of the two keys. Those of a namespace are valid for all its topics. */
  get accessKey(): string {
    return this.#keys.key1;
  }

  keys(): AccessKeys {
    return this.#keys;
  }

  /**
   * Replaces a key; the old one is no longer valid.
   *
   * @throws ServiceError for an unknown key name
   */
  regenerateKey(name: AccessKeyName): AccessKeys {
    this.#keys = { ...this.#keys, [accessKeyName(name)]: newAccessKey() };
    return this.#keys;
  }
}

/** Two keys, the first of which may be chosen. */
export function newAccessKeys(key1: string = newAccessKey()): AccessKeys {
  return { key1, key2: newAccessKey() };
}

/** @throws ServiceError for an unknown key name */
export function accessKeyName(name: unknown): AccessKeyName {
  if (name === "key1" || name === "key2") return name;
  throw invalidRequest(`The key name '${name}' is invalid. It must be key1 or key2.`);
}

function newAccessKey(): string {
  return randomBytes(32).toString("base64");
}

/** A shared access signature: `r=<resource>&e=<expiry>&s=<signature>`. */
export interface SasToken {
  /** The URL that the signature covers, without its query. */
  readonly resource: string;
  /** Milliseconds since 1970; NaN if it cannot be read. */
  readonly expiresAt: number;
  /** Whether one of the keys made the signature. */
  isSignedWith(keys: readonly string[]): boolean;
}

/**
 * Reads a token. The signature covers the text before `&s=`. Microsoft's .NET and Java libraries write
 * a blank in the expiry as `+`, the others as `%20`.
 */
export function readSasToken(token: string): SasToken {
  const fields = new URLSearchParams(token);
  const signed = token.split("&s=")[0] ?? "";
  // A `+` of the signature itself, if it is not encoded, has become a blank.
  const signature = (fields.get("s") ?? "").replaceAll(" ", "+");
  return {
    resource: (fields.get("r") ?? "").split("?")[0] ?? "",
    expiresAt: timeOf(fields.get("e") ?? ""),
    isSignedWith: (keys) => keys.some((key) => isEqualText(signature, hmac(signed, key))),
  };
}

/** The time in UTC unless it names a zone, as `1/31/2027 10:00:00 PM` or in ISO 8601. */
function timeOf(text: string): number {
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) return Date.parse(text);
  return Date.parse(text.includes("T") ? `${text}Z` : `${text} UTC`);
}

function hmac(text: string, key: string): string {
  return createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
}

/** Audience of the tokens with which clients call Event Grid's data plane, in any of Azure's clouds. */
export const EVENT_GRID_AUDIENCE = /^https:\/\/eventgrid\.azure\.(net|us|cn)\/?$/;

/** What the credentials of requests are checked with. */
export interface CredentialChecks {
  /** The claims of a token if the cloud's Entra signed it and it has not expired. */
  readonly verify: (token: string) => Promise<Claims | undefined>;
  /** Whether the principal with this object ID may send events to the resource. */
  readonly maySend: (principalId: string, resourceId: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The names of this server in endpoints. */
  readonly serverNames: ServerNames;
}
