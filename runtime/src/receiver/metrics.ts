import type { Attributes, MeterProvider } from "@opentelemetry/api";
import { HandlingMetrics } from "../handling/index.js";
import type { Timer } from "../time.js";

/** A request of a receiver. */
export type Operation = "receive" | "acknowledge" | "release" | "reject" | "renewLock";

/** The receiver's metrics. Every attribute has few values. */
export class ReceiverMetrics extends HandlingMetrics {
  readonly #requests;
  readonly #inFlight;
  readonly #settled;
  readonly #lostLocks;

  constructor(timer: Timer, provider: MeterProvider | undefined, destination: Attributes) {
    super("eventgrid.receiver", timer, provider, destination);
    this.#requests = this.durations(
      "messaging.client.operation.duration",
      "Duration of requests to the namespace, by operation and status",
    );
    const inFlight = "Events that were received and not handled yet";
    this.#inFlight = this.gauge("events.in_flight", "{event}", inFlight);
    const settled = "Events that were acknowledged, released or rejected";
    this.#settled = this.counter("settlements", "{event}", settled);
    const lostLocks = "Events whose lock ran out before their settlement was confirmed";
    this.#lostLocks = this.counter("lost_locks", "{event}", lostLocks);
  }

  /** @param status of the response; `undefined` when there was none */
  request(operation: Operation, status: number | undefined, startedAtMs: number): void {
    if (!this.isOn) return;
    const key = status ?? "no_response";
    const attributes = this.cached(`${operation} ${key}`, () => ({
      ...this.operation(operation),
      "messaging.operation.type": operation === "receive" ? "receive" : "settle",
      ...(status !== undefined && { "http.response.status_code": status }),
      ...(status !== 200 && { "error.type": String(key) }),
    }));
    this.#requests.record((this.now() - startedAtMs) / 1000, attributes);
  }

  received(events: number): void {
    this.consumed("receive", events);
  }

  inFlight(change: number): void {
    if (this.isOn) this.#inFlight.add(change);
  }

  settled(operation: Operation, events: number): void {
    if (this.isOn) this.#settled.add(events, this.single("messaging.operation.name", operation));
  }

  lostLock(): void {
    this.#lostLocks.add(1);
  }
}
