import { InvalidBodyError } from "../events/envelope/index.js";
import type { Outcome } from "../handling/index.js";
import { KIB } from "../units.js";
import { BodyTakenError, type Exchange, type ResponseHeaders } from "./exchange.js";

/** Thrown to end a request with a status. The message is for the log only. */
export class Refusal extends Error {
  constructor(
    readonly status: ErrorStatus,
    message: string,
  ) {
    super(message);
  }
}

/** Bodies of error responses. They are fixed, so that none can reveal internal details. */
const texts = {
  400: "The request is invalid. Do not retry it.",
  401: "A valid token is required.",
  403: "This caller may not deliver events.",
  404: "Not found.",
  405: "Method not allowed.",
  408: "The request took too long to arrive.",
  413: "The request is too large.",
  415: "The media type is not a CloudEvents one, or the body is compressed.",
  500: "Internal error.",
  503: "Unavailable. Retry later.",
} as const;

type ErrorStatus = keyof typeof texts;

const bodies = new Map(
  Object.entries(texts).map(([status, message]) => [Number(status), JSON.stringify({ message })]),
);
const otherBody = JSON.stringify({ message: "The request failed." });

const noHeaders: ResponseHeaders = {};
const json: ResponseHeaders = { "content-type": "application/json; charset=utf-8" };
const headers: ReadonlyMap<number, ResponseHeaders> = new Map([
  [401, { ...json, "www-authenticate": "Bearer" }],
  [405, { ...json, allow: "POST, OPTIONS" }],
]);

/**
 * Responds with a status and, for an error, that status's fixed text.
 *
 * @param content JSON to respond with a success
 */
export function answer(exchange: Exchange, status: number, content?: object): void {
  if (content !== undefined) exchange.respond(status, json, JSON.stringify(content));
  else if (status < 300) exchange.respond(status, noHeaders);
  else exchange.respond(status, headers.get(status) ?? json, bodies.get(status) ?? otherBody);
}

/** Bodies up to this size are read and discarded, so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 64 * KIB;

/** Responds before the body was read. */
export function answerEarly(exchange: Exchange, status: number): void {
  stopUnreadBody(exchange);
  answer(exchange, status);
}

/** Stops the body of a request that is about to be answered unread, if much of it may still come. */
export function stopUnreadBody(exchange: Exchange): void {
  const { announcedLength } = exchange;
  const isSmall = announcedLength !== undefined && announcedLength <= MAX_DISCARDED_BYTES;
  if (!isSmall) exchange.stopBody();
}

/** Event Grid retries 503 and never retries 400. */
const outcomeStatuses: Readonly<Record<Outcome, 200 | 400 | 503>> = {
  handled: 200,
  duplicate: 200,
  unhandled: 200,
  rejected: 400,
  malformed: 400,
  failed: 503,
  "timed-out": 503,
  "in-progress": 503,
  deferred: 503,
};

/**
 * The response status of a delivery whose events ended like this: one event to be retried outweighs any
 * number of rejected ones, and one rejected event any number of handled ones.
 */
export function statusOf(outcomes: Iterable<Outcome>): 200 | 400 | 503 {
  let highest: 200 | 400 | 503 = 200;
  for (const outcome of outcomes) {
    const status = outcomeStatuses[outcome];
    if (status > highest) highest = status;
  }
  return highest;
}

/** The response status of a delivery or request that failed as a whole. */
export function statusOfError(error: unknown): number {
  if (error instanceof InvalidBodyError) return 400;
  if (error instanceof Refusal) return error.status;
  if (error instanceof BodyTakenError) return 503;
  // Fastify's own errors, such as an invalid Content-Type, have a `statusCode`.
  if (error instanceof Error && "statusCode" in error && typeof error.statusCode === "number") {
    return error.statusCode >= 400 && error.statusCode < 600 ? error.statusCode : 500;
  }
  return 500;
}
