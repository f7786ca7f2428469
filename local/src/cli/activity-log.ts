import type { DeliveryAttempt } from "../eventgrid/delivery/delivery-attempt.js";
import type { Handshake } from "../eventgrid/subscriptions/index.js";

/**
 * Writes a line per handshake and delivery attempt, in the words that a person needs.
 *
 * @param awaited event subscriptions whose webhooks are asked again and again until they are up
 */
export function activityLog(print: (text: string) => void, awaited: ReadonlySet<string>) {
  const lastReasons = new Map<string, string | undefined>();
  return {
    onHandshake(handshake: Handshake): void {
      const { subscription, reason } = handshake;
      // A webhook that is not up yet fails the same way every few seconds: said once.
      const isSaid = reason !== undefined && lastReasons.get(subscription) === reason;
      if (!isSaid) print(`${handshakeLine(handshake)}\n`);
      if (awaited.has(subscription)) lastReasons.set(subscription, reason);
    },
    onDelivery(delivery: DeliveryAttempt): void {
      print(`${deliveryLine(delivery)}\n`);
    },
  };
}

/** One line about a handshake. The URL's query may be a secret and is left out. */
function handshakeLine(handshake: Handshake): string {
  const { at, subscription, url, succeeded, reason } = handshake;
  const outcome = succeeded ? "consented" : `failed: ${reason}`;
  return `${time(at)} handshake  ${subscription}  ${url.replace(/[?#].*$/s, "")}  ${outcome}`;
}

/** One line about a delivery attempt: whose, what, and what came of it. */
function deliveryLine(delivery: DeliveryAttempt): string {
  const { at, subscription, events, deliveryCount, outcome, nextAttemptAt } = delivery;
  const [first] = events;
  const what = events.length === 1 ? `${first?.type} ${first?.id}` : `${events.length} events`;
  const answer = delivery.status ?? `no answer (${delivery.error})`;
  const next = nextAttemptAt === undefined ? "" : `, next at ${time(nextAttemptAt)}`;
  const again = deliveryCount === 0 ? "" : ` (attempt ${deliveryCount + 1})`;
  return `${time(at)} delivery   ${subscription}  ${what}${again}  ${answer} ${wordings[outcome]}${next}`;
}

const wordings = {
  delivered: "delivered",
  retrying: "will be tried again",
  deadLettered: "dead-lettered",
  dropped: "dropped",
};

function time(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
