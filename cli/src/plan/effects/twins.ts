import { audienceOf } from "../../rules/index.js";
import { canonical, type Subscription, type SubscriptionChange, same } from "../terraform/index.js";
import { MAX_TWINS, type Twin } from "./types.js";

/** Other settings are compared with those of one subscription up to this number. */
const MAX_KINDS = 50;

/** Subscriptions that take events of one scope to one destination, so that one can take over from another. */
export class Twins {
  /** By where they deliver after the apply, and then by the settings that serve the events. */
  readonly #after = new Map<string, Map<string, SubscriptionChange[]>>();

  constructor(subscriptions: readonly SubscriptionChange[]) {
    for (const one of subscriptions) {
      if (one.after === undefined) continue;
      const route = routeOf(one.after);
      const kinds = this.#after.get(route) ?? new Map<string, SubscriptionChange[]>();
      const kind = kindOf(one.after);
      const like = kinds.get(kind) ?? [];
      like.push(one);
      this.#after.set(route, kinds.set(kind, like));
    }
  }

  /** The others that serve the events of a subscription best. */
  of({ before, change }: SubscriptionChange): Twin[] {
    const route = routeOf(before);
    if (before === undefined || route === "") return [];
    const kinds = this.#after.get(route) ?? new Map<string, SubscriptionChange[]>();
    const like = kinds.get(kindOf(before)) ?? [];
    const rest = [...kinds.values()].filter((each) => each !== like).slice(0, MAX_KINDS);
    return [like, ...rest]
      .flatMap((all) => {
        const others = all.filter((one) => one.change !== change).slice(0, MAX_TWINS);
        const [first] = others;
        const differs = first?.after ? worseThan(before, first.after) : [];
        return others.map((one) => ({ one, differs }));
      })
      .sort((a, b) => a.differs.length - b.differs.length)
      .slice(0, MAX_TWINS)
      .map(({ one, differs }) => {
        const isStaying = /^(no-op|update)$/.test(one.change.action);
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

/** The settings that {@link worseThan} compares. */
function kindOf({ destination, deadLetters, minutes, attempts, expiry }: Subscription): string {
  const { identity } = destination;
  const settings = [audienceOf(destination), identity, deadLetters, minutes, attempts, expiry];
  return String(canonical(settings));
}

/** In what a subscription that takes over the events of another one may serve them worse. */
function worseThan(old: Subscription, next: Subscription): string[] {
  const isLess = (a: unknown, b: unknown) =>
    !(same(a, b) || (typeof a === "number" && typeof b === "number" && b >= a));
  const keepsLetters = !old.deadLetters || same(old.deadLetters, next.deadLetters);
  return [
    ...(same(audienceOf(old.destination), audienceOf(next.destination)) ? [] : ["audience"]),
    ...(same(old.destination.identity, next.destination.identity) ? [] : ["identity"]),
    ...(keepsLetters ? [] : ["dead letters"]),
    ...(isLess(old.minutes, next.minutes) ? ["time to live"] : []),
    ...(isLess(old.attempts, next.attempts) ? ["attempts"] : []),
    ...(next.expiry == null || same(old.expiry, next.expiry) ? [] : ["expiry"]),
  ];
}
