import type { IncomingHttpHeaders } from "node:http";
import { withRemedy } from "../network.js";
import { MINUTE_MS, SECOND_MS } from "../units.js";
import { CredentialError } from "./credentials.js";

/** The state of an attempt. Before it waits for the response, nothing has been sent. */
export type Stage = "credential" | "connection" | "response";

/** A response of Event Grid. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `x-ms-request-id`, which Azure support asks for. */
  readonly requestId: string | undefined;
  /** The body: of an error, or of a success whose body is read. */
  readonly body: string;
}

/** A code and a message of the service, of a response or of one part of a request. */
export interface ServiceErrorDetail {
  readonly code?: string;
  readonly message?: string;
}

/** The proxy did not open a tunnel to the topic. */
export class ProxyError extends Error {
  /** @param isLasting whether the next attempt would fail for the same reason */
  constructor(
    message: string,
    readonly isLasting: boolean,
    cause: Error,
  ) {
    super(message, { cause });
  }
}

/** Why a request was not answered with 200. */
export class RequestFailure {
  constructor(
    /** For people: the request, the reason and what to do. */
    readonly message: string,
    /** Tells causes apart: `404 NotFound`, `credential`, `no_response`. */
    readonly kind: string,
    readonly details: FailureDetails = {},
  ) {}
}

interface FailureDetails {
  /** Absent without a response, as are the service's code and all that follows from one. */
  readonly status?: number;
  readonly serviceCode?: string | undefined;
  readonly details?: readonly ServiceErrorDetail[];
  readonly requestId?: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Whether its time ran out. */
  readonly isLate?: boolean;
  /** Whether the next attempt would fail for the same reason. */
  readonly isLasting?: boolean;
  readonly cause?: unknown;
}

/**
 * Reads a response other than 200.
 *
 * @param request as messages show it
 * @param advice by status
 * @param proxy that the request may have gone through
 * @param credential of the request, which a server may repeat in its error
 */
export function refused(
  { status, body, headers, requestId }: HttpResponse,
  request: string,
  advice: Readonly<Record<number, string | undefined>>,
  proxy: string | undefined,
  now: number,
  credential: string,
): RequestFailure {
  const { code: serviceCode, message, details } = serviceError(body, credential);
  const retryAfterMs = retryAfter(headers, now);
  const said = [serviceCode, message].filter((text) => text !== undefined).join(": ");
  const reason = sentences(said || meaning(status), advice[status] ?? "");
  return new RequestFailure(
    `${request}: ${status} ${reason}`.trimEnd() + viaProxy(proxy),
    `${status} ${serviceCode ?? ""}`,
    { status, serviceCode, requestId, retryAfterMs, ...(details && { details }) },
  );
}

/** Reads the error of an attempt that ended without a response. */
export function unanswered(error: unknown, request: string, proxy: string | undefined) {
  if (error instanceof CredentialError) {
    const { message, cause } = error;
    return new RequestFailure(message, "credential", { cause });
  }
  const { message, isLasting } = connectionFailure(error, proxy);
  const details = { isLasting, cause: error };
  return new RequestFailure(`${request}: ${message}`, "no_response", details);
}

/** @param credential the origin of the header, for the message */
export function late(request: string, credential: string, timeoutMs: number, stage: Stage) {
  const isCredential = stage === "credential";
  const what = isCredential ? `${credential} did not return` : `${request}: no ${stage}`;
  const kind = isCredential ? "credential" : "no_response";
  return new RequestFailure(`${what} within ${timeoutMs} ms`, kind, { isLate: true });
}

/** The meaning of a status, for responses without an error body. */
function meaning(status: number): string {
  if (status < 300) return "only 200 is a success";
  return status < 400 ? "redirects are not followed" : "";
}

/**
 * Why there was no response, in words.
 *
 * @param proxy that the request may have gone through
 */
export function connectionFailure(error: unknown, proxy: string | undefined) {
  const { message, code } = detailsOf(error);
  return {
    message: `${withRemedy(message, code)}${viaProxy(proxy)}`,
    /** Whether the next attempt would fail for the same reason. */
    isLasting: error instanceof ProxyError ? error.isLasting : TLS_FAILURE.test(code),
  };
}

/** An untrusted certificate stays untrusted. */
const TLS_FAILURE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

/** However long a service asks to wait, it is tried again after this time. */
export const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Two sentences, of which either may be empty. */
function sentences(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}${".!?".includes(first.slice(-1)) ? "" : "."} ${second}`;
}

/** Mentions a proxy at the end of a message. */
function viaProxy(proxy: string | undefined): string {
  return proxy === undefined
    ? ""
    : ` (proxy: ${proxy}; NO_PROXY lists the hosts to reach without it)`;
}

interface ServiceError extends ServiceErrorDetail {
  readonly details?: readonly ServiceErrorDetail[];
}

const MAX_TEXT = 2_000;
const MAX_DETAILS = 50;
/** Shorter ones are no keys of Azure, but words that an error may contain. */
const MIN_SECRET = 8;

/** Reads `{"error":{"code","message","details":[]}}`; a gateway's body may be anything. */
function serviceError(body: string, credential: string): ServiceError {
  const parsed = parsedJson(body);
  const error = member(parsed, "error") ?? parsed;
  const details = member(error, "details");
  const detail = (value: unknown): ServiceErrorDetail => {
    const code = text(member(value, "code"), credential);
    const message = text(member(value, "message"), credential);
    return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
  };
  return {
    ...detail(error),
    ...(Array.isArray(details) && { details: details.slice(0, MAX_DETAILS).map(detail) }),
  };
}

/** `undefined` if the text is not JSON. The parser's own message would quote a payload. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The beginning of a text, without the credential of the request. */
function text(value: unknown, credential: string): string | undefined {
  if (typeof value !== "string") return undefined;
  const secret = credential.slice(credential.lastIndexOf(" ") + 1);
  let shown = value;
  if (secret.length >= MIN_SECRET) {
    for (const form of [secret, encodeURIComponent(secret)]) shown = shown.replaceAll(form, "***");
  }
  return shown.slice(0, MAX_TEXT);
}

/** Reads `Retry-After`: seconds, or a date by the clock of the service, which `Date` has. */
function retryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  if (!/\D/.test(value)) return Number(value) * SECOND_MS;
  const until = Date.parse(value);
  const sentAt = Date.parse(String(headers.date));
  return Number.isNaN(until) ? undefined : Math.max(0, until - (sentAt || now));
}

function detailsOf(error: unknown): { readonly message: string; readonly code: string } {
  // A host with several addresses fails with the errors of all of them, and a message of none.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { message: "the request failed", code: "" };
  const code = "code" in first ? String(first.code) : "";
  return { message: first.message || code || first.name, code };
}
