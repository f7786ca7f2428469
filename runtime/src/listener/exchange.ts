import {
  Server as HttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  maxHeaderSize,
  type ServerResponse,
} from "node:http";
import { Http2ServerRequest } from "node:http2";
import { Server as HttpsServer } from "node:https";
import { wholeNumberIn } from "../numbers.js";
import type { Log } from "../observability.js";
import { KIB } from "../units.js";

/** One request and its response: the least that the listener needs of a server. */
export interface Exchange {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  /** Size of the body as the headers announce it; `undefined` for a chunked one. */
  readonly announcedLength: number | undefined;
  /** Whether the whole body has arrived. */
  readonly isComplete: boolean;
  /** Whether the caller has disconnected. */
  readonly isGone: boolean;
  readonly log: Log;
  /** Set by servers that tell verified callers from anonymous ones. */
  verified?(): void;
  /**
   * Reads the body.
   *
   * @throws {BodyTakenError} when something else has read it
   */
  readBody(reader: BodyReader): void;
  /** Responds. Changes nothing when a response has been sent. */
  respond(status: number, headers: ResponseHeaders, body?: string): void;
  /** Closes the connection after the response that follows, if it carries no other requests. */
  closeConnection(): void;
  /** Stops the rest of the body after the response that follows; closes the connection if need be. */
  stopBody(): void;
  /**
   * Calls back once, when the response has been sent or the caller has disconnected, also if that was
   * before the call.
   */
  whenClosed(closed: () => void): void;
}

/** Takes a body as it arrives. */
export interface BodyReader {
  readonly chunk: (data: unknown) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Why a body cannot be read any more. Without it, the listener would wait for the body forever. */
export class BodyTakenError extends Error {}

/** A request of Node's HTTP server, and of the frameworks that build on it. */
export class NodeExchange implements Exchange {
  protected closesConnection = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly log: Log,
  ) {}

  get method(): string {
    return String(this.request.method);
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
    for (const name in headers) response.setHeader(name, String(headers[name]));
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

/** What the listener reads of a web `Request`. The requests of Azure Functions have it, too. */
export interface WebRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: WebBody | null;
  readonly bodyUsed: boolean;
  /** Aborted when the caller disconnects; missing where that cannot be seen. */
  readonly signal?: AbortSignal | null;
}

interface WebBody {
  readonly locked: boolean;
  getReader(): WebBodyReader;
}

interface WebBodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<unknown>;
}

/** A web `Request`, and the promise of its `Response`. */
export class WebExchange implements Exchange {
  readonly headers: IncomingHttpHeaders = Object.create(null);
  readonly rawHeaders: string[] = [];
  readonly announcedLength: number | undefined;
  readonly response: Promise<Response>;
  isComplete: boolean;
  readonly #request: WebRequest;
  readonly #closed: (() => void)[] = [];
  #respond: ((response: Response) => void) | undefined;
  #body: WebBodyReader | undefined;
  #closesConnection = false;

  constructor(
    request: WebRequest,
    readonly log: Log,
  ) {
    this.#request = request;
    request.headers.forEach((value, name) => {
      this.rawHeaders.push(name, value);
      this.headers[name] = value;
    });
    this.isComplete = request.body === null;
    this.announcedLength = this.isComplete ? 0 : lengthOf(this.headers);
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
    const { signal } = request;
    if (signal?.aborted) this.#drop();
    else signal?.addEventListener("abort", this.#drop);
  }

  /** The framework has dropped the request: it needs some response, which nobody receives. */
  readonly #drop = () => this.#end(new Response(null, { status: 503 }));

  get method(): string {
    return this.#request.method;
  }

  get isGone(): boolean {
    return this.#request.signal?.aborted === true;
  }

  readBody(reader: BodyReader): void {
    const { body, bodyUsed } = this.#request;
    if (bodyUsed || body?.locked) {
      throw new BodyTakenError(
        "call fetch before request.json() and everything else that reads it",
      );
    }
    if (body === null) reader.end();
    else void this.#read(body.getReader(), reader);
  }

  async #read(body: WebBodyReader, reader: BodyReader): Promise<void> {
    this.#body = body;
    try {
      for (;;) {
        const { done, value } = await body.read();
        if (done) break;
        reader.chunk(value);
      }
      this.isComplete = true;
      reader.end();
    } catch (error) {
      reader.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  respond(status: number, headers: ResponseHeaders, body?: string): void {
    const all = this.#closesConnection ? { ...headers, connection: "close" } : headers;
    this.#end(new Response(body ?? null, { status, headers: all }));
  }

  /** A web server that cannot do it ignores the header. */
  closeConnection(): void {
    this.#closesConnection = true;
  }

  stopBody(): void {
    this.closeConnection();
    this.#body?.cancel().catch(() => {});
  }

  whenClosed(closed: () => void): void {
    if (this.#respond === undefined) queueMicrotask(closed);
    else this.#closed.push(closed);
  }

  #end(response: Response): void {
    if (this.#respond === undefined) return;
    this.#respond(response);
    this.#respond = undefined;
    // Node keeps a signal in memory for as long as it has a listener.
    this.#request.signal?.removeEventListener("abort", this.#drop);
    queueMicrotask(() => {
      for (const closed of this.#closed) closed();
    });
  }
}

/** The announced length, which no parser has checked. */
function lengthOf({ "content-length": length }: IncomingHttpHeaders): number | undefined {
  return wholeNumberIn(length);
}

/** Headers of a delivery: ten delivery properties of 4,096 bytes, a token and more. */
export const DELIVERY_HEADER_BYTES = 64 * KIB;

/**
 * Warns if a server may answer 431 to deliveries, which nobody would see before they expire.
 *
 * @param remedy how to create the server with a higher limit
 */
export function warnOfHeaderLimit(server: unknown, log: Log, remedy: string): void {
  const isNodes = server instanceof HttpServer || server instanceof HttpsServer;
  const limit = isNodes ? (Reflect.get(server, "maxHeaderSize") ?? maxHeaderSize) : undefined;
  if (limit !== undefined && limit >= DELIVERY_HEADER_BYTES) return;
  log.warn(
    { limit: limit ?? "unknown", needed: DELIVERY_HEADER_BYTES },
    `deliveries with large delivery properties may get 431 and expire: ${remedy}`,
  );
}
