import type { Clock } from "../clock.js";
import type { Batch } from "./batch.js";
import { Exchange } from "./exchange.js";
import { attemptTimeout, noAnswer, type RequestFailure, refusal } from "./failure.js";
import type { PublishingBinding } from "./publishing-binding.js";
import type { PublisherTelemetry } from "./telemetry.js";
import type { TopicClient } from "./topic-client.js";
import type { TopicCredential } from "./topic-credential.js";

/** How one attempt ended: `again` when a renewed key or token is worth another at once. */
export type AttemptResult = "accepted" | "again" | RequestFailure;

/** What requests are made with. */
export interface RequestParts {
  readonly binding: PublishingBinding;
  readonly client: TopicClient;
  readonly credential: TopicCredential;
  readonly clock: Clock;
  readonly attemptTimeoutMs: number;
  readonly telemetry: PublisherTelemetry;
}

/** Makes the requests to the topic, one attempt each. */
export class TopicRequests {
  readonly #parts: RequestParts;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /**
   * Sends a batch once; never throws, and never lasts longer than an attempt may, whatever hangs: the
   * credential, a policy, the connection or the topic.
   */
  async send(batch: Batch): Promise<AttemptResult> {
    const { clock, attemptTimeoutMs, binding } = this.#parts;
    const exchange = new Exchange();
    batch.exchange = exchange;
    batch.cancel = () => exchange.giveUp();
    let late = false;
    const stop = clock.schedule(attemptTimeoutMs, () => {
      late = true;
      exchange.giveUp();
    });
    try {
      return await this.#attempt(batch, exchange);
    } catch (error) {
      return late ? this.#tooLate(exchange) : noAnswer(error, binding.endpoint, exchange.waitsFor);
    } finally {
      stop();
      exchange.over();
      batch.cancel = undefined;
      if (exchange.isRepeated) batch.mayHaveArrived();
    }
  }

  async #attempt(batch: Batch, exchange: Exchange): Promise<AttemptResult> {
    const { binding, clock, client, telemetry } = this.#parts;
    const asked = this.#parts.credential.get();
    const credential = asked instanceof Promise ? await exchange.during(asked) : asked;
    const body = batch.body();
    exchange.isWritten = true;
    const answer = await telemetry.request(batch, body.length, () =>
      exchange.during(client.post(body, credential, exchange)),
    );
    exchange.isWritten = false;
    if (answer.status === 200) return "accepted";
    if (answer.status === 401 && !batch.renewed) {
      const renewed = await exchange.during(this.#parts.credential.renew(credential));
      if (renewed !== credential) {
        batch.renewed = true;
        return "again";
      }
    }
    return refusal(answer, binding, clock.now());
  }

  #tooLate({ waitsFor }: Exchange): RequestFailure {
    const { attemptTimeoutMs, binding, credential } = this.#parts;
    const { endpoint } = binding;
    const overdue = waitsFor === "pipeline" ? credential.overdue() : undefined;
    return overdue === undefined
      ? attemptTimeout(endpoint, attemptTimeoutMs, waitsFor)
      : noAnswer(overdue, endpoint, waitsFor);
  }
}
