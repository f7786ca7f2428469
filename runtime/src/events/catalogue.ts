import type { StandardSchemaV1 } from "@standard-schema/spec";

/** What a publisher gives (`input`) and a handler gets (`output`) for one event type. */
export interface EventPayload<Input = unknown, Output = Input> {
  readonly input: Input;
  readonly output: Output;
}

/**
 * The event types a service deals in, each with its payload.
 *
 * One catalogue drives the subscription's `includedEventTypes`, the typed handlers of the listener
 * and the typed `create` of the publisher.
 */
export interface EventCatalogue<
  Payloads extends Record<string, EventPayload> = Record<string, EventPayload>,
> {
  /** The event types, in the order of their definition. */
  readonly types: readonly (keyof Payloads & string)[];
  /** The schema to check a type's payload with at run time, for the types that have one. */
  readonly schemas: ReadonlyMap<string, StandardSchemaV1>;
  /** Carries the payload types for the compiler; never there at run time. */
  readonly "~payloads"?: Payloads;
}

/** A payload that is known to the compiler only, and not checked at run time. */
export interface PayloadType<Data> {
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
 * Defines the event types of a service.
 *
 * @example
 * ```ts
 * export const orders = defineEvents({
 *   "shop.order.placed": type<{ orderId: string }>(),
 *   "shop.order.cancelled": z.object({ orderId: z.string(), reason: z.string() }),
 * });
 * ```
 */
export function defineEvents<const Definitions extends Record<string, EventDefinition>>(
  definitions: Definitions,
): EventCatalogue<PayloadsOf<Definitions>> {
  const schemas = new Map<string, StandardSchemaV1>();
  for (const [name, definition] of Object.entries(definitions)) {
    if ("~standard" in definition) schemas.set(name, definition);
  }
  return { types: Object.keys(definitions), schemas };
}

/** Names a payload's TypeScript type, for an event whose payload is not checked at run time. */
export function type<Data>(): PayloadType<Data> {
  return {};
}
