import {
  backoffMs,
  CredentialError,
  connectionFailure,
  type HttpResponse,
  MAX_RETRY_AFTER_MS,
  readRefusal,
  type Stage,
  sentences,
  viaProxy,
} from "../../transport/index.js";
import type { ReceiverContext } from "../context.js";
import type { Queue } from "../settings/index.js";

export class RequestFailure {
  constructor(
    /** For people: the request, the reason and what to do. */
    readonly message: string,
    /** Tells failures of different causes apart: `404 NotFound`, `no response`. */
    readonly kind: string,
    /** How long the namespace asks to wait. */
    readonly retryAfterMs = 0,
  ) {}
}

// A `request` is its method and URL, as messages show it.

export function refusal(
  response: HttpResponse,
  request: string,
  { receiveWith }: Queue,
  proxy: string | undefined,
): RequestFailure {
  const { status } = response;
  const { text, serviceCode = "", retryAfterMs } = readRefusal(response, Date.now());
  const reason = sentences(text || meaning(status), advice(status, receiveWith));
  const message = `${request}: ${status} ${reason}`.trimEnd() + viaProxy(proxy);
  return new RequestFailure(message, `${status} ${serviceCode}`, retryAfterMs);
}

/** Reads the error of a request that ended without a response. */
export function noResponse(error: unknown, request: string, proxy: string | undefined) {
  if (error instanceof CredentialError) return new RequestFailure(error.message, "credential");
  const { message } = connectionFailure(error, proxy);
  return new RequestFailure(`${request}: ${message}`, "no response");
}

/**
 * A response of 200 that does not come from a namespace, but perhaps from a gateway.
 *
 * @param flaw what is wrong with it, without its content
 */
export function malformed(request: string, flaw: string): RequestFailure {
  const message = `${request}: the response ${flaw}. Check namespaceEndpoint: something other than a namespace may answer there.`;
  return new RequestFailure(message, `malformed: ${flaw}`);
}

export function timeout(request: string, credential: string, timeoutMs: number, stage: Stage) {
  const what = stage === "credential" ? `${credential} did not return` : `${request}: no ${stage}`;
  return new RequestFailure(`${what} within ${timeoutMs} ms`, `no ${stage}`);
}

/** The meaning of a status, for responses without an error body. */
function meaning(status: number): string {
  if (status === 401) return "the namespace does not accept this key or token";
  if (status === 403) return "this caller or its address may not receive events";
  if (status === 404) return "there is no such topic or event subscription";
  return status >= 300 && status < 400 ? "redirects are not followed" : "";
}

function advice(status: number, receiveWith: Queue["receiveWith"]): string {
  const byKey = receiveWith === "accessKey";
  if (status === 401 && byKey) {
    return "Check that the access key or SAS token belongs to this namespace or topic and is valid.";
  }
  if (status === 401 || (status === 403 && !byKey)) {
    return "Check that the identity has the role EventGrid Data Receiver on the namespace (not only on the topic), and the network rules of the namespace.";
  }
  if (status === 403) return "Check the network rules of the namespace.";
  return status === 404 ? "Check topicName and eventSubscriptionName." : "";
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;

/** The wait after requests that failed in succession, or came back too soon. */
export function waitAfter(
  failures: number,
  { random }: Pick<ReceiverContext, "random">,
  retryAfterMs = 0,
  maxDelayMs = MAX_DELAY_MS,
): number {
  const delays = { firstDelayMs: FIRST_DELAY_MS, maxDelayMs };
  return backoffMs(failures, delays, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), random());
}
