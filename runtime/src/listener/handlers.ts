import type { CloudEvent, EventCatalogue, EventPayload } from "../events/index.js";
import { ListenerConfigurationError } from "./configuration-error.js";
import type { EventHandler } from "./event-context.js";

/** The payloads by event type that a catalogue carries. */
export type Payloads = Record<string, EventPayload>;

/**
 * Handlers by event type: exact types first, then the longest prefix that fits
 * (`"Microsoft.Storage.*"`), then the fallback (`"*"`).
 *
 * With a catalogue, exact types are those of the catalogue, and every one of them needs a handler,
 * be it an exact one, a prefix or the fallback.
 */
export type EventHandlers<P extends Payloads = Payloads> = {
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
export function defineHandlers<P extends Payloads>(
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

  /** @throws ListenerConfigurationError with everything that is wrong with the handlers */
  constructor(handlers: object, catalogue: Pick<EventCatalogue, "types"> | undefined) {
    const problems: string[] = [];
    let fallback: Route | undefined;
    for (const [pattern, handler] of Object.entries(handlers)) {
      if (!isHandler(handler)) {
        problems.push(`the handler of "${pattern}" is no function`);
      } else if (pattern === "*") {
        fallback = { pattern, handler };
      } else if (pattern.endsWith(".*")) {
        this.#prefixes.push({ prefix: pattern.slice(0, -1), pattern, handler });
      } else if (pattern.includes("*") || pattern === "") {
        problems.push(
          `"${pattern}" is no event type: write a whole type, a prefix such as "Microsoft.Storage.*", or "*"`,
        );
      } else {
        this.#exact.set(pattern, { pattern, handler });
        if (catalogue && !catalogue.types.includes(pattern)) {
          problems.push(`"${pattern}" has a handler but is not in the catalogue: add it there`);
        }
      }
    }
    this.#prefixes.sort((one, other) => other.prefix.length - one.prefix.length);
    this.#fallback = fallback;
    for (const type of catalogue?.types ?? []) {
      if (this.find(type) === undefined) {
        problems.push(`"${type}" is in the catalogue but has no handler: add one to \`on\``);
      }
    }
    if (catalogue === undefined && Object.keys(handlers).length === 0) {
      problems.push("`on` has no handler: without one every event would be acknowledged unseen");
    }
    if (problems.length > 0) throw new ListenerConfigurationError(problems);
  }

  find(type: string): Route | undefined {
    const exact = this.#exact.get(type);
    if (exact !== undefined) return exact;
    for (const route of this.#prefixes) if (type.startsWith(route.prefix)) return route;
    return this.#fallback;
  }
}

function isHandler(value: unknown): value is EventHandler {
  return typeof value === "function";
}
