import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { isLoopback } from "../binding/index.js";
import type { Clock } from "../time.js";
import { KIB } from "../units.js";
import { type Connections, connectionsTo } from "./connections.js";
import {
  type AuthorizationHeader,
  type CredentialOptions,
  type Credentials,
  chooseCredentials,
} from "./credentials.js";
import {
  type HttpResponse,
  late,
  type RequestFailure,
  refused,
  type Stage,
  unanswered,
} from "./failures.js";
import type { Service } from "./service.js";

interface ClientSettings extends CredentialOptions {
  readonly dispatcher: Dispatcher | undefined;
  readonly attemptTimeoutMs: number;
  readonly clock: Clock;
}

/** A request without its body. */
export interface ServiceRequest {
  /** Follows the path of the service, such as `:receive`. */
  readonly operation?: string;
  /** Parameters after the version of the API. */
  readonly query?: string;
  readonly contentType?: string;
  readonly timeoutMs: number;
  /** Longest body of a success. Without it, a 200 is complete with its headers. */
  readonly maxBodyBytes?: number;
}

export type RequestBody = Buffer | string | null;

/** Sends the request with a body, once its credential is known. */
type Post = (body: RequestBody) => Promise<HttpResponse>;

/** Makes requests to one service, over connections that are kept open. */
export class ServiceClient {
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #connections: Connections;
  readonly #credentials: Credentials;

  constructor(service: Service, settings: ClientSettings) {
    const { dispatcher, attemptTimeoutMs, clock } = settings;
    this.#service = service;
    this.#clock = clock;
    this.#connections = connectionsTo(isLoopback(service.endpoint), attemptTimeoutMs, dispatcher);
    const cache = { clock, timeoutMs: attemptTimeoutMs };
    this.#credentials = chooseCredentials(settings, service, cache);
  }

  /**
   * Makes one attempt to have a request answered with 200. It takes `timeoutMs` at most, even if the
   * credential, the connection or the service hangs. Never rejects.
   *
   * @param attempt reports how far it is, and can cancel it
   * @param send called when the request is about to be sent, which may be a while later, and again
   * after a refused credential was renewed
   */
  async post(
    attempt: Attempt,
    request: ServiceRequest,
    send: (post: Post) => Promise<HttpResponse>,
  ): Promise<HttpResponse | RequestFailure> {
    const { proxy } = this.#connections;
    const { timeoutMs } = request;
    let isLate = false;
    const stopTimer = this.#clock.schedule(timeoutMs, () => {
      isLate = true;
      attempt.cancel();
    });
    let credential = "";
    try {
      const response = await this.#authorized(attempt, (header) => {
        credential = header.value;
        return send((body) => this.#dispatch(attempt, request, header, body));
      });
      if (response.status === 200) return response;
      const { advice } = this.#service;
      const shown = this.shown(request.operation);
      return refused(response, shown, advice, proxy, this.#clock.now(), credential);
    } catch (error) {
      const shown = this.shown(request.operation);
      return isLate
        ? late(shown, this.#credentials.name, timeoutMs, attempt.stage)
        : unanswered(error, shown, proxy);
    } finally {
      stopTimer();
    }
  }

  /** A request as messages show it. */
  shown(operation = ""): string {
    return `[POST] "${this.#service.endpoint}${operation}"`;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** One request, or two: a refused credential is renewed once, if there is another. */
  async #authorized(
    attempt: Attempt,
    send: (header: AuthorizationHeader) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    for (let isRenewed = false; ; isRenewed = true) {
      const header = await attempt.until(this.#credentials.header());
      const response = await send(header);
      if (response.status !== 401 || isRenewed) return response;
      attempt.stage = "credential";
      if (!(await attempt.until(this.#credentials.renew(header)))) return response;
    }
  }

  #dispatch(
    attempt: Attempt,
    { operation = "", query = "", contentType, timeoutMs, maxBodyBytes }: ServiceRequest,
    { name, value }: AuthorizationHeader,
    body: RequestBody,
  ): Promise<HttpResponse> {
    const { endpoint, apiVersion } = this.#service;
    const headers = ["user-agent", "cloud-eventgrid-binding-runtime", name, value];
    if (contentType !== undefined) headers.push("content-type", contentType);
    const options: Dispatcher.DispatchOptions = {
      origin: endpoint.origin,
      path: `${endpoint.pathname}${operation}?api-version=${apiVersion}${query}`,
      method: "POST",
      headers,
      body,
      // The attempt has its own timer. The body of a 200 may outlast it, so it needs its own limit.
      headersTimeout: 0,
      bodyTimeout: timeoutMs,
    };
    return new Promise((resolve, reject) => {
      attempt.stage = "connection";
      const handler = new ResponseHandler(attempt, resolve, reject, maxBodyBytes);
      this.#connections.dispatcher.dispatch(options, handler);
    });
  }
}

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

/** Error bodies take a few hundred bytes; a longer one does not come from a topic. */
const MAX_BODY_BYTES = 64 * KIB;

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
