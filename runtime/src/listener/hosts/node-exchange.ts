import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerRequest } from "node:http2";
import type { Log } from "../../observability/index.js";
import {
  type BodyReader,
  BodyTakenError,
  type Exchange,
  type ResponseHeaders,
} from "../exchange.js";

/** A request of Node's HTTP server, and of the frameworks that build on it. */
export class NodeExchange implements Exchange {
  protected closesConnection = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly log: Log,
  ) {}

  get method(): string {
    return this.request.method ?? "";
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders;
  }

  get announcedLength(): number | undefined {
    const { "content-length": length, "transfer-encoding": encoding } = this.request.headers;
    if (length !== undefined) return Number(length);
    return encoding === undefined ? 0 : undefined;
  }

  get isComplete(): boolean {
    return this.request.complete;
  }

  get isGone(): boolean {
    // `aborted` is deprecated, but the only property that HTTP/2 has. It is false when the body had
    // arrived, unlike HTTP/1's `destroyed`.
    return this.request.aborted === true || this.response.destroyed === true;
  }

  readBody({ chunk, end }: BodyReader): void {
    const { request } = this;
    if (request.readableDidRead) {
      throw new BodyTakenError("mount the webhook before express.json() and other body parsers");
    }
    // A failure shows as `close`, which the delivery watches.
    request.on("data", chunk).on("end", end);
  }

  respond(status: number, headers: ResponseHeaders, body = ""): void {
    const { response } = this;
    if (response.headersSent) return;
    response.statusCode = status;
    for (const name in headers) response.setHeader(name, headers[name] ?? "");
    if (this.closesConnection) response.setHeader("connection", "close");
    response.end(body);
  }

  closeConnection(): void {
    // HTTP/2 has no header for it; its server does it itself.
    if (this.request.httpVersionMajor < 2) this.closesConnection = true;
  }

  stopBody(): void {
    const request: object = this.request;
    if (request instanceof Http2ServerRequest) {
      // The connection carries other requests as well.
      const { stream } = request;
      stream.once("finish", () => stream.close());
    } else this.closeConnection();
  }

  whenClosed(closed: () => void): void {
    const { request, response } = this;
    // A pipelined response that waits behind another one has no socket yet, and Node does not emit
    // `close` on it when the connection ends.
    const connection = response.socket === null ? request.socket : undefined;
    if (this.isGone || connection?.destroyed) {
      queueMicrotask(closed);
      return;
    }
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      connection?.off("close", close);
      closed();
    };
    // Not `once`, which costs more than everything else here.
    response.on("close", close);
    connection?.setMaxListeners(0).on("close", close);
  }
}
