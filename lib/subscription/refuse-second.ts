import { problem, showValue } from "cloud-eventgrid-binding-runtime/contract";
import type { Construct } from "constructs";
import { identityInAnyCase, identityOf, OncePerStack } from "../terraform/index.js";
import { report } from "../validation/index.js";

/** Paths of what writes event subscriptions, by the subscriptions' IDs. */
const writtenBy = new OncePerStack<string>("subscribed by");

/**
 * Refuses a second event subscription of the same name and scope. Azure treats it as an update of the
 * first, or refuses it in the middle of an apply.
 *
 * @param scope of the event subscription, or its topic in a namespace
 * @param path names it in the message about another one
 */
export function refuseSecond(
  construct: Construct,
  scope: string,
  name: string,
  path = construct.node.path,
): void {
  const id = `${identityInAnyCase(construct, scope)} ${identityInAnyCase(construct, name)}`;
  const other = writtenBy.get(construct, id, () => path);
  if (other === path) return;
  const [at, called] = [identityOf(construct, scope), identityOf(construct, name)];
  const message = `${showValue(called)} at the scope ${at} is also the name of ${other}: rename one of the two`;
  report(construct, () => [problem("eventSubscriptionName", "unique", message)]);
}
