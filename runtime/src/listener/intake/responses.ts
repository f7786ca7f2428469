import { Http2ServerRequest } from "node:http2";
import type { FastifyReply } from "fastify";
import { announcedLength } from "./request.js";

/** Thrown to end a request with a status. The message is for the log only. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Bodies of error responses. They are fixed, so that none can reveal internal details. */
const texts: Readonly<Record<number, string>> = {
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
};

const bodies = new Map(
  Object.entries(texts).map(([status, message]) => [Number(status), JSON.stringify({ message })]),
);
const otherBody = JSON.stringify({ message: "The request failed." });

/** Responds with a status and, for an error, that status's fixed text. */
export function answer(reply: FastifyReply, status: number): void {
  reply.code(status);
  if (status < 300) {
    reply.send();
    return;
  }
  if (status === 401) reply.header("www-authenticate", "Bearer");
  reply.header("content-type", "application/json; charset=utf-8");
  reply.send(bodies.get(status) ?? otherBody);
}

/** Bodies up to this size are read and discarded, so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Responds before the body was read. Closes the connection if much of the body may still come. */
export function answerEarly(reply: FastifyReply, status: number): void {
  const announced = announcedLength(reply.request.raw);
  const isSmall = announced !== undefined && announced <= MAX_DISCARDED_BYTES;
  if (!isSmall) endUpload(reply);
  answer(reply, status);
}

/** Stops the rest of a request's body after the response. */
export function endUpload(reply: FastifyReply): void {
  const request: object = reply.request.raw;
  if (request instanceof Http2ServerRequest) {
    // The connection carries other requests as well.
    const { stream } = request;
    stream.once("finish", () => stream.close());
  } else endConnection(reply);
}

/** Closes the connection after the response. HTTP/2 has no header for it; its server does it itself. */
export function endConnection(reply: FastifyReply): void {
  if (reply.request.raw.httpVersionMajor < 2) reply.header("connection", "close");
}
