import { Groups } from "../../collections.js";
import type { Subscription, SubscriptionChange } from "../terraform/index.js";
import { differences } from "./subscription.js";

/** Another subscription, with its filters after the apply, and before it if it exists throughout. */
export interface Twin {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The settings in which it serves the events in another way. */
  readonly differs: readonly string[];
}

/** A plan with hundreds of subscriptions to one destination is not compared pair by pair. */
const MAX_OTHERS = 20;
/** The filters of this many are compared. */
const MAX_TWINS = 5;

/** Subscriptions that take events of one scope to one destination, so that one can take over from another. */
export class Twins {
  /** By where they deliver after the apply. */
  readonly #after = new Groups<string, SubscriptionChange>();

  constructor(subscriptions: readonly SubscriptionChange[]) {
    for (const one of subscriptions) this.#after.add(routeOf(one.after), one);
  }

  /** The others that can take over from a subscription; those first that do it in all settings. */
  of({ before, change }: SubscriptionChange): Twin[] {
    const route = routeOf(before);
    if (before === undefined || route === "") return [];
    const others = this.#after.of(route).filter((one) => one.change !== change);
    return others
      .slice(0, MAX_OTHERS)
      .map((one) => ({ one, differs: one.after ? differences(before, one.after) : [] }))
      .sort((a, b) => a.differs.length - b.differs.length)
      .slice(0, MAX_TWINS)
      .map(({ one, differs }) => {
        const isStaying = ["no-op", "update", "forget"].includes(one.change.action);
        return {
          name: one.after?.name ?? one.change.address,
          before: isStaying && routeOf(one.before) === route ? one.before?.filter : undefined,
          after: one.after?.filter,
          differs,
        };
      });
  }
}

function routeOf(side: Subscription | undefined): string {
  const { scope, destination, schema } = side ?? {};
  const isKnown = typeof scope === "string" && typeof destination?.place === "string";
  return isKnown ? `${scope} ${destination.type} ${destination.place} ${String(schema)}` : "";
}
