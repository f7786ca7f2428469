import { EventEmitter } from "node:events";
import type { FastifyReply } from "fastify";
import type { BodyReader, ResponseHeaders } from "../../exchange.js";
import { NodeExchange } from "../node-exchange.js";

/** A request of a Fastify app, whose hooks may replace the body and see the response. */
export class FastifyExchange extends NodeExchange {
  constructor(private readonly reply: FastifyReply) {
    super(reply.request.raw, reply.raw, reply.log);
  }

  override readBody(reader: BodyReader): void {
    const body: unknown = this.reply.request.body ?? this.request;
    if (body === this.request) {
      super.readBody(reader);
    } else if (body instanceof EventEmitter) {
      body.on("data", reader.chunk).on("end", reader.end).on("error", reader.fail);
    } else {
      reader.fail(new TypeError("a hook of the app has replaced the request body"));
    }
  }

  override respond(status: number, headers: ResponseHeaders, body?: string): void {
    const { reply } = this;
    reply.code(status).headers(headers);
    if (this.closesConnection) reply.header("connection", "close");
    reply.send(body);
  }
}
