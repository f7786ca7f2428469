import { clockTime, manualValidationLine } from "../commands/index.js";
import type { DeliveryAttempt, EventSubscription, Handshake } from "../eventgrid/index.js";

/**
 * Prints a line for each handshake and delivery attempt.
 *
 * @param awaited event subscriptions whose handshakes are repeated until their webhooks are up
 */
export function consoleLog(print: (text: string) => void, awaited: ReadonlySet<string>) {
  const lastReasons = new Map<string, string | undefined>();
  return {
    onHandshake(handshake: Handshake): void {
      const { subscription, reason } = handshake;
      // A webhook that is not up yet fails in the same way every few seconds: print that once.
      const isRepeated = reason !== undefined && lastReasons.get(subscription) === reason;
      if (!isRepeated) print(`${handshakeLine(handshake)}\n`);
      if (awaited.has(subscription)) lastReasons.set(subscription, reason);
    },
    onAwaitingManualAction({ name, validationUrl }: EventSubscription): void {
      print(`${manualValidationLine(name, validationUrl)}\n`);
    },
    onDelivery(delivery: DeliveryAttempt): void {
      print(`${deliveryLine(delivery)}\n`);
    },
  };
}

function handshakeLine(handshake: Handshake): string {
  const { at, subscription, url, succeeded, reason } = handshake;
  const outcome = succeeded ? "succeeded" : `failed: ${reason}`;
  return `${clockTime(at)} handshake  ${subscription}  ${url}  ${outcome}`;
}

function deliveryLine(delivery: DeliveryAttempt): string {
  const { at, subscription, events, attempt, outcome, nextAttemptAt } = delivery;
  const [first] = events;
  const what = events.length === 1 ? `${first?.type} ${first?.id}` : `${events.length} events`;
  const { status, error } = delivery;
  const response = attempt === undefined ? error : (status ?? `no response (${error})`);
  const next = nextAttemptAt === undefined ? "" : `, next at ${clockTime(nextAttemptAt)}`;
  const again = (attempt ?? 1) === 1 ? "" : ` (attempt ${attempt})`;
  return `${clockTime(at)} delivery   ${subscription}  ${what}${again}  ${response} ${outcomeTexts[outcome]}${next}`;
}

const outcomeTexts = {
  delivered: "delivered",
  retrying: "will be retried",
  deadLettered: "dead-lettered",
  dropped: "dropped",
};
