import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../clock.js";
import type { EventPayloads } from "../events/index.js";
import { LinkedList } from "../linked-list.js";
import { Admission } from "./admission.js";
import { aborted, alreadyAborted, CLOSED, full, late } from "./call-failure.js";
import { optionsFailure } from "./call-options.js";
import { checkPublisher } from "./configuration-check.js";
import { Dispatcher } from "./dispatcher.js";
import type { Envelope } from "./encode-event.js";
import type { EventToCreate } from "./event-to-create.js";
import { type Invocation, type InvocationResult, invokedEvents, OPERATIONS } from "./invocation.js";
import { checkPayloads, encodeAll, listOf } from "./preparation.js";
import type { CreateOptions, Publisher } from "./publisher.js";
import { publishingBinding, type SendingBinding } from "./publishing-binding.js";
import type { PublisherOptions } from "./settings.js";
import { type FilledSettings, withDefaults } from "./settings-defaults.js";
import { Submission } from "./submission.js";
import { PublisherTelemetry } from "./telemetry.js";
import { timestamps } from "./timestamps.js";
import { TopicClient } from "./topic-client.js";
import { TopicCredential } from "./topic-credential.js";
import { TopicPause } from "./topic-pause.js";
import { TopicRequests } from "./topic-requests.js";
import type { CreateSpan } from "./tracing.js";

/**
 * Makes a publisher for a binding's topic. It connects when the first event is created.
 *
 * @example
 * ```ts
 * const publisher = createPublisher(bindingFromEnvironment("ORDERS"), { events: orders });
 * const [id] = await publisher.create({ type: "shop.order.placed", data: { orderId: "17" } });
 * await publisher.close();
 * ```
 *
 * @throws {BindingConfigurationError} when nothing but the binding is wrong
 * @throws {PublisherConfigurationError} otherwise, with all problems, the binding's too
 */
export function createPublisher<P extends EventPayloads = EventPayloads>(
  binding: SendingBinding,
  options: PublisherOptions<P> = {},
): Publisher<P> {
  return new EventPublisher(binding, options);
}

class EventPublisher<P extends EventPayloads> implements Publisher<P> {
  readonly operations = OPERATIONS;
  readonly #settings: FilledSettings;
  readonly #envelope: Envelope;
  readonly #schemas;
  readonly #clock: Clock;
  readonly #telemetry: PublisherTelemetry;
  readonly #admission: Admission;
  readonly #pause: TopicPause;
  readonly #dispatcher: Dispatcher;
  readonly #client: TopicClient;
  readonly #open = new LinkedList<Submission>();
  #closed = false;

  constructor(given: SendingBinding, options: PublisherOptions<P>) {
    checkPublisher(given, options);
    const binding = publishingBinding(given);
    const { events, clock = systemClock, newId = randomUUID, random = Math.random } = options;
    this.#settings = withDefaults(options, binding.name);
    this.#schemas = (options.checkPayloads ?? true) ? events?.schemas : undefined;
    this.#envelope = {
      source: this.#settings.source,
      newId,
      timestamp: timestamps(() => clock.now()),
      maxEventBytes: this.#settings.maxEventBytes,
      types: events && new Set(events.types),
    };
    this.#clock = clock;
    this.#telemetry = new PublisherTelemetry(binding.endpoint, options.telemetry);
    this.#admission = new Admission(this.#settings.queue);
    this.#client = new TopicClient(binding, options.client);
    const { attemptTimeoutMs } = this.#settings;
    const requests = new TopicRequests({
      binding,
      client: this.#client,
      credential: new TopicCredential(binding, options, clock, attemptTimeoutMs),
      clock,
      attemptTimeoutMs,
      telemetry: this.#telemetry,
    });
    this.#pause = new TopicPause(clock, this.#settings.timeoutMs);
    this.#dispatcher = new Dispatcher(this.#settings.dispatch, {
      send: (batch) => requests.send(batch),
      clock,
      pause: this.#pause,
      random,
    });
  }

  create(
    events: EventToCreate<P> | readonly EventToCreate<P>[],
    options?: CreateOptions,
  ): Promise<string[]> {
    return this.#create(events, options);
  }

  async flush(): Promise<void> {
    // Not by their promises: to wait for a failure is to handle it, which is their callers' affair.
    const settled = (call: Submission) => new Promise<void>((resolve) => call.until(resolve));
    await Promise.all([...this.#open].map(settled));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    this.#client.close();
  }

  async invoke(invocation: Invocation, options?: CreateOptions): Promise<InvocationResult> {
    return { ids: await this.#create(invokedEvents(invocation), options) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #create(
    given: EventToCreate | readonly EventToCreate[],
    options?: CreateOptions,
  ): Promise<string[]> {
    let events: readonly EventToCreate[] = [];
    let span: CreateSpan | undefined;
    try {
      events = listOf(given);
      if (events.length === 0) return Promise.resolve([]);
      span = this.#telemetry.create();
      return this.#submit(events, options, span).promise;
    } catch (error) {
      this.#telemetry.malformed(events.length, span, error);
      return Promise.reject(error);
    }
  }

  #submit(
    events: readonly EventToCreate[],
    options: CreateOptions | undefined,
    span: CreateSpan | undefined,
  ): Submission {
    const encoded = encodeAll(events, this.#envelope, this.#telemetry.attributes(span));
    const refused = this.#closed ? CLOSED : (optionsFailure(options) ?? alreadyAborted(options));
    const checking =
      refused === undefined && this.#schemas
        ? checkPayloads(events, encoded, this.#schemas)
        : undefined;
    const { signal, timeoutMs = this.#settings.timeoutMs } = options ?? {};
    const deadline = this.#clock.now() + timeoutMs;
    const submission = new Submission(encoded, deadline, this.#settled, span);
    this.#open.add(submission);
    this.#telemetry.submitted(submission);
    if (refused !== undefined) {
      submission.giveUp(refused);
      return submission;
    }
    const stop = this.#clock.schedule(timeoutMs, () => {
      submission.giveUp(late(timeoutMs, submission.lastFailure ?? this.#pause.reason()));
    });
    submission.until(stop);
    if (signal) submission.until(onAbort(signal, () => submission.giveUp(aborted(signal))));
    if (checking === undefined) this.#admit(submission);
    else {
      checking.then(
        () => this.#admit(submission),
        (error) => submission.refuse(error),
      );
    }
    return submission;
  }

  #admit(submission: Submission): void {
    if (submission.settled) return;
    if (this.#settings.failWhenFull && this.#admission.isFullFor(submission)) {
      submission.giveUp(full(this.#settings.queue));
    } else {
      this.#admission.admit(submission, () => this.#dispatcher.submit(submission));
    }
  }

  readonly #settled = (submission: Submission, error: unknown): void => {
    this.#open.remove(submission);
    this.#admission.leave(submission);
    if (this.#open.first === undefined) this.#pause.stopWaiting();
    this.#telemetry.settled(submission, error);
  };
}

function onAbort(signal: AbortSignal, callback: () => void): () => void {
  signal.addEventListener("abort", callback, { once: true });
  return () => signal.removeEventListener("abort", callback);
}
