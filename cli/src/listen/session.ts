import { MINUTE_MS, SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import type { DeliveryAttempt } from "cloud-eventgrid-local";
import { counted } from "../numbers.js";
import { CommandError, oneLine, shownUrl, type Terminal } from "../terminal/index.js";
import type { LocalDelivery } from "./delivery.js";
import type { LocalService } from "./local-service.js";
import type { Recording } from "./recording.js";
import { type QueueSource, type ReceivedEvent, Refused } from "./source/index.js";

/** Events that are held while the service does not accept them. The others wait in Azure. */
const MAX_HELD = 1000;

/** Milliseconds between renewals of the event subscription: a quarter of its life. */
const RENEWAL_MS = 15 * MINUTE_MS;
/** Milliseconds between looks at the clock, because timers stand still while a machine sleeps. */
const CLOCK_MS = MINUTE_MS;
/** Milliseconds after which something that failed is tried again. */
const RETRY_MS = 5000;
/** Milliseconds between looks at whether the service has accepted some of the events. */
const FULL_MS = SECOND_MS;

export interface SessionParts {
  readonly terminal: Terminal;
  readonly source: Pick<QueueSource, "receive" | "settle" | "renew" | "lost">;
  readonly service: LocalService;
  readonly delivery: Pick<LocalDelivery, "subscribe" | "deliver" | "isBusy" | "authorityHost">;
  readonly recording: Pick<Recording, "add"> | undefined;
  readonly now: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly interruption: AbortSignal;
}

/** What the session reads of an attempt. */
type Attempt = Pick<
  DeliveryAttempt,
  "status" | "error" | "outcome" | "nextAttemptAt" | "durationMs"
> & {
  readonly events: readonly Pick<
    DeliveryAttempt["events"][number],
    "id" | "source" | "type" | "subject"
  >[];
};

/** Takes events from Azure and settles them when the service has accepted them. */
export class Session {
  /** Events that are with the service, by their keys. */
  readonly #held = new Map<string, ReceivedEvent>();
  /** The keys of events that are with the service, by source and ID. */
  readonly #keys = new Map<string, string[]>();
  /** Keys of events that are done, and that Azure may hand out once more. */
  readonly #done = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #settling = new Set<Promise<void>>();
  readonly #failure = new AbortController();
  readonly #end: AbortSignal;
  #renewalDue: number;
  #received = 0;
  #accepted = 0;
  #deadLettered = 0;
  #lost = 0;
  #isRefusalExplained = false;

  constructor(private readonly parts: SessionParts) {
    this.#end = AbortSignal.any([parts.interruption, this.#failure.signal]);
    this.#renewalDue = parts.now() + RENEWAL_MS;
  }

  /**
   * Runs until it is interrupted.
   *
   * @throws {CommandError} when Azure refuses to hand events out
   */
  async run(): Promise<void> {
    const { terminal, delivery, service } = this.parts;
    const renewing = this.#untilEnd(() => this.#renew());
    // Its failure is reported below.
    renewing.catch(() => undefined);
    try {
      await delivery.subscribe(
        this.#end,
        (milliseconds) => this.#wait(milliseconds),
        (reason) =>
          terminal.out(`waiting for the service at ${shownUrl(service.url)}: ${reason}\n`),
      );
      if (!this.#end.aborted) terminal.out(`${this.#time()}  the service consents\n`);
      await this.#untilEnd(() => this.#receive());
    } finally {
      this.#failure.abort();
      await renewing;
      await Promise.all(this.#settling);
      await this.#countLost();
    }
  }

  /** Reports what became of an event. */
  attempted({ events, status, error, outcome, nextAttemptAt, durationMs }: Attempt): void {
    for (const { id, source, type, subject } of events) {
      const answer = status ?? `no answer (${error})`;
      const then = {
        delivered: `in ${Math.round(durationMs)} ms`,
        retrying: `next attempt at ${clockTime(nextAttemptAt ?? 0)}`,
        deadLettered: "dead-lettered, see the dashboard",
        dropped: "dropped",
      }[outcome];
      const parts = [type, subject, id].filter((text) => text !== undefined);
      const what = [...parts, `${answer}, ${then}`].map(oneLine).join("  ");
      this.parts.terminal.out(`${this.#time()}  ${what}\n`);
      if (status === 401) this.#explainRefusedToken();
      if (outcome === "retrying") continue;
      const key = this.#keys.get(identity(source, id))?.shift();
      // Without a key, it was sent from the dashboard.
      if (key === undefined) continue;
      if (outcome === "delivered") this.#accepted += 1;
      else this.#deadLettered += 1;
      this.#settle(key);
    }
  }

  summary(): string {
    const counts = [
      `${this.#accepted} accepted`,
      ...(this.#deadLettered > 0 ? [`${this.#deadLettered} dead-lettered`] : []),
      ...(this.#held.size > 0 ? [`${this.#held.size} not accepted yet`] : []),
      ...(this.#unreadable.size > 0 ? [`${this.#unreadable.size} not readable`] : []),
    ];
    return `\n${counted(this.#received, "event")} arrived: ${counts.join(", ")}.\n`;
  }

  #explainRefusedToken(): void {
    if (this.#isRefusalExplained) return;
    this.#isRefusalExplained = true;
    const { terminal, service, delivery } = this.parts;
    terminal.error(
      `The service refuses the token. Start it with ${service.issuerVariable}=${delivery.authorityHost}, and send the event again in the dashboard.\n`,
    );
  }

  async #receive(): Promise<void> {
    const { source } = this.parts;
    if (this.#held.size >= MAX_HELD) return this.#wait(FULL_MS);
    for (const event of await source.receive(this.#end)) await this.#take(event);
  }

  async #take(event: ReceivedEvent): Promise<void> {
    const { key, text } = event;
    if (this.#unreadable.has(key)) return;
    if (this.#done.has(key)) {
      this.#held.set(key, event);
      return this.#settle(key);
    }
    const isKnown = this.#held.has(key);
    this.#held.set(key, event);
    // The event is with the service, unless somebody has reset the local Azure in the dashboard.
    if (isKnown && this.parts.delivery.isBusy) return;
    if (!isKnown) {
      const id = identityIn(text);
      if (id === undefined) return this.#leave(event, "it is no CloudEvent");
      this.#received += 1;
      this.parts.recording?.add(event, new Date(this.parts.now()));
      this.#keys.set(id, [...(this.#keys.get(id) ?? []), key]);
    }
    const problem = await this.parts.delivery.deliver(text);
    if (problem !== undefined) this.#leave(event, problem);
  }

  /** Leaves a message that cannot be delivered where it is, and goes on. */
  #leave({ key }: ReceivedEvent, problem: string): void {
    this.#held.delete(key);
    this.#unreadable.add(key);
    this.parts.terminal.error(`The message ${key} cannot be delivered: ${oneLine(problem)}\n`);
  }

  #settle(key: string): void {
    const event = this.#held.get(key);
    this.#held.delete(key);
    this.#done.add(key);
    if (event === undefined) return;
    const settling = this.parts.source.settle(event).then((isSettled) => {
      if (isSettled) this.#done.delete(key);
      this.#settling.delete(settling);
    });
    this.#settling.add(settling);
  }

  async #renew(): Promise<void> {
    while (this.parts.now() < this.#renewalDue) {
      await this.#wait(CLOCK_MS);
      if (this.#end.aborted) return;
    }
    const expired = await this.parts.source.renew();
    this.#renewalDue = this.parts.now() + RENEWAL_MS;
    await this.#countLost();
    if (expired === undefined) return;
    this.parts.terminal.error(
      `The event subscription had expired at ${clockTime(expired)}, for example because this machine slept. It exists again; events since then did not arrive.\n`,
    );
  }

  /** Reports events that did not fit into a message. Metrics lag by minutes. */
  async #countLost(): Promise<void> {
    const lost = (await this.parts.source.lost().catch(() => undefined)) ?? this.#lost;
    if (lost <= this.#lost) return;
    this.parts.terminal.error(
      `Event Grid dropped ${counted(lost, "event")} (DroppedEventCount), probably larger than a queue message.\n`,
    );
    this.#lost = lost;
  }

  /** Repeats work; when Azure cannot be reached, says so once and goes on. */
  async #untilEnd(work: () => Promise<void>): Promise<void> {
    let isInterrupted = false;
    while (!this.#end.aborted) {
      try {
        await work();
        if (isInterrupted) this.parts.terminal.error("Azure can be reached again.\n");
        isInterrupted = false;
      } catch (error) {
        if (this.#end.aborted) return;
        if (!(error instanceof CommandError) || error instanceof Refused) {
          this.#failure.abort();
          throw error;
        }
        if (!isInterrupted) this.parts.terminal.error(`${error.message}; trying again\n`);
        isInterrupted = true;
        await this.#wait(RETRY_MS);
      }
    }
  }

  #wait(milliseconds: number): Promise<void> {
    return this.parts.wait(milliseconds, this.#end);
  }

  #time(): string {
    return clockTime(this.parts.now());
  }
}

function clockTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** Two events with the same source and ID are the same event in CloudEvents. */
function identity(source: string, id: string): string {
  return `${source}\n${id}`;
}

function identityIn(text: string): string | undefined {
  try {
    const { source, id } = Object(JSON.parse(text)) as { source?: unknown; id?: unknown };
    return typeof source === "string" && typeof id === "string" ? identity(source, id) : undefined;
  } catch {
    return undefined;
  }
}
