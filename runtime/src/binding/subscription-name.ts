import { createHash } from "node:crypto";
import { patternRule } from "../validation/index.js";
import { hyphenatedName } from "./field-rules.js";
import { AZURE_LIMITS } from "./limits.js";

const { min, max } = AZURE_LIMITS.eventSubscriptionNameCharacters;

/** The name of an event subscription that the binding creates. */
export const subscriptionNameRule = patternRule({
  requirement: { "alphanumeric-name": `must be ${min} to ${max} letters and digits` },
  pattern: `^[0-9a-zA-Z]{${min},${max}}$`,
  explain: (value, shown) =>
    existingSubscriptionNameRule.test(value)
      ? `${shown} has a hyphen, which the specification of the binding allows only in an existing subscription (existingSubscription)`
      : undefined,
});

/** The name of an event subscription that exists: Azure also allows hyphens. */
export const existingSubscriptionNameRule = hyphenatedName("service-name", { min, max });

/**
 * The name of an event subscription whose definition has none.
 *
 * @param name of the component, or the path of the construct in its stack. Azure may refuse it: then
 * the result is what Azure accepts of it, and a hash
 */
export function defaultSubscriptionName(name: string): string {
  if (existingSubscriptionNameRule.test(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const words = name.split(/[^a-z0-9]/i).filter((word) => word !== "");
  const readable = (words.join("-") || "events").slice(0, max - hash.length - 1);
  return `${readable}-${hash}`;
}
