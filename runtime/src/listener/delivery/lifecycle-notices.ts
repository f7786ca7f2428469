import type { Exchange } from "../exchange.js";
import { answerEarly, Refusal } from "../responses.js";
import type { DeliverySchema } from "./content-mode.js";
import { headerText } from "./delivery.js";
import { isValidation } from "./handshake.js";

/** The notices that a subscription no longer delivers, by their `aeg-event-type` in lower case. */
const ENDS: readonly string[] = ["subscriptiondeletion", "unsubscribe"];

/**
 * Responds to a request in which Event Grid reports a change of the subscription itself.
 *
 * @returns false for a request that is a delivery of events, which it leaves alone
 * @throws {Refusal} for a validation event of another schema
 */
export function takeNotice(exchange: Exchange, schema: DeliverySchema): boolean {
  const kind = headerText(exchange.headers["aeg-event-type"]);
  if (kind === undefined || kind === "Notification") return false;
  if (isValidation(exchange)) {
    if (schema === "eventgrid") return false;
    const message =
      "the subscription delivers in Event Grid's own schema: set it to CloudEvents, or the listener's schema to eventgrid";
    throw new Refusal(400, message);
  }
  if (!ENDS.includes(kind.toLowerCase())) return false;
  const subscription = headerText(exchange.headers["aeg-subscription-name"]);
  exchange.log.info({ kind, subscription }, "subscription ended");
  answerEarly(exchange, 200);
  return true;
}
