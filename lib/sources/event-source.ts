import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import { ConfigurationError } from "cloud-eventgrid-binding-runtime/contract";
import type { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { SubjectFilter } from "../subscription/index.js";

/**
 * The props with which a binding receives a resource's own events. Without a `subjectFilter`, every
 * subject is delivered. Spread it into the props of `CloudEventGridBinding`, or pass it as one of its
 * `additionalScopes`.
 */
export interface EventSource {
  readonly scope: string;
  readonly includedEventTypes: readonly string[];
  readonly subjectFilter?: SubjectFilter;
}

/** The event types that a source can receive. */
export type SourceEventType<Service extends keyof typeof systemEventTypes> =
  (typeof systemEventTypes)[Service][number];

/** Options of every source. */
export interface EventSourceOptions<Service extends keyof typeof systemEventTypes> {
  /**
   * The events to receive: the service's catalogue, of which the types of this source are used, or
   * the types themselves. The binding does not need it as well.
   *
   * @default all events that the resource raises and the other options allow
   */
  readonly events?: { readonly types: readonly string[] } | readonly SourceEventType<Service>[];
}

/** A resource: its ID, or the construct that creates it or looks it up. */
export type SourceResource<Guarded = unknown> =
  | string
  | ({ readonly id: string; readonly terraformResourceType?: string } & Guarded);

/** A part of a resource: its name, or the construct that creates it. */
export type SourcePart<Guarded = unknown> =
  | string
  | ({ readonly name: string; readonly nameInput?: string | undefined } & Guarded);

/** Thrown for a source that would never deliver the events that its options ask for. */
export class EventSourceError extends ConfigurationError {
  readonly code = "ERR_EVENT_SOURCE";

  constructor(source: string, problems: readonly Problem[]) {
    super(`The ${source} cannot be an event source`, problems);
  }
}
