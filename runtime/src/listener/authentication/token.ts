import { constants, hash, type KeyObject, verify } from "node:crypto";
import type { VerifiedCaller } from "../../handling/index.js";
import { groupsOf } from "../../text.js";
import { isObject } from "../../validation/index.js";
import type { Exchange } from "../exchange.js";
import { Denial } from "./denials.js";

/** Version of an Entra access token; v1 and v2 name the caller in different claims. */
export type TokenVersion = "v1" | "v2";

/** Takes the bearer token from a request, which must have exactly one `Authorization` header. */
export function bearerToken(request: Pick<Exchange, "headers" | "rawHeaders">): string | Denial {
  const { authorization } = request.headers;
  if (authorization === undefined) return noToken;
  // Of several headers Node keeps the first, but a proxy in front may have checked the last.
  if (countOf("authorization", request.rawHeaders) > 1) return repeatedHeader;
  if (authorization.length > MAX_TOKEN_LENGTH + bearer.length) return tooLong;
  if (authorization.slice(0, bearer.length).toLowerCase() !== bearer) return otherScheme;
  return authorization.slice(bearer.length);
}

/** A JSON Web Token taken apart; its signature has not been checked. */
export interface DecodedToken {
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signedText: string;
  readonly signature: Buffer;
}

/**
 * Decodes a token. Of its header only `alg` and `kid` are read, and `alg` must be RS256. Keys that a
 * token carries or points to (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
 */
export function decodeToken(token: string): DecodedToken | Denial {
  const [head, body, signed] = groupsOf(compact, token);
  if (head === "") return malformed;
  const header = jsonObject(head);
  if (header === undefined) return malformed;
  if (header.alg !== "RS256") return otherAlgorithm;
  // Extensions that must be understood; none is supported (RFC 7515, 4.1.11).
  if (header.crit !== undefined) return malformed;
  const keyId = header.kid;
  if (typeof keyId !== "string" || keyId === "" || keyId.length > 256) return noKeyId;
  const claims = jsonObject(body);
  const signature = Buffer.from(signed, "base64url");
  if (claims === undefined || signature.toString("base64url") !== signed) return malformed;
  return { keyId, claims, signedText: token.slice(0, head.length + 1 + body.length), signature };
}

/**
 * Reports whether the token was signed with the key.
 *
 * Synchronous on purpose: verifying takes about 35 µs, less than a round trip to the thread pool,
 * and cannot fill the pool's queue.
 */
export function isSignedBy(key: KeyObject, token: DecodedToken): boolean {
  return verify(
    "RSA-SHA256",
    Buffer.from(token.signedText, "latin1"),
    { key, padding: constants.RSA_PKCS1_PADDING },
    token.signature,
  );
}

/** A token of Entra with a few claims has 1,500 characters, one with 200 groups 8,000. */
const MAX_TOKEN_LENGTH = 8192;
const bearer = "bearer ";
const tooLong = new Denial(
  401,
  "too-long",
  `the token is longer than ${MAX_TOKEN_LENGTH} characters`,
);
const noToken = new Denial(401, "no-token", "the Authorization header is missing");
const repeatedHeader = new Denial(
  401,
  "repeated-header",
  "there are several Authorization headers",
);
const otherScheme = new Denial(401, "scheme", "the Authorization scheme is not Bearer");
const compact = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const malformed = new Denial(401, "malformed", "the token is not a signed JSON Web Token");
const otherAlgorithm = new Denial(401, "algorithm", "the token's algorithm is not RS256");
const noKeyId = new Denial(401, "malformed", "the token does not name its key");

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function jsonObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(base64url, "base64url")));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}

const MAX_TOKENS = 1_000;

interface VerifiedToken {
  readonly caller: VerifiedCaller;
  readonly expiresAtMs: number;
}

/**
 * Remembers verified tokens: Event Grid sends the same one with every delivery for an hour or more.
 *
 * A token is forgotten when it expires. Tokens that failed are never remembered, so an anonymous
 * caller cannot fill the cache. Tokens are looked up by hash, except the last one: comparing it
 * costs a hundredth of hashing it. That the comparison stops at the first difference reveals
 * nothing useful about a signature of 342 characters.
 */
export class TokenCache {
  readonly #tokens = new Map<string, VerifiedToken>();
  #last: (VerifiedToken & { readonly token: string }) | undefined;

  get(token: string, now: number): VerifiedCaller | undefined {
    if (token === this.#last?.token && now < this.#last.expiresAtMs) return this.#last.caller;
    const key = hash("sha256", token, "base64");
    const verified = this.#tokens.get(key);
    if (verified === undefined) return undefined;
    if (now < verified.expiresAtMs) {
      this.#last = { ...verified, token };
      return verified.caller;
    }
    this.#tokens.delete(key);
    return undefined;
  }

  add(token: string, caller: VerifiedCaller, expiresAtMs: number): void {
    if (this.#tokens.size >= MAX_TOKENS) {
      const [oldest] = this.#tokens.keys();
      if (oldest !== undefined) this.#tokens.delete(oldest);
    }
    this.#tokens.set(hash("sha256", token, "base64"), { caller, expiresAtMs });
  }

  /** Forgets all tokens. Call it when keys were fetched: a token is only as good as the key that signed it. */
  clear(): void {
    this.#tokens.clear();
    this.#last = undefined;
  }
}
