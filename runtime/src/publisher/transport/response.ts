import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Attempt } from "./attempt.js";

/** The topic's response. */
export interface TopicResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `x-ms-request-id`, which Azure support asks for. */
  readonly requestId: string | undefined;
  /** The body of an error. */
  readonly body: string;
}

/** Error bodies take a few hundred bytes; a longer one does not come from a topic. */
const MAX_BODY_BYTES = 64 * 1024;

/** Receives the response to one request, as undici reports it. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #attempt: Attempt;
  readonly #resolve: (response: TopicResponse) => void;
  readonly #reject: (error: Error) => void;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #body: Buffer[] = [];
  #bodyBytes = 0;

  constructor(
    attempt: Attempt,
    resolve: (response: TopicResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
    attempt.onCancel(reject);
  }

  /** The connection is ready. A request that was cancelled meanwhile is not written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#attempt.stage = "response";
    this.#attempt.onCancel((reason) => {
      controller.abort(reason);
      this.#end(reason);
    });
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders) {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    // The events are accepted, even if the body does not arrive.
    if (status === 200) this.#end();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) controller.abort(new Error("the response is too long"));
    else if (this.#status !== 200) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#status !== 200) this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** The status decides: an error after it only cuts the body short. */
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
