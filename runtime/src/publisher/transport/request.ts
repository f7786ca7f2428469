import type { Dispatcher } from "undici";
import type { Clock } from "../../time.js";
import {
  type Attempt,
  type AuthorizationHeader,
  authorized,
  type Connections,
  type Credentials,
  dispatch,
  type HttpResponse,
  USER_AGENT,
} from "../../transport/index.js";
import type { PublisherTelemetry, RequestDetails } from "../telemetry.js";
import type { Topic } from "../topic.js";
import { attemptTimeout, noResponse, type RequestFailure, refusal } from "./failure.js";

/** The content of a request. */
export interface RequestContent extends RequestDetails {
  readonly body: Buffer;
}

/** How an attempt ended. */
export type AttemptResult = "accepted" | RequestFailure;

export interface TransportDependencies {
  readonly topic: Topic;
  readonly connections: Connections;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly attemptTimeoutMs: number;
  readonly telemetry: PublisherTelemetry;
}

const CONTENT_TYPE = "application/cloudevents-batch+json; charset=utf-8";

/** Sends requests to the topic. */
export class Transport {
  readonly #dependencies: TransportDependencies;
  readonly #origin: string;
  readonly #path: string;

  constructor(dependencies: TransportDependencies) {
    const { origin, pathname } = dependencies.topic.endpoint;
    this.#dependencies = dependencies;
    this.#origin = origin;
    this.#path = `${pathname}?api-version=${dependencies.topic.apiVersion}`;
  }

  /**
   * Makes one attempt to have events accepted. It takes `attemptTimeoutMs` at most, even if the
   * credential, the connection or the topic hangs.
   *
   * @param attempt reports how far it is, and can cancel it
   * @param content called when the events are about to be sent, which may be a while later
   */
  async send(attempt: Attempt, content: () => RequestContent): Promise<AttemptResult> {
    const { clock, attemptTimeoutMs, topic, connections, credentials } = this.#dependencies;
    let isLate = false;
    const stopTimer = clock.schedule(attemptTimeoutMs, () => {
      isLate = true;
      attempt.cancel();
    });
    try {
      const response = await authorized(credentials, attempt, (header) =>
        this.#request(attempt, header, content()),
      );
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

  #request(
    attempt: Attempt,
    { name, value }: AuthorizationHeader,
    content: RequestContent,
  ): Promise<HttpResponse> {
    const { connections, attemptTimeoutMs, telemetry } = this.#dependencies;
    const options: Dispatcher.DispatchOptions = {
      origin: this.#origin,
      path: this.#path,
      method: "POST",
      headers: ["content-type", CONTENT_TYPE, "user-agent", USER_AGENT, name, value],
      body: content.body,
      // The attempt has its own timer. The body of a 200 may outlast it, so it needs its own limit.
      headersTimeout: 0,
      bodyTimeout: attemptTimeoutMs,
    };
    return telemetry.request(content, () => dispatch(connections.dispatcher, options, attempt));
  }
}
