import {
  kindOf,
  type PlannedChange,
  type SubscriptionChange,
  subscriptionChange,
} from "../../../../cli/src/plan/terraform/index.js";
import { type Attributes, effects, planOf, TOPIC, world } from "../world.js";

/** Stands for a value that is known only after the apply. */
export const LATER = "(later)";
export type Sides = readonly [
  before: Attributes | null,
  after: Attributes | null,
  actions?: readonly string[],
];
export type Sets = Readonly<Record<string, Sides>>;

/** The deployment with further resources, or with other sides of its own. */
export function planWith(sets: Sets, more: object = {}): string {
  const plan = JSON.parse(planOf({}));
  const added = changesOf(sets);
  const kept = plan.resource_changes.filter((one: { address: string }) => !(one.address in sets));
  return JSON.stringify({ ...plan, resource_changes: [...kept, ...added], ...more });
}

/** A plan of nothing but these resources. */
export const setsPlan = (sets: Sets) =>
  JSON.stringify({ format_version: "1.2", complete: true, resource_changes: changesOf(sets) });

function changesOf(sets: Sets) {
  return Object.entries(sets).map(([address, [before, after, given]]) => {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    const done = isSame ? ["no-op"] : before ? [after ? "update" : "delete"] : ["create"];
    const change = { actions: given ?? done, before, after, after_unknown: unknownIn(after ?? {}) };
    return { address, type: address.split(".")[0], mode: "managed", change };
  });
}

/** What of a value is unknown, in the form of Terraform. */
function unknownIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unknownIn);
  if (typeof value !== "object" || value === null) return value === LATER;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unknownIn(inner)]));
}

export const same = (side: Attributes): Sides => [side, side];
export const of = (address: string) => world[address] ?? {};
/** Resources of the deployment, for a plan with nothing else of it, which is explained in less time. */
export const only = (...addresses: readonly string[]): Sets =>
  Object.fromEntries(addresses.map((address) => [address, same(of(address))]));
export const changed = (address: string, change: Attributes): Sets => ({
  [address]: [of(address), { ...of(address), ...change }],
});

export const GROUP = TOPIC.replace(/\/providers.*/, "");

type Change = { actions: string[]; after: Attributes; after_unknown: object };

/** The effects of a plan in which the change of one resource is written anew. */
export function effectsWith(sets: Sets, address: string, edit: (change: Change) => object) {
  const plan = JSON.parse(planWith(sets));
  const found = plan.resource_changes.find((one: { address: string }) => one.address === address);
  Object.assign(found.change, edit(found.change));
  return effects(JSON.stringify(plan));
}

/** The event subscriptions of a plan. */
export const subscriptionsOf = (changes: readonly PlannedChange[]): SubscriptionChange[] =>
  changes.filter((change) => kindOf(change) === "subscription").map(subscriptionChange);
