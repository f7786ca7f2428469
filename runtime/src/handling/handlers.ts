import { type Problem, problem } from "../errors.js";
import type { CloudEvent, EventCatalogue, EventPayloads } from "../events/index.js";
import type { Clock } from "../time.js";
import { isObject, nearName, showValue } from "../validation/index.js";
import type { EventHandler } from "./event-context.js";
import { type AnyMiddleware, around } from "./middleware.js";

/**
 * Handlers by event type: exact types first, then the longest prefix that matches
 * (`"Microsoft.Storage.*"`), then the fallback (`"*"`).
 *
 * With a catalogue, exact types must be types of the catalogue, and every type of the catalogue
 * needs a handler: an exact one, a prefix or the fallback. `Added` are the values that middleware adds
 * to the context.
 */
export type EventHandlers<
  P extends EventPayloads = EventPayloads,
  Added extends object = object,
> = {
  // One mapped type: for an intersection with an index signature, TypeScript before 5.7 infers the
  // parameters of every handler from the signature, so that `event.data` would be unknown.
  readonly [Type in (keyof P & string) | `${string}.*` | "*"]?: Type extends keyof P
    ? EventHandler<CloudEvent<P[Type]["output"], Type & string>, Added>
    : EventHandler<CloudEvent, Added>;
};

/**
 * Types handlers by a catalogue when they are written apart from it: in a separate file, or in the
 * options of the plugin.
 *
 * @example
 * ```ts
 * app.register(eventGridWebhook, {
 *   binding,
 *   events: orders,
 *   on: defineHandlers(orders, { "shop.order.placed": (event) => ship(event.data.orderId) }),
 * });
 * ```
 */
export function defineHandlers<P extends EventPayloads>(
  _catalogue: EventCatalogue<P>,
  on: EventHandlers<P>,
): EventHandlers<P> {
  return on;
}

export interface Route {
  readonly pattern: string;
  readonly handler: EventHandler;
}

export class HandlerTable {
  readonly #exact = new Map<string, Route>();
  readonly #prefixes: (Route & { readonly prefix: string })[] = [];
  #fallback: Route | undefined;

  /** @param use middleware around every handler */
  constructor(handlers: object, use: readonly AnyMiddleware[] = []) {
    for (const [pattern, given] of Object.entries(handlers)) {
      if (!isHandler(given)) continue;
      const handler = around(use, given);
      if (pattern === "*") this.#fallback = { pattern, handler };
      else if (pattern.endsWith(".*")) {
        this.#prefixes.push({ prefix: pattern.slice(0, -1), pattern, handler });
      } else this.#exact.set(pattern, { pattern, handler });
    }
    this.#prefixes.sort((one, other) => other.prefix.length - one.prefix.length);
  }

  find(type: string): Route | undefined {
    const exact = this.#exact.get(type);
    if (exact !== undefined) return exact;
    for (const route of this.#prefixes) if (type.startsWith(route.prefix)) return route;
    return this.#fallback;
  }
}

/** All problems of the handlers, alone and in combination with the catalogue. */
export function handlerProblems(
  handlers: unknown,
  catalogue?: Pick<EventCatalogue, "types">,
): Problem[] {
  const required = 'needs a handler for each event type, or one for "*"';
  if (!isObject(handlers)) {
    const message = `${required}, but is ${showValue(handlers)}`;
    return [problem("on", { required: message })];
  }
  const types = Array.isArray(catalogue?.types) ? catalogue.types : undefined;
  const problems = Object.entries(handlers).flatMap(([pattern, handler]): Problem[] => {
    const field = `on[${showValue(pattern)}]`;
    if (!isHandler(handler)) {
      return [problem(field, { function: `must be a function, but is ${showValue(handler)}` })];
    }
    const start = pattern.endsWith(".*") ? pattern.slice(0, -2) : pattern;
    if (pattern !== "*" && (start === "" || start.includes("*"))) {
      const message = 'must be an event type, a prefix such as "Microsoft.Storage.*", or "*"';
      return [problem(field, { "event-type": message })];
    }
    if (types && !pattern.endsWith("*") && !types.includes(pattern)) {
      const meant = nearName(pattern, types);
      const advice =
        meant === undefined ? "add it there" : `did you mean ${JSON.stringify(meant)}?`;
      const message = `handles a type that is not in the catalogue: ${advice}`;
      return [problem(field, { catalogue: message })];
    }
    return [];
  });
  const table = new HandlerTable(handlers);
  for (const type of types ?? []) {
    if (table.find(type) !== undefined || Object.hasOwn(handlers, type)) continue;
    const field = `on[${JSON.stringify(type)}]`;
    problems.push(problem(field, { required: "is in the catalogue but has no handler" }));
  }
  if (types === undefined && Object.keys(handlers).length === 0) {
    const message = `${required}: an event without a handler is acknowledged without being handled`;
    problems.push(problem("on", { required: message }));
  }
  return problems;
}

function isHandler(value: unknown): value is EventHandler {
  return typeof value === "function";
}

/**
 * Limits how many handlers run at the same time.
 *
 * A handler that ignores its signal keeps its slot until it ends: starting another one would only
 * hide the leak until the process runs out of memory.
 */
export class HandlerSlots {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #progressAtMs = 0;

  constructor(
    private readonly size: number,
    private readonly timer: Clock,
  ) {}

  tryTake(): boolean {
    if (this.#taken === this.size) return false;
    this.#taken += 1;
    if (this.#taken === this.size) this.#progressAtMs = this.timer.now();
    return true;
  }

  /** Resolves when a slot has been taken, after all that waited before. */
  takeNext(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Releases a slot, for the caller that has waited longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#taken -= 1;
    } else {
      this.#progressAtMs = this.timer.now();
      next();
    }
  }

  /** Reports whether all slots have been taken for that long without a single handler ending. */
  isStuckFor(durationMs: number): boolean {
    return this.#taken === this.size && this.timer.now() - this.#progressAtMs > durationMs;
  }
}
