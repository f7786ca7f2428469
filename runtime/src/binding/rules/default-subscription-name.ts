import { createHash } from "node:crypto";
import { existingSubscriptionNameRule } from "./field-rules.js";
import { AZURE_LIMITS } from "./limits.js";

const MAX_CHARACTERS = AZURE_LIMITS.eventSubscriptionNameCharacters.max;

/**
 * The name of an event subscription whose definition has none.
 *
 * @param name of the component, or the path of the construct in its stack. Azure may refuse it: then
 * the result is what Azure accepts of it, and a hash
 */
export function defaultSubscriptionName(name: string): string {
  if (existingSubscriptionNameRule.test(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const words = name.match(/[a-z0-9]+/gi) ?? ["events"];
  const readable = words.join("-").slice(0, MAX_CHARACTERS - hash.length - 1);
  return `${readable}-${hash}`;
}
