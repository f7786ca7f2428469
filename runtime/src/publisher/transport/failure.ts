import type { PublishWith } from "../../binding/index.js";
import { withRemedy } from "../../connection-failure.js";
import type { PublishErrorCode, PublishFailure, ServiceErrorDetail } from "../errors/index.js";
import type { Stage } from "./attempt.js";
import { CredentialError } from "./credentials/index.js";
import { ProxyError } from "./proxy.js";
import type { TopicResponse } from "./response.js";

/** The topic that events are published to. */
export interface Topic {
  /** With its path; it has no query. */
  readonly endpoint: URL;
  readonly publishWith: PublishWith;
}

/** The reason why an attempt failed. */
export interface RequestFailure extends PublishFailure {
  /** Whether the topic may have accepted the events nonetheless. */
  readonly ambiguous: boolean;
  /** How long the topic asks to wait. */
  readonly retryAfterMs?: number;
}

/**
 * Reads a response other than 200.
 *
 * @param proxy that the request may have gone through
 */
export function refusal(
  response: TopicResponse,
  { endpoint, publishWith }: Topic,
  proxy: string | undefined,
  now: number,
): RequestFailure {
  const { status, requestId } = response;
  const { code: serviceCode, message, details } = serviceError(response.body);
  const retryAfterMs = retryAfter(response.headers["retry-after"], now);
  const retryable = status === 408 || status === 429 || status >= 500;
  const serviceText = [serviceCode, message].filter((text) => text !== undefined).join(": ");
  const reason = sentences(serviceText || meaning(status), advice(status, publishWith));
  return {
    code: codeOf(status, retryable),
    message: `[POST] "${endpoint}": ${status} ${reason}`.trimEnd() + viaProxy(proxy),
    status,
    retryable,
    // The topic, or a gateway before it, can fail after accepting the events. A success other than
    // 200 is not documented, so nothing is known.
    ambiguous: status === 408 || status >= 500 || status < 300,
    ...(serviceCode !== undefined && { serviceCode }),
    ...(details !== undefined && { details }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads the error of an attempt that ended without a response. */
export function noResponse(
  error: unknown,
  { endpoint }: Topic,
  proxy: string | undefined,
  stage: Stage,
): RequestFailure {
  if (error instanceof CredentialError) {
    const { code, message, cause } = error;
    return { code, message, cause, retryable: true, ambiguous: false };
  }
  const { message, code } = describe(error);
  return {
    code: "ERR_PUBLISH_UNAVAILABLE",
    message: `[POST] "${endpoint}": ${withRemedy(message, code)}${viaProxy(proxy)}`,
    retryable: !(error instanceof ProxyError ? error.isLasting : UNTRUSTED.test(code)),
    ambiguous: stage === "response",
    cause: error,
  };
}

/** An untrusted certificate stays untrusted. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

/** @param credential the origin of the header, for the message */
export function attemptTimeout(
  { endpoint }: Topic,
  credential: string,
  timeoutMs: number,
  stage: Stage,
): RequestFailure {
  if (stage === "credential") {
    const message = `${credential} did not return within ${timeoutMs} ms`;
    return { code: "ERR_PUBLISH_CREDENTIAL", message, retryable: true, ambiguous: false };
  }
  return {
    code: "ERR_PUBLISH_TIMEOUT",
    message: `[POST] "${endpoint}": no ${stage} within ${timeoutMs} ms`,
    retryable: true,
    ambiguous: stage === "response",
  };
}

function viaProxy(proxy: string | undefined): string {
  return proxy === undefined
    ? ""
    : ` (proxy: ${proxy}; NO_PROXY lists the hosts to reach without it)`;
}

function codeOf(status: number, retryable: boolean): PublishErrorCode {
  if (status === 401 || status === 403) return "ERR_PUBLISH_UNAUTHORIZED";
  return retryable ? "ERR_PUBLISH_UNAVAILABLE" : "ERR_PUBLISH_REFUSED";
}

/** The meaning of a status, for responses without an error body. */
function meaning(status: number): string {
  if (status === 401) return "the topic does not accept this key or token";
  if (status === 403) return "this caller or its address may not publish to the topic";
  if (status === 404) return "there is no such topic";
  if (status >= 300 && status < 400) return "redirects are not followed";
  return status < 300 ? "only 200 means that the events were accepted" : "";
}

/** A hint for the user; the topic's own messages only point to Azure's forums. */
function advice(status: number, publishWith: PublishWith): string {
  const byKey = publishWith === "accessKey";
  if (status === 401) {
    return byKey
      ? "Check that the access key or SAS token belongs to this topic and is valid, and that the topic accepts keys."
      : "Check that the identity has the role EventGrid Data Sender on the topic, and that the credential's tenant is the topic's.";
  }
  if (status === 403) {
    return byKey
      ? "Check the topic's firewall, and whether it accepts access keys."
      : "Check that the identity has the role EventGrid Data Sender on the topic, and the topic's firewall.";
  }
  return status === 404 ? "Check host and path of topicEndpoint." : "";
}

function sentences(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}${/[.!?]$/.test(first) ? "" : "."} ${second}`;
}

interface ServiceError extends ServiceErrorDetail {
  readonly details?: readonly ServiceErrorDetail[];
}

const MAX_TEXT = 2_000;
const MAX_DETAILS = 50;

/** Reads `{"error":{"code","message","details":[]}}`; a gateway's body may be anything. */
function serviceError(body: string): ServiceError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return {};
  }
  const error = member(parsed, "error") ?? parsed;
  const details = member(error, "details");
  return {
    ...detail(error),
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

/** Reads `Retry-After`: seconds, or a date. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function describe(error: unknown): { readonly message: string; readonly code: string } {
  // A host with several addresses fails with the errors of all of them, and a message of none.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { message: "the request failed", code: "" };
  const code = "code" in first ? String(first.code) : "";
  return { message: first.message || code || first.name, code };
}
