import { isObject } from "../../validation/index.js";
import { type Delivery, headerText, Refusal } from "../intake/index.js";

/** Whether a delivery asks for consent in Event Grid's own schema, which has no `OPTIONS` request. */
export function isValidation({ exchange }: Delivery): boolean {
  const kind = headerText(exchange.headers["aeg-event-type"]);
  return kind !== undefined && kind.toLowerCase() === "subscriptionvalidation";
}

/**
 * The response that consents: it repeats the code of the validation event.
 *
 * @throws {Refusal} 400 without a code
 * @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
 */
export function validationResponse({ received }: Delivery): {
  readonly validationResponse: string;
} {
  const [first] = received;
  const data = first !== undefined && "event" in first ? first.event.data : undefined;
  const code = isObject(data) ? data.validationCode : undefined;
  if (typeof code !== "string" || code === "") {
    throw new Refusal(400, "the validation event has no validationCode");
  }
  return { validationResponse: code };
}
