import { isJsonObject } from "../events/json-object.js";

/** Why an issuer's keys cannot be had: its message says all of it, where it was thrown says nothing. */
export class IssuerError extends Error {}

/** How a document of an issuer is asked for. */
export interface DocumentRequest {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Given where the issuer says by its status that it does not know the tenant. */
  readonly tenantId?: string;
}

/**
 * Fetches a JSON object of an issuer.
 *
 * @throws {IssuerError} when it cannot be had
 */
export async function fetchJson(
  url: string,
  request: DocumentRequest,
): Promise<Record<string, unknown>> {
  const text = await fetchText(url, request);
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // What stands there instead is of no interest.
  }
  throw new IssuerError(`${url} answered with no JSON object`);
}

async function fetchText(url: string, request: DocumentRequest): Promise<string> {
  try {
    return await readText(url, request);
  } catch (error) {
    throw networkError(url, error) ?? error;
  }
}

/** Where the network fails, what `fetch` throws has the reason as its cause. */
function networkError(url: string, error: unknown): IssuerError | undefined {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined;
  const { cause, message } = error;
  // Where several addresses were tried in vain, the cause has a code only.
  const code = "code" in cause ? String(cause.code) : message;
  return new IssuerError(`${url} could not be fetched: ${cause.message || code}`);
}

const MAX_DOCUMENT_BYTES = 512 * 1024;

async function readText(
  url: string,
  { fetch, signal, tenantId }: DocumentRequest,
): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    // Entra answers 400 (AADSTS90002); a path that it does not know, 404.
    if (tenantId !== undefined && (response.status === 400 || response.status === 404)) {
      throw new IssuerError(
        `${new URL(url).host} knows no tenant ${tenantId} (${url} answered ${response.status}): check cloudTenantId, and cloudEnvironment`,
      );
    }
    throw new IssuerError(`${url} answered ${response.status}`);
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_DOCUMENT_BYTES) throw new IssuerError(`${url} answered with too much`);
  }
  return text;
}
