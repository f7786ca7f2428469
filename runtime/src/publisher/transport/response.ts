import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** The topic's response. */
export interface TopicResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `x-ms-request-id`, which Azure support asks for. */
  readonly requestId: string | undefined;
  /** The start of the body, as text; not read when the status is 200. */
  readonly body: string;
}

/** Error bodies take a few hundred bytes; a longer one does not come from a topic. */
const MAX_BODY_BYTES = 64 * 1024;

/** Follows one HTTP request: undici reports its progress here. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #sent: () => void;
  readonly #resolve: (response: TopicResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #cancelled: Error | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #body: Buffer[] = [];
  #bodyBytes = 0;

  /** @param sent called when the connection is ready and the request is about to be written */
  constructor(
    sent: () => void,
    resolve: (response: TopicResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the request. One that waits for a connection is not sent any more. */
  cancel(reason: Error): void {
    this.#cancelled = reason;
    this.#controller?.abort(reason);
    this.#end(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#cancelled) controller.abort(this.#cancelled);
    else this.#sent();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    // The events are accepted, whatever becomes of the body.
    if (status === 200) this.#end();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) controller.abort(new Error("the response is too long"));
    else if (this.#status !== 200) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** Settles once. The status decides, so an error after it only cuts the body short. */
  #end(error?: Error): void {
    if (this.#status === 0) {
      this.#reject(error ?? new Error("the response has no status"));
      return;
    }
    const requestId = this.#headers["x-ms-request-id"];
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      requestId: typeof requestId === "string" ? requestId : undefined,
      body: this.#body.length === 0 ? "" : Buffer.concat(this.#body).toString("utf8"),
    });
  }
}
