import { EventGridPublisherClient, type EventGridPublisherClientOptions } from "@azure/eventgrid";
import type { PublishingBinding } from "./publishing-binding.js";
import type { SdkCredential } from "./topic-credential.js";

/** Options of the SDK's client that may be set; the rest is the publisher's own affair. */
export type ClientOptions = Pick<
  EventGridPublisherClientOptions,
  | "additionalPolicies"
  | "agent"
  | "httpClient"
  | "proxyOptions"
  | "telemetryOptions"
  | "tlsOptions"
  | "userAgentOptions"
>;

type Policy = NonNullable<EventGridPublisherClientOptions["additionalPolicies"]>[number]["policy"];

/** What the topic answered. */
export interface TopicAnswer {
  readonly status: number;
  /** The body; empty when there was none. */
  readonly body: string;
  header(name: string): string | undefined;
}

const BATCH = "application/cloudevents-batch+json; charset=utf-8";

/** Posts exact bytes to a topic through the SDK's client: its credentials, policies and connections. */
export class TopicClient {
  readonly #binding: PublishingBinding;
  readonly #options: ClientOptions;
  /** The bytes of each request under way, by the signal that came with it. */
  readonly #bodies = new WeakMap<object, Buffer>();
  #credential: SdkCredential | undefined;
  #client: EventGridPublisherClient<"Custom"> | undefined;

  constructor(binding: PublishingBinding, options: ClientOptions = {}) {
    this.#binding = binding;
    this.#options = options;
  }

  /**
   * Posts once; whatever the topic answers is an answer.
   *
   * @param signal one that no other request has
   * @throws what the SDK throws when there is no answer
   */
  async post(body: Buffer, credential: SdkCredential, signal: AbortSignal): Promise<TopicAnswer> {
    this.#bodies.set(signal, body);
    let answer: TopicAnswer | undefined;
    try {
      await this.#clientWith(credential).send([], {
        abortSignal: signal,
        requestOptions: { shouldDeserialize: false },
        onResponse: ({ status, bodyAsText, headers }) => {
          answer = { status, body: bodyAsText ?? "", header: (name) => headers.get(name) };
        },
      });
    } catch (error) {
      // The SDK also throws when it cannot read an answer's body, which says nothing of its status.
      if (answer === undefined) throw error;
    }
    if (answer === undefined) throw new Error("the SDK's client gave no answer");
    return answer;
  }

  /** A client has the credential it was made with, and keeps its token: another one, another client. */
  #clientWith(credential: SdkCredential): EventGridPublisherClient<"Custom"> {
    if (this.#client !== undefined && this.#credential === credential) return this.#client;
    const { additionalPolicies = [], ...options } = this.#options;
    // "Custom" only means that the client does not convert what it is given, which is nothing.
    this.#client = new EventGridPublisherClient(this.#url(credential), "Custom", credential, {
      ...options,
      additionalPolicies: [
        { policy: this.#exactBytes(), position: "perRetry" },
        ...additionalPolicies,
      ],
      // The dispatcher repeats requests, knowing whose events are in them. A redirect would take
      // the key along.
      retryOptions: { maxRetries: 0 },
      redirectOptions: { maxRetries: 0 },
      allowInsecureConnection: this.#binding.insecure,
    });
    this.#credential = credential;
    return this.#client;
  }

  /** The SDK sends tokens to https URLs only; a topic on this machine gets its own URL back below. */
  #url(credential: SdkCredential): string {
    const { endpoint, insecure } = this.#binding;
    const needsTls = insecure && "getToken" in credential;
    return needsTls ? endpoint.href.replace(/^http:/, "https:") : endpoint.href;
  }

  #exactBytes(): Policy {
    return {
      name: "exactCloudEvents",
      sendRequest: (request, next) => {
        const body = request.abortSignal && this.#bodies.get(request.abortSignal);
        if (body === undefined) throw new Error("a request without its events");
        request.body = body;
        request.headers.set("Content-Type", BATCH);
        request.headers.set("Content-Length", body.length);
        if (this.#binding.insecure) request.url = request.url.replace(/^https:/, "http:");
        return next(request);
      },
    };
  }
}
