import type { Dispatcher } from "undici";
import {
  type Attempt,
  type AuthorizationHeader,
  authorized,
  type Connections,
  type Credentials,
  chooseCredentials,
  dispatch,
  type HttpResponse,
  USER_AGENT,
} from "../../transport/index.js";
import type { PublisherSettings } from "../settings/index.js";
import type { PublisherTelemetry, RequestDetails } from "../telemetry.js";
import { attemptTimeout, noResponse, type RequestFailure, refusal } from "./failure.js";

export interface RequestContent extends RequestDetails {
  readonly body: Buffer;
}

export type AttemptResult = "accepted" | RequestFailure;

const CONTENT_TYPE = "application/cloudevents-batch+json; charset=utf-8";

/** Sends requests to the topic. */
export class Transport {
  readonly #settings: PublisherSettings;
  readonly #origin: string;
  readonly #path: string;
  readonly #credentials: Credentials;

  constructor(
    settings: PublisherSettings,
    private readonly connections: Connections,
    private readonly telemetry: PublisherTelemetry,
  ) {
    this.#settings = settings;
    const { topic, clock, attemptTimeoutMs } = settings;
    this.#origin = topic.endpoint.origin;
    this.#path = `${topic.endpoint.pathname}?api-version=${topic.apiVersion}`;
    this.#credentials = chooseCredentials(settings, {
      bindingKey: topic.accessKey,
      scope: topic.publishScope,
      headers: topic.secretHeaders,
      cache: { clock, timeoutMs: attemptTimeoutMs },
    });
  }

  /**
   * Makes one attempt to have events accepted. It takes `attemptTimeoutMs` at most, even if the
   * credential, the connection or the topic hangs.
   *
   * @param attempt reports how far it is, and can cancel it
   * @param content called when the events are about to be sent, which may be a while later
   */
  async send(attempt: Attempt, content: () => RequestContent): Promise<AttemptResult> {
    const { clock, attemptTimeoutMs, topic } = this.#settings;
    const { proxy } = this.connections;
    let isLate = false;
    const stopTimer = clock.schedule(attemptTimeoutMs, () => {
      isLate = true;
      attempt.cancel();
    });
    try {
      const response = await authorized(this.#credentials, attempt, (header) =>
        this.#request(attempt, header, content()),
      );
      return response.status === 200 ? "accepted" : refusal(response, topic, proxy, clock.now());
    } catch (error) {
      return isLate
        ? attemptTimeout(topic, this.#credentials.name, attemptTimeoutMs, attempt.stage)
        : noResponse(error, topic, proxy, attempt.stage);
    } finally {
      stopTimer();
    }
  }

  #request(
    attempt: Attempt,
    { name, value }: AuthorizationHeader,
    content: RequestContent,
  ): Promise<HttpResponse> {
    const options: Dispatcher.DispatchOptions = {
      origin: this.#origin,
      path: this.#path,
      method: "POST",
      headers: ["content-type", CONTENT_TYPE, "user-agent", USER_AGENT, name, value],
      body: content.body,
      // The attempt has its own timer. The body of a 200 may outlast it, so it needs its own limit.
      headersTimeout: 0,
      bodyTimeout: this.#settings.attemptTimeoutMs,
    };
    return this.telemetry.request(content, () =>
      dispatch(this.connections.dispatcher, options, attempt),
    );
  }
}
