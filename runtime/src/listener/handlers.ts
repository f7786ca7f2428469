import { shownValue } from "../binding/shown-value.js";
import type { CloudEvent, EventCatalogue, EventPayloads } from "../events/index.js";
import type { EventHandler } from "./event-context.js";

/**
 * Handlers by event type: exact types first, then the longest prefix that fits
 * (`"Microsoft.Storage.*"`), then the fallback (`"*"`).
 *
 * With a catalogue, exact types are those of the catalogue, and every one of them needs a handler,
 * be it an exact one, a prefix or the fallback.
 */
export type EventHandlers<P extends EventPayloads = EventPayloads> = {
  readonly [Type in keyof P & string]?: EventHandler<CloudEvent<P[Type]["output"], Type>>;
} & {
  readonly [prefix: `${string}.*`]: EventHandler;
  readonly "*"?: EventHandler;
};

/**
 * Types handlers by a catalogue where they stand apart from it: in a file of their own, or in the
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

/** A handler with the key it stands under in `on`. */
export interface Route {
  readonly pattern: string;
  readonly handler: EventHandler;
}

/** Finds the handler of an event type. */
export class HandlerTable {
  readonly #exact = new Map<string, Route>();
  readonly #prefixes: (Route & { readonly prefix: string })[] = [];
  readonly #fallback: Route | undefined;

  constructor(handlers: object) {
    let fallback: Route | undefined;
    for (const [pattern, handler] of Object.entries(handlers)) {
      if (!isHandler(handler)) continue;
      if (pattern === "*") fallback = { pattern, handler };
      else if (pattern.endsWith(".*")) {
        this.#prefixes.push({ prefix: pattern.slice(0, -1), pattern, handler });
      } else this.#exact.set(pattern, { pattern, handler });
    }
    this.#prefixes.sort((one, other) => other.prefix.length - one.prefix.length);
    this.#fallback = fallback;
  }

  find(type: string): Route | undefined {
    const exact = this.#exact.get(type);
    if (exact !== undefined) return exact;
    for (const route of this.#prefixes) if (type.startsWith(route.prefix)) return route;
    return this.#fallback;
  }
}

/** Everything that is wrong with handlers, by themselves and beside a catalogue. */
export function handlerProblems(
  handlers: unknown,
  catalogue?: Pick<EventCatalogue, "types">,
): string[] {
  if (typeof handlers !== "object" || handlers === null) {
    return [`on is ${shownValue(handlers)}: give a handler for each event type, or for "*"`];
  }
  const types = Array.isArray(catalogue?.types) ? catalogue.types : undefined;
  const problems: string[] = [];
  for (const [pattern, handler] of Object.entries(handlers)) {
    if (!isHandler(handler)) {
      problems.push(`the handler of "${pattern}" is ${shownValue(handler)}: it must be a function`);
    } else if (pattern.replace(/^\*$|(?<=.)\.\*$/, "").includes("*") || pattern === "") {
      problems.push(
        `"${pattern}" is no event type: write a whole type, a prefix such as "Microsoft.Storage.*", or "*"`,
      );
    } else if (types && !pattern.endsWith("*") && !types.includes(pattern)) {
      problems.push(`"${pattern}" has a handler but is not in the catalogue: add it there`);
    }
  }
  const table = new HandlerTable(handlers);
  for (const type of types ?? []) {
    if (table.find(type) === undefined) {
      problems.push(`"${type}" is in the catalogue but has no handler: add one to \`on\``);
    }
  }
  if (types === undefined && Object.keys(handlers).length === 0) {
    problems.push("`on` has no handler: without one every event would be acknowledged unseen");
  }
  return problems;
}

function isHandler(value: unknown): value is EventHandler {
  return typeof value === "function";
}
