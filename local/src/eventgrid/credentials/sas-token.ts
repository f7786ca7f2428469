import { createHmac } from "node:crypto";
import { isEqualText } from "../../base/index.js";

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
