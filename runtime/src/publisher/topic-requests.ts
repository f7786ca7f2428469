import type { Batch } from "./batch.js";
import type { PublisherClock } from "./clock.js";
import { Exchange } from "./exchange.js";
import { attemptTimeout, noAnswer, type RequestFailure, refusal } from "./failure.js";
import type { PublishingBinding } from "./publishing-binding.js";
import type { PublisherTelemetry } from "./telemetry.js";
import type { TopicAnswer, TopicClient } from "./topic-client.js";
import type { SdkCredential, TopicCredential } from "./topic-credential.js";

/** How one attempt ended: `again` when a renewed key or token is worth another at once. */
export type AttemptResult = "accepted" | "again" | RequestFailure;

/** What requests are made with. */
export interface RequestParts {
  readonly binding: PublishingBinding;
  readonly client: TopicClient;
  readonly credential: TopicCredential;
  readonly clock: PublisherClock;
  readonly attemptTimeoutMs: number;
  readonly telemetry: PublisherTelemetry;
}

/** Makes the requests to the topic, one attempt each. */
export class TopicRequests {
  readonly #parts: RequestParts;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /** Sends a batch once; never throws. */
  async send(batch: Batch): Promise<AttemptResult> {
    const { clock, attemptTimeoutMs, binding } = this.#parts;
    const { endpoint } = binding;
    const exchange = new Exchange();
    batch.cancel = () => exchange.giveUp();
    let late = false;
    const stop = clock.schedule(attemptTimeoutMs, () => {
      late = true;
      exchange.giveUp();
    });
    try {
      return await this.#attempt(batch, exchange);
    } catch (error) {
      return late ? attemptTimeout(endpoint, attemptTimeoutMs) : noAnswer(error, endpoint);
    } finally {
      stop();
      batch.cancel = undefined;
      batch.sending = false;
    }
  }

  async #attempt(batch: Batch, exchange: Exchange): Promise<AttemptResult> {
    const { binding, clock } = this.#parts;
    const asked = this.#parts.credential.get();
    const credential = asked instanceof Promise ? await exchange.during(asked) : asked;
    const answer = await this.#post(batch, credential, exchange);
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

  #post(batch: Batch, credential: SdkCredential, exchange: Exchange): Promise<TopicAnswer> {
    const { client, telemetry } = this.#parts;
    const body = batch.body();
    batch.sending = true;
    return telemetry.request(batch, body.length, () => client.post(body, credential, exchange));
  }
}
