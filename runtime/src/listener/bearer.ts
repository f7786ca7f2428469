import type { IncomingMessage } from "node:http";
import { Denial } from "./denial.js";

/** Takes the bearer token from a request; there must be exactly one `Authorization` header. */
export function bearerToken(request: IncomingMessage, maxLength: number): string | Denial {
  const { authorization } = request.headers;
  if (authorization === undefined) return noToken;
  // Of several, Node keeps the first without a word: another reader in the chain may keep the last.
  if (countOf("authorization", request.rawHeaders) > 1) return repeated;
  if (authorization.length > maxLength + bearer.length) {
    return new Denial(401, "too-long", `the token is longer than ${maxLength} characters`);
  }
  if (authorization.slice(0, bearer.length).toLowerCase() !== bearer) return otherScheme;
  return authorization.slice(bearer.length);
}

const bearer = "bearer ";
const noToken = new Denial(401, "no-token", "there is no Authorization header");
const repeated = new Denial(401, "repeated-header", "there are several Authorization headers");
const otherScheme = new Denial(401, "scheme", "the Authorization header is not of scheme Bearer");

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}
