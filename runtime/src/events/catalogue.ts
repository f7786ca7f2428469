import type { StandardSchemaV1 } from "@standard-schema/spec";
import { CloudEventGridError } from "../errors.js";
import type { CloudEvent } from "./cloud-event.js";

/** What a publisher gives (`input`) and a handler gets (`output`) for one event type. */
export interface EventPayload<Input = unknown, Output = Input> {
  readonly input: Input;
  readonly output: Output;
}

/** The payloads of a catalogue, by event type. */
export type EventPayloads = Record<string, EventPayload>;

/**
 * The event types a service deals in, each with its payload.
 *
 * One catalogue drives the subscription's `includedEventTypes`, the typed handlers of the listener
 * and the typed `create` of the publisher.
 */
export interface EventCatalogue<
  Payloads extends EventPayloads = EventPayloads,
  Type extends string = keyof Payloads & string,
> {
  /** The event types, in the order of their definition. */
  readonly types: readonly Type[];
  /** The schema to check a type's payload with at run time, for the types that have one. */
  readonly schemas: ReadonlyMap<string, StandardSchemaV1>;
  /** Carries the payload types for the compiler; never there at run time. */
  readonly "~payloads"?: Payloads;
}

/** A payload that is known to the compiler only, and not checked at run time. */
export interface PayloadType<Data> {
  readonly "~checked": "never";
  /** Carries the type for the compiler; never there at run time. */
  readonly "~data"?: Data;
}

/** What an event type is defined by: a TypeScript type, or any Standard Schema. */
export type EventDefinition = PayloadType<unknown> | StandardSchemaV1;

/** The payloads of a set of definitions. */
export type PayloadsOf<Definitions extends Record<string, EventDefinition>> = {
  readonly [Type in keyof Definitions & string]: Definitions[Type] extends StandardSchemaV1<
    infer Input,
    infer Output
  >
    ? EventPayload<Input, Output>
    : Definitions[Type] extends PayloadType<infer Data>
      ? EventPayload<Data>
      : EventPayload;
};

/**
 * An event of a catalogue as a handler gets it: of one type, or of any.
 *
 * @example
 * ```ts
 * async function ship(event: EventOf<typeof orders, "shop.order.placed">) {}
 * ```
 */
export type EventOf<
  Catalogue extends EventCatalogue,
  Type extends Catalogue["types"][number] = Catalogue["types"][number],
> = Type extends string
  ? CloudEvent<NonNullable<Catalogue["~payloads"]>[Type]["output"], Type>
  : never;

/** Thrown for a catalogue that could not work; it carries everything that is wrong with it. */
export class EventCatalogueError extends CloudEventGridError {
  readonly code = "ERR_EVENT_CATALOGUE";
  readonly #problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the event catalogue cannot be used: ${problems.join("; ")}`);
    this.#problems = problems;
  }

  /** All of them; the message has them too, so that printing the error does not repeat them. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}

/**
 * Defines the event types of a service.
 *
 * @example
 * ```ts
 * export const orders = defineEvents({
 *   "shop.order.placed": type<{ orderId: string }>(),
 *   "shop.order.cancelled": z.object({ orderId: z.string(), reason: z.string() }),
 *   ...systemEvents("Microsoft.Storage.BlobCreated"),
 * });
 * ```
 *
 * @throws {EventCatalogueError} for a catalogue without types, a name that no event can have, such
 * as a wildcard, and a definition that is neither `type<…>()` nor a Standard Schema
 */
export function defineEvents<const Definitions extends Record<string, EventDefinition>>(
  definitions: Definitions,
): EventCatalogue<PayloadsOf<Definitions>> {
  const types = Object.keys(definitions);
  const problems = types.flatMap((name) => nameProblem(name) ?? []);
  if (types.length === 0)
    problems.push("it has no event types: a subscription would take them all");
  const schemas = new Map<string, StandardSchemaV1>();
  for (const [name, definition] of Object.entries(definitions)) {
    if (isSchema(definition)) schemas.set(name, definition);
    else if (!isPayloadType(definition)) {
      problems.push(`"${name}" is defined by neither type<…>() nor a Standard Schema`);
    }
  }
  if (problems.length > 0) throw new EventCatalogueError(problems);
  return { types, schemas };
}

/** Names a payload's TypeScript type, for an event whose payload is not checked at run time. */
export function type<Data>(): PayloadType<Data> {
  return { "~checked": "never" };
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "an event type is empty";
  const shown = JSON.stringify(name);
  if (name.includes("*")) {
    return `${shown} is a pattern: a catalogue lists whole types, and only a listener's \`on\` takes patterns`;
  }
  if (name.endsWith(".")) return `${shown} ends in a dot: write the whole type`;
  if (name.trim() !== name || /\p{Cc}/u.test(name)) {
    return `${shown} has white space around it, or control characters`;
  }
  return undefined;
}

function isSchema(definition: unknown): definition is StandardSchemaV1 {
  const standard = member(definition, "~standard");
  return typeof member(standard, "validate") === "function";
}

function isPayloadType(definition: unknown): definition is PayloadType<unknown> {
  return member(definition, "~checked") === "never";
}

/** Schemas are objects, or functions with members (ArkType). */
function member(value: unknown, name: string): unknown {
  const holder = (typeof value === "object" && value !== null) || typeof value === "function";
  return holder ? Reflect.get(value, name) : undefined;
}
