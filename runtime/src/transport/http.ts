import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/**
 * Sends one request.
 *
 * @param maxBodyBytes of a success whose body is read. Without it, a 200 is complete with its headers
 */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  attempt: Attempt,
  maxBodyBytes?: number,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    attempt.stage = "connection";
    dispatcher.dispatch(options, new ResponseHandler(attempt, resolve, reject, maxBodyBytes));
  });
}

/** The state of an attempt. Before it waits for the response, nothing has been sent. */
export type Stage = "credential" | "connection" | "response";

/** One attempt to have the events of a few calls accepted: its state, and how to end it. */
export class Attempt {
  stage: Stage = "credential";
  /** Calls that wait for the outcome. */
  #calls: number;
  #cancelled: Error | undefined;
  #onCancel: (reason: Error) => void = () => {};

  constructor(calls: number) {
    this.#calls = calls;
  }

  /**
   * A call no longer waits for the outcome. Without other calls, the attempt is cancelled.
   *
   * @returns whether the events of the call may reach the topic nonetheless
   */
  leave(): boolean {
    this.#calls -= 1;
    const isAlone = this.#calls === 0;
    if (isAlone) this.cancel();
    return this.stage === "response" || (this.stage === "connection" && !isAlone);
  }

  cancel(): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = new Error("the request was cancelled");
    this.#onCancel(this.#cancelled);
  }

  /** Sets how to end the current wait. */
  onCancel(end: (reason: Error) => void): void {
    this.#onCancel = end;
    if (this.#cancelled !== undefined) end(this.#cancelled);
  }

  /** Waits for a promise, at most until the attempt is cancelled. */
  until<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCancel(reject);
      promise.then(resolve, reject);
    });
  }
}

/** A response of Event Grid. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `x-ms-request-id`, which Azure support asks for. */
  readonly requestId: string | undefined;
  /** The body: of an error, or of a success whose body is read. */
  readonly body: string;
}

/** Error bodies take a few hundred bytes; a longer one does not come from a topic. */
const MAX_BODY_BYTES = 64 * 1024;

/** Receives the response to one request, as undici reports it. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #body: Buffer[] = [];
  #bodyBytes = 0;

  /** @param maxSuccessBytes of the body of a 200; without it, that is not read */
  constructor(
    private readonly attempt: Attempt,
    private readonly resolve: (response: HttpResponse) => void,
    private readonly reject: (error: Error) => void,
    private readonly maxSuccessBytes?: number,
  ) {
    attempt.onCancel(reject);
  }

  /** The connection is ready. A request that was cancelled meanwhile is not written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.attempt.stage = "response";
    this.attempt.onCancel((reason) => {
      controller.abort(reason);
      this.#end(reason);
    });
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders) {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    // The topic has accepted the events, even if the body does not arrive.
    if (!this.#readsBody) this.#end();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    const isError = this.#status !== 200;
    const maxBytes = isError ? MAX_BODY_BYTES : (this.maxSuccessBytes ?? MAX_BODY_BYTES);
    if (this.#bodyBytes > maxBytes) controller.abort(new Error("the response is too long"));
    else if (this.#readsBody) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#readsBody) this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  get #readsBody(): boolean {
    return this.#status !== 200 || this.maxSuccessBytes !== undefined;
  }

  /** The status decides: an error after it only cuts the body short, unless the body is needed. */
  #end(error?: Error): void {
    const needsBody = this.#status === 200 && this.maxSuccessBytes !== undefined;
    if (this.#status === 0 || (needsBody && error !== undefined)) {
      this.reject(error ?? new Error("the response has no status"));
      return;
    }
    const requestId = this.#headers["x-ms-request-id"];
    this.resolve({
      status: this.#status,
      headers: this.#headers,
      requestId: typeof requestId === "string" ? requestId : undefined,
      body: this.#body.length === 0 ? "" : Buffer.concat(this.#body).toString("utf8"),
    });
  }
}
