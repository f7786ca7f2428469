import type { IncomingHttpHeaders } from "node:http";
import { type Log, loggableError } from "../../observability/index.js";
import {
  type BodyReader,
  BodyTakenError,
  type Exchange,
  type ResponseHeaders,
} from "../exchange.js";

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
    this.#body?.cancel().catch((error: unknown) => {
      this.log.debug({ err: loggableError(error) }, "the rest of a body could not be cancelled");
    });
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
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
