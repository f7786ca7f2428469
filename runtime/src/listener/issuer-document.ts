import { createPublicKey, type KeyObject } from "node:crypto";
import { isLoopback } from "../binding/endpoint.js";
import { isJsonObject } from "../events/json-object.js";
import { fetchJson, IssuerError } from "./issuer-json.js";
import { withinTime } from "./patience.js";

/** What an issuer publishes about itself: its name, and the keys that it signs with. */
export interface IssuerDocument {
  readonly issuer: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

export interface IssuerRequest {
  readonly metadataUrl: string;
  readonly tenantId: string;
  readonly fetch: typeof fetch;
  /** Patience with both documents together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches an issuer's OpenID metadata and the keys it points to.
 *
 * @throws {IssuerError} when either cannot be had, or is not what it should be
 */
export async function fetchIssuerDocument(request: IssuerRequest): Promise<IssuerDocument> {
  const { metadataUrl, timeoutMs, signal } = request;
  try {
    return await withinTime(timeoutMs, (overdue) =>
      fetchDocument({ ...request, signal: AbortSignal.any([signal, overdue]) }),
    );
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "TimeoutError")) throw error;
    throw new IssuerError(`${metadataUrl}, or the keys it points to: ${error.message}`);
  }
}

async function fetchDocument(request: IssuerRequest): Promise<IssuerDocument> {
  const { metadataUrl, tenantId, fetch, signal } = request;
  const metadata = await fetchJson(metadataUrl, { fetch, signal, tenantId });
  const { issuer, jwks_uri: keysUrl } = metadata;
  if (typeof issuer !== "string" || !issuer.toLowerCase().includes(tenantId)) {
    throw new IssuerError(`${metadataUrl} names no issuer of tenant ${tenantId}`);
  }
  if (typeof keysUrl !== "string" || !isTrustworthy(keysUrl, metadataUrl)) {
    throw new IssuerError(`${metadataUrl} points to no https address of keys`);
  }
  const { keys: published } = await fetchJson(keysUrl, { fetch, signal });
  const keys = new Map<string, KeyObject>();
  for (const key of Array.isArray(published) ? published : []) {
    const read = readKey(key, tenantId);
    if (read !== undefined) keys.set(read.id, read.key);
  }
  if (keys.size === 0) throw new IssuerError(`${keysUrl} has no key that could sign a token`);
  return { issuer, keys };
}

/** Keys come over https, or over http from the same machine as the metadata did. */
function isTrustworthy(keysUrl: string, metadataUrl: string): boolean {
  if (!URL.canParse(keysUrl)) return false;
  const url = new URL(keysUrl);
  return url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(metadataUrl)));
}

const MIN_MODULUS_BITS = 2048;

function readKey(jwk: unknown, tenantId: string): { id: string; key: KeyObject } | undefined {
  if (!isJsonObject(jwk)) return undefined;
  const { kid, kty, n, e, use, alg, issuer } = jwk;
  if (kty !== "RSA" || typeof kid !== "string" || typeof n !== "string" || typeof e !== "string") {
    return undefined;
  }
  if ((use ?? "sig") !== "sig" || (alg ?? "RS256") !== "RS256") return undefined;
  if (typeof issuer === "string" && isOfOtherTenant(issuer, tenantId)) return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: "jwk" });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits >= MIN_MODULUS_BITS ? { id: kid, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Entra lists keys beside each other that sign for every tenant, or for a single one. */
function isOfOtherTenant(issuer: string, tenantId: string): boolean {
  const text = issuer.toLowerCase();
  return !text.includes("{tenantid}") && !text.includes(tenantId);
}
