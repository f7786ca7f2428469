import { type Attributes, planOf, TOPIC, world } from "../world.js";

/** Stands for a value that is known only after the apply. */
export const LATER = "(later)";
export type Sides = readonly [before: Attributes | null, after: Attributes | null];
export type Sets = Readonly<Record<string, Sides>>;

/** The deployment with further resources, or with other sides of its own. */
export function planWith(sets: Sets, more: object = {}): string {
  const plan = JSON.parse(planOf({}));
  const added = Object.entries(sets).map(([address, [before, after]]) => {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    const actions = isSame ? ["no-op"] : before ? [after ? "update" : "delete"] : ["create"];
    const later = Object.entries(after ?? {}).filter(([, value]) => value === LATER);
    const after_unknown = Object.fromEntries(later.map(([name]) => [name, true]));
    const change = { actions, before, after, after_unknown };
    return { address, type: address.split(".")[0], mode: "managed", change };
  });
  const kept = plan.resource_changes.filter((one: { address: string }) => !(one.address in sets));
  return JSON.stringify({ ...plan, resource_changes: [...kept, ...added], ...more });
}

export const same = (side: Attributes): Sides => [side, side];
export const of = (address: string) => world[address] ?? {};
export const changed = (address: string, change: Attributes): Sets => ({
  [address]: [of(address), { ...of(address), ...change }],
});

export const GROUP = TOPIC.replace(/\/providers.*/, "");
