import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ConfigurationError, problem, statedProblem } from "../errors.js";
import { eventCatalogue, eventTypeRule, problemsOf, showValue } from "../validation/index.js";

/**
 * An event as defined by CloudEvents 1.0.
 *
 * Attributes have the same form as on the wire: `time` is an RFC 3339 string, not a `Date`.
 * Extension attributes (lower-case letters and digits) are members like the standard ones.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
export interface CloudEvent<Data = unknown, Type extends string = string> {
  readonly specversion: "1.0";
  /** Unique within `source`; the two together identify the event. */
  readonly id: string;
  /** URI reference of the origin of the event; a resource ID for events of Azure services. */
  readonly source: string;
  /** The kind of occurrence, such as `shop.order.placed`; it selects handlers and subscriptions. */
  readonly type: Type;
  /** The object of the occurrence, within `source`; filters can match its beginning and end. */
  readonly subject?: string;
  /** RFC 3339 timestamp of the occurrence. */
  readonly time?: string;
  /** Media type of `data`; JSON when absent. */
  readonly datacontenttype?: string;
  /** URI of the schema that `data` follows. */
  readonly dataschema?: string;
  /** The payload exactly as it was sent; binary data (`data_base64` on the wire) is a `Uint8Array`. */
  readonly data: Data;
  readonly [extension: string]: unknown;
}

/** The payload of one event type, as a publisher passes it (`input`) and as a handler receives it (`output`). */
export interface EventPayload<Input = unknown, Output = Input> {
  readonly input: Input;
  readonly output: Output;
}

/** The payloads of a catalogue, by event type. */
export type EventPayloads = Record<string, EventPayload>;

/**
 * The event types of a service, each with its payload.
 *
 * One catalogue determines the subscription's `includedEventTypes`, the typed handlers of the listener
 * and the typed `create` of the publisher.
 */
export interface EventCatalogue<
  Payloads extends EventPayloads = EventPayloads,
  Type extends string = keyof Payloads & string,
> {
  /** The event types, in the order of their definition. */
  readonly types: readonly Type[];
  /** The schemas that payloads are validated with at run time, by event type. */
  readonly schemas: ReadonlyMap<string, StandardSchemaV1>;
  /** The payload types, for the compiler only: never set at run time. */
  readonly "~payloads"?: Payloads;
}

/** A payload that only the compiler knows, and that is not validated at run time. */
export interface PayloadType<Data> {
  readonly "~checked": "never";
  /** The type, for the compiler only: never set at run time. */
  readonly "~data"?: Data;
}

/** The definition of an event type: a TypeScript type, or any Standard Schema. */
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
 * An event of a catalogue as a handler receives it: of one type, or of any.
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
 * @throws {ConfigurationError} for a catalogue without types, an invalid name such as a pattern, and
 * a definition that is neither `type<…>()` nor a Standard Schema
 */
export function defineEvents<const Definitions extends Record<string, EventDefinition>>(
  definitions: Definitions,
): EventCatalogue<PayloadsOf<Definitions>> {
  const types = Object.keys(definitions);
  const problems = types.flatMap((name) => problemsOf(eventTypeRule, showValue(name), name));
  if (types.length === 0) {
    const message = "it has no event types, so that a subscription would receive all of them";
    problems.push(statedProblem("events", { required: message }));
  }
  const schemas = new Map<string, StandardSchemaV1>();
  for (const [name, definition] of Object.entries(definitions)) {
    if (isSchema(definition)) schemas.set(name, definition);
    else if (!isPayloadType(definition)) {
      const message = "must be defined by type<…>() or a Standard Schema";
      problems.push(problem(showValue(name), { definition: message }));
    }
  }
  if (eventCatalogue.test(definitions)) {
    const message =
      "a catalogue is spread into another one: spread the definitions that it was made from";
    problems.splice(0, problems.length, statedProblem("events", { catalogue: message }));
  }
  if (problems.length > 0) throw new ConfigurationError("The event catalogue is invalid", problems);
  return { types, schemas };
}

/** Defines the payload of an event by a TypeScript type, without validation at run time. */
export function type<Data>(): PayloadType<Data> {
  return { "~checked": "never" };
}

function isSchema(definition: unknown): definition is StandardSchemaV1 {
  const standard = member(definition, "~standard");
  return typeof member(standard, "validate") === "function";
}

function isPayloadType(definition: unknown): definition is PayloadType<unknown> {
  return member(definition, "~checked") === "never";
}

/** Reads a member of an object, or of a function: the schemas of ArkType are functions. */
function member(value: unknown, name: string): unknown {
  const holder = (typeof value === "object" && value !== null) || typeof value === "function";
  return holder ? Reflect.get(value, name) : undefined;
}
