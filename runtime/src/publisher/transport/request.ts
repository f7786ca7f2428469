import type { Dispatcher } from "undici";
import type { Clock } from "../../clock.js";
import type { PublisherTelemetry, RequestDetails } from "../telemetry/index.js";
import type { Connections } from "./connections.js";
import type { AuthorizationHeader, TopicCredentials } from "./credentials.js";
import {
  attemptTimeout,
  noResponse,
  type RequestFailure,
  refusal,
  type Stage,
  type Topic,
} from "./failure.js";
import { ResponseHandler, type TopicResponse } from "./response.js";

/** What a request carries. */
export interface RequestContent extends RequestDetails {
  readonly body: Buffer;
}

/** How an attempt ended. */
export type AttemptResult = "accepted" | RequestFailure;

/** What requests are sent with. */
export interface TransportDependencies {
  readonly topic: Topic;
  readonly connections: Connections;
  readonly credentials: TopicCredentials;
  readonly clock: Clock;
  readonly attemptTimeoutMs: number;
  readonly telemetry: PublisherTelemetry;
}

const CONTENT_TYPE = "application/cloudevents-batch+json; charset=utf-8";
const API_VERSION = "2018-01-01";
const USER_AGENT = "cloud-eventgrid-binding-runtime";

/** Sends requests to the topic. */
export class Transport {
  readonly #dependencies: TransportDependencies;
  readonly #origin: string;
  readonly #path: string;

  constructor(dependencies: TransportDependencies) {
    const { origin, pathname } = dependencies.topic.endpoint;
    this.#dependencies = dependencies;
    this.#origin = origin;
    this.#path = `${pathname}?api-version=${API_VERSION}`;
  }

  /**
   * Starts one attempt to have events accepted. It takes `attemptTimeoutMs` at most, whatever hangs:
   * the credential, the connection or the topic.
   *
   * @param content called when the events are about to be sent, which may be a while later
   */
  send(content: () => RequestContent): Attempt {
    const attempt = new Attempt();
    attempt.result = this.#run(attempt, content);
    return attempt;
  }

  async #run(attempt: Attempt, content: () => RequestContent): Promise<AttemptResult> {
    const { clock, attemptTimeoutMs, topic, connections, credentials } = this.#dependencies;
    let isLate = false;
    const stopTimer = clock.schedule(attemptTimeoutMs, () => {
      isLate = true;
      attempt.cancel();
    });
    try {
      const response = await this.#attempt(attempt, content);
      return response.status === 200
        ? "accepted"
        : refusal(response, topic, connections.proxy, clock.now());
    } catch (error) {
      return isLate
        ? attemptTimeout(topic, credentials.name, attemptTimeoutMs, attempt.stage)
        : noResponse(error, topic, connections.proxy, attempt.stage);
    } finally {
      stopTimer();
    }
  }

  /** One request, or two: a refused credential is renewed once, if there is another. */
  async #attempt(attempt: Attempt, content: () => RequestContent): Promise<TopicResponse> {
    const { credentials } = this.#dependencies;
    for (let isRenewed = false; ; isRenewed = true) {
      const header = credentials.header();
      const known = header instanceof Promise ? await attempt.until(header) : header;
      const response = await this.#post(attempt, known, content());
      if (response.status !== 401 || isRenewed) return response;
      attempt.stage = "credential";
      const challenge = response.headers["www-authenticate"];
      if (!(await attempt.until(credentials.renew(known, challenge)))) return response;
    }
  }

  #post(
    attempt: Attempt,
    { name, value }: AuthorizationHeader,
    content: RequestContent,
  ): Promise<TopicResponse> {
    const { connections, attemptTimeoutMs, telemetry } = this.#dependencies;
    const options: Dispatcher.DispatchOptions = {
      origin: this.#origin,
      path: this.#path,
      method: "POST",
      headers: ["content-type", CONTENT_TYPE, "user-agent", USER_AGENT, name, value],
      body: content.body,
      // The attempt's own timer covers this; a body after a 200 is nobody's concern but its own.
      headersTimeout: 0,
      bodyTimeout: attemptTimeoutMs,
    };
    return telemetry.request(
      content,
      () =>
        new Promise((resolve, reject) => {
          attempt.stage = "connection";
          const sent = () => {
            attempt.stage = "response";
          };
          const handler = new ResponseHandler(sent, resolve, reject);
          attempt.onCancel((reason) => handler.cancel(reason));
          connections.dispatcher.dispatch(options, handler);
        }),
    );
  }
}

/** One attempt under way, and how to end it. */
export class Attempt {
  stage: Stage = "credential";
  result: Promise<AttemptResult> = Promise.resolve("accepted");
  #cancelled: Error | undefined;
  #onCancel: (reason: Error) => void = () => {};

  /**
   * Whether events of a caller who leaves now may reach the topic.
   *
   * @param isAlone whether that cancels the attempt, because it has no other caller
   */
  mayArrive(isAlone: boolean): boolean {
    return this.stage === "response" || (this.stage === "connection" && !isAlone);
  }

  /** Ends whatever the attempt waits for. */
  cancel(): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = new Error("the request was cancelled");
    this.#onCancel(this.#cancelled);
  }

  /** Sets what ends the current wait. */
  onCancel(end: (reason: Error) => void): void {
    if (this.#cancelled !== undefined) end(this.#cancelled);
    else this.#onCancel = end;
  }

  /** Waits for a promise, at most until the attempt is cancelled. */
  until<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCancel(reject);
      promise.then(resolve, reject);
    });
  }
}
