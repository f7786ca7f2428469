import { createPublicKey, type KeyObject } from "node:crypto";
import { isLoopback } from "../../binding/index.js";
import { withRemedy } from "../../network.js";
import { type Clock, withTimeout } from "../../time.js";
import type { Fetch } from "../../transport/index.js";
import { KIB } from "../../units.js";
import { isObject } from "../../validation/index.js";

interface IssuerDocument {
  readonly issuer: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

interface IssuerRequest {
  readonly metadataUrl: string;
  readonly tenantId: string;
  readonly fetch: Fetch;
  /** Timeout of each of the two documents. */
  readonly timeoutMs: number;
  readonly timer: Clock;
  readonly signal: AbortSignal;
}

/** Why an issuer's keys could not be fetched. Log its message; its stack adds nothing. */
export class IssuerError extends Error {}

/**
 * Fetches an issuer's OpenID metadata and the keys it points to.
 *
 * @throws {IssuerError} when either cannot be fetched or is not valid
 */
export async function fetchIssuerDocument(request: IssuerRequest): Promise<IssuerDocument> {
  const { metadataUrl, tenantId } = request;
  const metadata = await fetchJson(metadataUrl, request, tenantId);
  const { issuer, jwks_uri: keysUrl } = metadata;
  if (typeof issuer !== "string" || !issuer.toLowerCase().includes(tenantId)) {
    throw new IssuerError(`${metadataUrl} does not name an issuer of tenant ${tenantId}`);
  }
  if (typeof keysUrl !== "string" || !isTrustworthy(keysUrl, metadataUrl)) {
    throw new IssuerError(`${metadataUrl} has no https jwks_uri`);
  }
  const { keys: published } = await fetchJson(keysUrl, request);
  const keys = new Map<string, KeyObject>();
  for (const key of Array.isArray(published) ? published : []) {
    const read = readKey(key, tenantId);
    if (read !== undefined) keys.set(read.id, read.key);
  }
  if (keys.size === 0) throw new IssuerError(`${keysUrl} has no usable signing key`);
  return { issuer, keys };
}

/** Keys come over https; over http only from the machine that also served the metadata. */
function isTrustworthy(keysUrl: string, metadataUrl: string): boolean {
  if (!URL.canParse(keysUrl)) return false;
  const url = new URL(keysUrl);
  return url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(metadataUrl)));
}

const MIN_MODULUS_BITS = 2048;

function readKey(jwk: unknown, tenantId: string): { id: string; key: KeyObject } | undefined {
  if (!isObject(jwk)) return undefined;
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

/** Entra lists keys that sign for every tenant next to keys that sign for a single one. */
function isOfOtherTenant(issuer: string, tenantId: string): boolean {
  const text = issuer.toLowerCase();
  return !text.includes("{tenantid}") && !text.includes(tenantId);
}

/** @param tenantId set when a 400 or 404 of this URL means that the tenant does not exist */
async function fetchJson(
  url: string,
  { fetch, signal, timeoutMs, timer }: IssuerRequest,
  tenantId?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await withTimeout(
    timeoutMs,
    (overdue) => fetchText(url, fetch, AbortSignal.any([signal, overdue]), tenantId),
    timer,
  ).catch((error: unknown) => {
    throw readableFailure(url, error) ?? error;
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, without the parser's message, which quotes the response.
  }
  throw new IssuerError(`${url} did not answer with a JSON object`);
}

/** The reason of a network failure is the cause of the error that `fetch` throws. */
function readableFailure(url: string, error: unknown): IssuerError | undefined {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new IssuerError(`${url} could not be fetched: ${error.message}`);
  }
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined;
  const { cause, message } = error;
  // After several addresses failed, the cause has a code but no message.
  const code = "code" in cause ? String(cause.code) : message;
  const reason = withRemedy(cause.message || code, code);
  return new IssuerError(`${url} could not be fetched: ${reason}`);
}

const MAX_DOCUMENT_BYTES = 512 * KIB;

async function fetchText(
  url: string,
  fetch: Fetch,
  signal: AbortSignal,
  tenantId?: string,
): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    // Entra answers 400 (AADSTS90002) for an unknown tenant, and 404 for an unknown path.
    if (tenantId !== undefined && (response.status === 400 || response.status === 404)) {
      throw new IssuerError(
        `${new URL(url).host} has no tenant ${tenantId} (${url} answered ${response.status}): check cloudTenantId and cloudEnvironment`,
      );
    }
    throw new IssuerError(`${url} answered ${response.status}`);
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_DOCUMENT_BYTES)
      throw new IssuerError(`the response of ${url} is too large`);
  }
  return text;
}
