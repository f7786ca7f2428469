import type { VerifiedCaller } from "../../handling/index.js";
import { loggableError } from "../../observability/index.js";
import { settlesWithin, type Timer } from "../../time.js";
import type { Exchange } from "../exchange.js";
import type { SubscriptionEnd, WebhookSettings } from "../settings/index.js";
import type { Capacity } from "./capacity.js";
import { headerText } from "./delivery.js";
import type { Draining } from "./draining.js";
import { answerEarly, Refusal } from "./responses.js";

const VALIDATION = "subscriptionvalidation";

/** The notices by their `aeg-event-type` in lower case. */
const ends: ReadonlyMap<string, SubscriptionEnd["kind"]> = new Map([
  ["subscriptiondeletion", "SubscriptionDeletion"],
  ["unsubscribe", "Unsubscribe"],
]);

/** Handles the requests in which Event Grid reports a change of the subscription itself. */
export class LifecycleNotices {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly capacity: Capacity,
    private readonly draining: Draining,
    private readonly timer: Timer,
  ) {}

  /**
   * Responds to a notice.
   *
   * @returns false for a request that is a delivery of events, which it leaves alone
   * @throws {Refusal} for a validation event of another schema, and when the listener is over capacity
   */
  take(caller: VerifiedCaller, exchange: Exchange): boolean {
    const { headers } = exchange;
    const kind = headerText(headers["aeg-event-type"]);
    if (kind === undefined || kind === "Notification") return false;
    const lowerCase = kind.toLowerCase();
    if (lowerCase === VALIDATION) {
      if (this.settings.schema === "eventgrid") return false;
      throw new Refusal(
        400,
        "the subscription delivers in Event Grid's own schema: set it to CloudEvents, or the listener's schema to eventgrid",
      );
    }
    const end = ends.get(lowerCase);
    if (end === undefined) return false;
    if (!this.capacity.tryTake(0)) throw new Refusal(503, "over capacity");
    const subscriptionName = headerText(headers["aeg-subscription-name"]);
    exchange.log.info({ kind: end, subscription: subscriptionName }, "subscription ended");
    void this.#report({ kind: end, subscriptionName, caller }, exchange);
    return true;
  }

  async #report(end: SubscriptionEnd, exchange: Exchange): Promise<void> {
    const { capacity, draining } = this;
    const { deadlineMs, onSubscriptionEnd } = this.settings;
    draining.enter();
    exchange.whenClosed(() => draining.leave());
    const reported = Promise.resolve(end).then(onSubscriptionEnd);
    // Like a handler, the callback keeps its place until it has ended.
    const release = () => capacity.release(0);
    reported.then(release, release);
    try {
      const isDone = await settlesWithin(deadlineMs, reported, this.timer);
      if (!isDone) exchange.log.error("onSubscriptionEnd timed out");
      answerEarly(exchange, isDone ? 200 : 503);
    } catch (error) {
      exchange.log.error({ err: loggableError(error) }, "onSubscriptionEnd failed");
      answerEarly(exchange, 503);
    }
  }
}
