import { constants, type KeyObject, verify } from "node:crypto";
import { isJsonObject } from "../events/json-object.js";
import { Denial } from "./denial.js";

/** A JSON Web Token taken apart, its signature not yet looked at. */
export interface DecodedToken {
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signedText: string;
  readonly signature: Buffer;
}

/**
 * Takes a token apart. Of its header only `alg` and `kid` are heeded, and `alg` must be RS256: keys
 * that a token brings along or points to (`jwk`, `jku`, `x5c`, `x5u`) are never looked at.
 */
export function decodeToken(token: string): DecodedToken | Denial {
  const parts = compact.exec(token);
  if (parts === null) return malformed;
  const [, head = "", body = "", signed = ""] = parts;
  const header = jsonObject(head);
  if (header === undefined) return malformed;
  if (header.alg !== "RS256") return otherAlgorithm;
  // Extensions that must be understood, of which we understand none (RFC 7515, 4.1.11).
  if (header.crit !== undefined) return malformed;
  const keyId = header.kid;
  if (typeof keyId !== "string" || keyId === "" || keyId.length > 256) return noKeyId;
  const claims = jsonObject(body);
  const signature = Buffer.from(signed, "base64url");
  if (claims === undefined || signature.toString("base64url") !== signed) return malformed;
  return { keyId, claims, signedText: token.slice(0, head.length + 1 + body.length), signature };
}

/**
 * Whether the token was signed with the key.
 *
 * Synchronous on purpose: a verification takes some 35 µs, less than a round trip to the pool of
 * threads costs, and cannot pile up work there.
 */
export function isSignedBy(key: KeyObject, token: DecodedToken): boolean {
  return verify(
    "RSA-SHA256",
    Buffer.from(token.signedText, "latin1"),
    { key, padding: constants.RSA_PKCS1_PADDING },
    token.signature,
  );
}

const compact = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const malformed = new Denial(401, "malformed", "the token is no signed JSON Web Token");
const otherAlgorithm = new Denial(401, "algorithm", "the token's algorithm is not RS256");
const noKeyId = new Denial(401, "malformed", "the token does not name its key");

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function jsonObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(base64url, "base64url")));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
