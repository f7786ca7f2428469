import { audienceOf } from "../../rules/index.js";
import {
  canonical,
  push,
  type Subscription,
  type SubscriptionChange,
  same,
} from "../terraform/index.js";

/** Another subscription, with its filters after the apply, and before it if it exists throughout. */
export interface Twin {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The settings in which it may serve the events worse. */
  readonly differs: readonly string[];
}

/** A plan with hundreds of subscriptions to one destination is not compared pair by pair. */
const MAX_TWINS = 5;

/** Other settings are compared with those of one subscription up to this number. */
const MAX_KINDS = 50;

/** Subscriptions that take events of one scope to one destination, so that one can take over from another. */
export class Twins {
  /** By where they deliver after the apply, and then by the values of {@link SERVING}. */
  readonly #after = new Map<string, Map<string, SubscriptionChange[]>>();

  constructor(subscriptions: readonly SubscriptionChange[]) {
    for (const one of subscriptions) {
      if (one.after === undefined) continue;
      const route = routeOf(one.after);
      const kinds = this.#after.get(route) ?? new Map<string, SubscriptionChange[]>();
      push(kinds, kindOf(one.after), one);
      this.#after.set(route, kinds);
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
        const some = all.slice(0, MAX_TWINS + 1);
        const others = some.filter((one) => one.change !== change).slice(0, MAX_TWINS);
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

const isMore = (old: unknown, next: unknown) =>
  typeof old === "number" && typeof next === "number" && next >= old;

type Of = (side: Subscription) => unknown;
type IsAsGood = (old: unknown, next: unknown) => boolean;

/** The settings that serve the events, and when another value serves them as well. */
const SERVING: readonly (readonly [name: string, Of, IsAsGood?])[] = [
  ["audience", ({ destination }) => audienceOf(destination)],
  ["identity", ({ destination }) => destination.identity],
  ["dead letters", ({ deadLetters }) => deadLetters, (old) => old === undefined],
  ["time to live", ({ minutes }) => minutes, isMore],
  ["attempts", ({ attempts }) => attempts, isMore],
  ["expiry", ({ expiry }) => expiry, (_, next) => next == null],
];

const kindOf = (side: Subscription) => String(canonical(SERVING.map(([, of]) => of(side))));

/** In what a subscription that takes over the events of another one may serve them worse. */
const worseThan = (old: Subscription, next: Subscription) =>
  SERVING.filter(
    ([, of, isAsGood]) => !same(of(old), of(next)) && !isAsGood?.(of(old), of(next)),
  ).map(([name]) => name);
