import type { Batch } from "./batch.js";
import type { PublisherClock } from "./clock.js";
import { attemptTimeout, noAnswer, type RequestFailure, refusal } from "./failure.js";
import type { PublisherTelemetry } from "./telemetry.js";
import type { TopicAnswer, TopicClient } from "./topic-client.js";
import type { SdkCredential, TopicCredential } from "./topic-credential.js";

/** How one attempt ended: `again` when a renewed key or token is worth another at once. */
export type AttemptResult = "accepted" | "again" | RequestFailure;

/** What requests are made with. */
export interface RequestParts {
  readonly endpoint: URL;
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
    const { clock, attemptTimeoutMs, endpoint } = this.#parts;
    const controller = new AbortController();
    batch.cancel = () => controller.abort();
    let late = false;
    const stop = clock.schedule(attemptTimeoutMs, () => {
      late = true;
      controller.abort();
    });
    try {
      return await this.#attempt(batch, controller.signal);
    } catch (error) {
      return late ? attemptTimeout(endpoint, attemptTimeoutMs) : noAnswer(error, endpoint);
    } finally {
      stop();
      batch.cancel = undefined;
      batch.sending = false;
    }
  }

  async #attempt(batch: Batch, signal: AbortSignal): Promise<AttemptResult> {
    const { endpoint, clock } = this.#parts;
    const asked = this.#parts.credential.get();
    const credential = asked instanceof Promise ? await orAborted(asked, signal) : asked;
    const answer = await this.#post(batch, credential, signal);
    if (answer.status === 200) return "accepted";
    if (answer.status === 401 && !batch.renewed) {
      const renewed = await orAborted(this.#parts.credential.renew(credential), signal);
      if (renewed !== credential) {
        batch.renewed = true;
        return "again";
      }
    }
    return refusal(answer, endpoint, clock.now());
  }

  #post(batch: Batch, credential: SdkCredential, signal: AbortSignal): Promise<TopicAnswer> {
    const { client, telemetry } = this.#parts;
    const body = batch.body();
    batch.sending = true;
    return telemetry.request(batch, body.length, () => client.post(body, credential, signal));
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("the request was given up"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
