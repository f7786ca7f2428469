import { type Problem, problemOf } from "../validation/index.js";
import { type BindingField, bindingRules, existingSubscriptionNameRule } from "./rules/index.js";

/**
 * Checks the value of one field on its own.
 *
 * @param shownAs what the message calls the field, such as the name of an environment variable
 */
export function fieldProblem(
  field: BindingField,
  value: unknown,
  {
    shownAs = field,
    existingSubscription = false,
  }: { readonly shownAs?: string; readonly existingSubscription?: boolean } = {},
): Problem | undefined {
  const existing = field === "eventSubscriptionName" && existingSubscription;
  return problemOf(existing ? existingSubscriptionNameRule : bindingRules[field], shownAs, value);
}
