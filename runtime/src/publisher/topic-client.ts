import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { EventGridPublisherClient, type EventGridPublisherClientOptions } from "@azure/eventgrid";
import type { SdkCredential } from "./credential-source.js";
import type { Exchange } from "./exchange.js";
import { mayHaveTaken } from "./failure.js";
import { ProxiedError, proxyOf } from "./proxy.js";
import type { PublishingBinding } from "./publishing-binding.js";
import { TopicConnections } from "./topic-connections.js";

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
  /** What it came through, if anything. */
  readonly proxy: string | undefined;
  header(name: string): string | undefined;
}

const BATCH = "application/cloudevents-batch+json; charset=utf-8";
/** Tells which request it is; it never leaves this process. */
const NUMBER_HEADER = "x-publisher-request";

interface Posting {
  readonly body: Buffer;
  readonly exchange: Exchange;
  proxy?: string | undefined;
  answer?: TopicAnswer;
}

/** Posts exact bytes to a topic through the SDK's client: its credentials, policies and pipeline. */
export class TopicClient {
  readonly #binding: PublishingBinding;
  readonly #options: ClientOptions;
  /** The requests under way. */
  readonly #postings = new Map<string, Posting>();
  readonly #connections: TopicConnections;
  #lastNumber = 0;
  #credential: SdkCredential | undefined;
  #client: EventGridPublisherClient<"Custom"> | undefined;

  constructor(binding: PublishingBinding, options: ClientOptions = {}) {
    this.#binding = binding;
    this.#options = options;
    this.#connections = new TopicConnections(options.httpClient, options.tlsOptions);
  }

  /**
   * Posts once; whatever the topic answers is an answer.
   *
   * @throws what the SDK throws when there is no answer
   */
  async post(body: Buffer, credential: SdkCredential, exchange: Exchange): Promise<TopicAnswer> {
    this.#lastNumber += 1;
    const number = String(this.#lastNumber);
    const posting: Posting = { body, exchange };
    this.#postings.set(number, posting);
    // Whatever holds the request back now must not send it later.
    exchange.endedBy(() => this.#postings.delete(number));
    try {
      await this.#clientWith(credential).send([], {
        requestOptions: { shouldDeserialize: false, customHeaders: { [NUMBER_HEADER]: number } },
        // The SDK keeps it as a WeakMap's value: that outlives one collection of young garbage, with
        // all that it leads to. So it leads to a number, not to the request and its answer.
        onResponse: (response) => this.#answered(number, response),
      });
    } catch (error) {
      // The SDK also throws when it cannot read an answer's body, which says nothing of its status.
      if (posting.answer === undefined) {
        throw posting.proxy === undefined ? error : new ProxiedError(posting.proxy, error);
      }
    } finally {
      this.#postings.delete(number);
    }
    if (posting.answer === undefined) throw new Error("the SDK's client gave no answer");
    return posting.answer;
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#connections.close();
  }

  /** A client has the credential it was made with, and keeps its token: another one, another client. */
  #clientWith(credential: SdkCredential): EventGridPublisherClient<"Custom"> {
    if (this.#client !== undefined && this.#credential === credential) return this.#client;
    const { additionalPolicies = [], ...options } = this.#options;
    // "Custom" only means that the client does not convert what it is given, which is nothing.
    this.#client = new EventGridPublisherClient(this.#url(credential), "Custom", credential, {
      ...options,
      httpClient: { sendRequest: (request) => this.#send(request) },
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

  /** The SDK takes the environment's proxy for this machine, too, where a proxy leads nowhere. */
  #sparesProxy(): boolean {
    const { agent, proxyOptions } = this.#options;
    return this.#binding.loopback && agent === undefined && proxyOptions === undefined;
  }

  #exactBytes(): Policy {
    return {
      name: "exactCloudEvents",
      sendRequest: async (request, next) => {
        const posting = this.#posting(request.headers.get(NUMBER_HEADER));
        const { body } = posting;
        if (this.#sparesProxy()) delete request.agent;
        posting.proxy = proxyOf(request.agent);
        request.headers.set("Content-Type", BATCH);
        request.headers.set("Content-Length", body.length);
        request.body = body;
        if (this.#binding.insecure) request.url = request.url.replace(/^https:/, "http:");
        return next(request);
      },
    };
  }

  #answered(number: string, { status, bodyAsText, headers }: PipelineResponse): void {
    const posting = this.#posting(number);
    posting.answer = {
      status,
      body: bodyAsText ?? "",
      proxy: posting.proxy,
      header: (name) => headers.get(name),
    };
  }

  /** @throws when the request was given up meanwhile */
  #posting(number: string | undefined): Posting {
    const posting = this.#postings.get(number ?? "");
    if (posting === undefined) throw new Error("the request was given up");
    return posting;
  }

  /** The request is known by its header even where a policy passes on a copy. */
  async #send(request: PipelineRequest): Promise<PipelineResponse> {
    const { headers } = request;
    const number = headers.get(NUMBER_HEADER);
    const { exchange } = this.#posting(number);
    headers.delete(NUMBER_HEADER);
    if (exchange.waitsFor === "answer") exchange.isRepeated = true;
    try {
      const answer = await this.#connections.send(request, exchange);
      // Nothing of it was taken; what comes next is another key or token, or a policy's affair.
      if (!mayHaveTaken(answer.status)) exchange.waitsFor = "pipeline";
      return answer;
    } finally {
      // It comes by again when its token is challenged, or a policy sends it once more.
      headers.set(NUMBER_HEADER, number ?? "");
    }
  }
}
