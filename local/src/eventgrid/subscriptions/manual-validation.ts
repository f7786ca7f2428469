import { randomUUID } from "node:crypto";
import { type Route, sendJson } from "../../http/index.js";
import type { TimerClock } from "../../simulation/index.js";

/**
 * Time for a person to open the validation URL.
 *
 * @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
 */
const TIMEOUT_MS = 10 * 60_000;

interface Validation {
  /** The URL that validates the webhook. */
  readonly url: string;
  /** `true` once the URL is called, `false` after the timeout. */
  readonly completed: Promise<boolean>;
  end(): void;
}

/** Handshakes of the Event Grid schema that end when the validation URL is opened. */
export class ManualValidations {
  readonly #pending = new Map<string, (validated: boolean) => void>();

  constructor(
    private readonly origin: string,
    private readonly clock: Pick<TimerClock, "schedule">,
  ) {}

  begin(subscriptionName: string): Validation {
    const id = randomUUID();
    const path = `/eventsubscriptions/${encodeURIComponent(subscriptionName)}/validate`;
    const completed = new Promise<boolean>((resolve) => this.#pending.set(id, resolve));
    const cancelTimeout = this.clock.schedule(TIMEOUT_MS, () => this.#end(id, false));
    return {
      url: `${this.origin}${path}?id=${id}`,
      completed,
      end: () => {
        cancelTimeout();
        this.#end(id, false);
      },
    };
  }

  /** Ends every pending handshake without success. */
  stop(): void {
    for (const id of this.#pending.keys()) this.#end(id, false);
  }

  /** `GET /eventsubscriptions/{name}/validate?id=…` */
  route(): Route {
    return (exchange) => {
      const { method, url } = exchange;
      if (method !== "GET" || !/^\/eventsubscriptions\/[^/]+\/validate$/.test(url.pathname)) {
        return false;
      }
      const validated = this.#end(url.searchParams.get("id") ?? "", true);
      sendJson(
        exchange,
        validated ? 200 : 404,
        validated
          ? "Webhook successfully validated as a subscription endpoint."
          : { error: { code: "NotFound", message: "No event subscription awaits validation." } },
      );
      return true;
    };
  }

  #end(id: string, validated: boolean): boolean {
    const resolve = this.#pending.get(id);
    resolve?.(validated);
    return this.#pending.delete(id);
  }
}
