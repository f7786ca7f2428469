import type { PublishWith } from "../binding/index.js";
import { CredentialError } from "./credential-options.js";
import type { ExchangeStage } from "./exchange.js";
import { ProxiedError, throughProxy } from "./proxy.js";
import type { PublishErrorCode, PublishFailure, ServiceErrorDetail } from "./publish-error.js";
import type { PublishingBinding } from "./publishing-binding.js";
import type { TopicAnswer } from "./topic-client.js";

/** Why a request did not get its events accepted. */
export interface RequestFailure extends PublishFailure {
  /** Whether its events may have been accepted all the same. */
  readonly ambiguous: boolean;
  /** How long the topic asks to wait. */
  readonly retryAfterMs?: number;
}

/** Reads an answer that is not a 200: Event Grid accepts with nothing else. */
export function refusal(
  answer: TopicAnswer,
  { endpoint, publishWith }: Pick<PublishingBinding, "endpoint" | "publishWith">,
  now: number,
): RequestFailure {
  const { status } = answer;
  const { code: serviceCode, message, details } = serviceError(answer.body);
  const requestId = answer.header("x-ms-request-id");
  const retryAfterMs = retryAfter(answer, now);
  const retryable = status === 408 || status === 429 || status >= 500;
  const said = [serviceCode, message].filter((text) => text !== undefined).join(": ");
  const words = sentences(said || hint(status), advice(status, publishWith));
  return {
    code: codeOf(status, retryable),
    message:
      `[POST] "${shown(endpoint)}": ${status} ${words}`.trimEnd() + throughProxy(answer.proxy),
    status,
    retryable,
    ambiguous: mayHaveTaken(status),
    ...(serviceCode !== undefined && { serviceCode }),
    ...(details !== undefined && { details }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/**
 * Whether a topic that answers so may have taken the events: a server, or what stands before it, may
 * fail after that, or say yes in other words than Event Grid's.
 */
export function mayHaveTaken(status: number): boolean {
  return status === 408 || status >= 500 || (status >= 200 && status < 300);
}

/** Reads what was thrown instead of an answer. */
export function noAnswer(error: unknown, endpoint: URL, stage: ExchangeStage): RequestFailure {
  if (error instanceof CredentialError) {
    const { code, message, cause } = error;
    return { code, message, cause, retryable: true, ambiguous: false };
  }
  const [met, proxy] = error instanceof ProxiedError ? [error.cause, error.proxy] : [error];
  const { message, reason } = describe(met);
  return {
    code: "ERR_PUBLISH_UNAVAILABLE",
    message: `[POST] "${shown(endpoint)}": ${message}${throughProxy(proxy)}`,
    retryable: !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(reason),
    ambiguous: stage === "answer" && !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(reason),
    // The SDK's own error holds the request, with the key in its headers.
    cause: Object.assign(new Error(message), { code: reason }),
  };
}

/** An attempt that took too long. */
export function attemptTimeout(
  endpoint: URL,
  milliseconds: number,
  stage: ExchangeStage,
): RequestFailure {
  return {
    code: "ERR_PUBLISH_TIMEOUT",
    message: `[POST] "${shown(endpoint)}": ${MISSING[stage]} within ${milliseconds} ms`,
    retryable: true,
    ambiguous: stage === "answer",
  };
}

const MISSING: Readonly<Record<ExchangeStage, string>> = {
  pipeline: "a policy of client.additionalPolicies did not pass it on",
  connection: "no connection",
  answer: "no answer",
};

/** The endpoint without its query, which may be secret. */
export function shown(endpoint: URL): string {
  return endpoint.origin + endpoint.pathname;
}

function codeOf(status: number, retryable: boolean): PublishErrorCode {
  if (status === 401 || status === 403) return "ERR_PUBLISH_UNAUTHORIZED";
  return retryable ? "ERR_PUBLISH_UNAVAILABLE" : "ERR_PUBLISH_REFUSED";
}

function hint(status: number): string {
  if (status === 401) return "the topic does not know this key or token";
  if (status === 403) return "this caller may not publish to the topic, or not from this address";
  if (status === 404) return "there is no such topic";
  if (status >= 300 && status < 400) return "a redirect, which is not followed";
  return status < 300 ? "not the 200 that says that events were accepted" : "";
}

/** What to do; a topic's own words end with a pointer to Azure's forums. */
function advice(status: number, publishWith: PublishWith): string {
  const byKey = publishWith === "accessKey";
  if (status === 401) {
    return byKey
      ? "Check accessKey (or sasToken): is it this topic's, is it still valid, and does the topic take keys?"
      : "Check the credential: is its tenant the topic's?";
  }
  if (status === 403) {
    return byKey
      ? "Check the topic's firewall, and whether it takes access keys."
      : "Check that the identity has the role EventGrid Data Sender on the topic, and the topic's firewall.";
  }
  return status === 404 ? "Check topicEndpoint: host and path." : "";
}

function sentences(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}${/[.!?]$/.test(first) ? "" : "."} ${second}`;
}

interface ServiceError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly ServiceErrorDetail[];
}

const MAX_TEXT = 2_000;
const MAX_DETAILS = 50;

/** Reads `{"error":{"code","message","details":[]}}`, or whatever a gateway says instead. */
function serviceError(body: string): ServiceError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return {};
  }
  const error = member(parsed, "error") ?? parsed;
  const details = member(error, "details");
  const code = text(member(error, "code"));
  const message = text(member(error, "message"));
  return {
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(Array.isArray(details) && { details: details.slice(0, MAX_DETAILS).map(detail) }),
  };
}

function detail(value: unknown): ServiceErrorDetail {
  const code = text(member(value, "code"));
  const message = text(member(value, "message"));
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : undefined;
}

/** `Retry-After`: seconds, or a date. */
function retryAfter(answer: TopicAnswer, now: number): number | undefined {
  const value = answer.header("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function describe(error: unknown): { readonly message: string; readonly reason: string } {
  if (!(error instanceof Error)) return { message: "the request failed", reason: "" };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { message: error.message || code || error.name, reason: code };
}
