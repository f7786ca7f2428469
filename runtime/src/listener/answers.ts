import { Http2ServerRequest } from "node:http2";
import type { FastifyReply } from "fastify";
import { announcedLength } from "./headers.js";

/** Thrown to end a request with an answer. The message is for the log only. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The texts of all answers that are no success: fixed, so that none can leak what happened. */
const texts: Readonly<Record<number, string>> = {
  400: "The request is not acceptable, and will not be when repeated.",
  401: "A valid token is required.",
  403: "This caller is not allowed to deliver events.",
  404: "There is nothing here.",
  405: "This method is not allowed here.",
  408: "The request took too long to arrive.",
  413: "The request is too large.",
  415: "The media type is not a CloudEvents one, or the body is encoded.",
  500: "Something unexpected happened.",
  503: "Not now: try again later.",
};

const bodies = new Map(
  Object.entries(texts).map(([status, message]) => [Number(status), JSON.stringify({ message })]),
);
const fallback = JSON.stringify({ message: "The request failed." });

/** Answers with a status and, unless it is a success, that status's fixed text. */
export function answer(reply: FastifyReply, status: number): void {
  reply.code(status);
  if (status < 300) {
    reply.send();
    return;
  }
  if (status === 401) reply.header("www-authenticate", "Bearer");
  reply.header("content-type", "application/json; charset=utf-8");
  reply.send(bodies.get(status) ?? fallback);
}

/** Bodies up to this size are read and thrown away, so that the connection can go on. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Answers before the body was read; the connection is closed where much of it may still come. */
export function answerEarly(reply: FastifyReply, status: number): void {
  const announced = announcedLength(reply.request.raw);
  const isSmall = announced !== undefined && announced <= MAX_DISCARDED_BYTES;
  if (!isSmall) endUpload(reply);
  answer(reply, status);
}

/** Has what still arrives of a request's body end with the answer. */
export function endUpload(reply: FastifyReply): void {
  const request: object = reply.request.raw;
  if (request instanceof Http2ServerRequest) {
    // Its connection carries other requests as well.
    const { stream } = request;
    stream.once("finish", () => stream.close());
  } else endConnection(reply);
}

/** Has the connection end with the answer. HTTP/2 has no header for it: its server tells by itself. */
export function endConnection(reply: FastifyReply): void {
  if (reply.request.raw.httpVersionMajor < 2) reply.header("connection", "close");
}

/** Refuses a verified caller's request before its body was read, and says why in the log. */
export function refuse(reply: FastifyReply, status: number, reason: string): void {
  reply.log.warn({ status, reason }, "delivery refused");
  answerEarly(reply, status);
}
