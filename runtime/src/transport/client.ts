import type { Dispatcher } from "undici";
import { isLoopback } from "../binding/index.js";
import type { Clock } from "../time.js";
import { type Connections, connectionsTo } from "./connections.js";
import { type CredentialOptions, chooseCredentials } from "./credentials.js";
import { late, type RequestFailure, refused, unanswered } from "./failures.js";
import type { AuthorizationHeader, Credentials } from "./header-cache.js";
import { type Attempt, dispatch, type HttpResponse } from "./http.js";
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
    try {
      const response = await this.#authorized(attempt, (header) =>
        send((body) => this.#dispatch(attempt, request, header, body)),
      );
      if (response.status === 200) return response;
      const { advice } = this.#service;
      return refused(response, this.shown(request.operation), advice, proxy, this.#clock.now());
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
      const challenge = response.headers["www-authenticate"];
      if (!(await attempt.until(this.#credentials.renew(header, challenge)))) return response;
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
    return dispatch(this.#connections.dispatcher, options, attempt, maxBodyBytes);
  }
}
