import { CloudEventGridError } from "cloud-eventgrid-binding-runtime/events";
import type { SubjectFilter } from "../subscription/index.js";

/**
 * What a binding needs to receive a resource's own events, and all that it needs: without a
 * `subjectFilter` every subject is delivered. Spread it into the props of `CloudEventGridBinding`, or
 * give it as one of its `additionalScopes`.
 */
export interface EventSource {
  readonly scope: string;
  readonly includedEventTypes: readonly string[];
  readonly subjectFilter?: SubjectFilter;
}

/** What every source lets one choose. */
export interface EventSourceOptions<Type extends string> {
  /**
   * The events to receive: the service's catalogue, of which the types of this source are taken,
   * or the types themselves. Given here, it need not be given to the binding, too.
   *
   * @default all that the resource raises, as far as the other options let them through
   */
  readonly events?: { readonly types: readonly string[] } | readonly Type[];
}

/** A resource, by its ID or by the construct that makes it or looks it up. */
export type SourceResource<Guarded = unknown> =
  | string
  | ({ readonly id: string; readonly terraformResourceType?: string } & Guarded);

/** A part of a resource, by its name or by the construct that makes it. */
export type SourcePart<Guarded = unknown> =
  | string
  | ({ readonly name: string; readonly nameInput?: string | undefined } & Guarded);

/** Thrown for a source that would never deliver what is asked of it; it carries every reason. */
export class EventSourceError extends CloudEventGridError {
  readonly code = "ERR_EVENT_SOURCE";
  readonly problems: readonly string[];

  constructor(source: string, problems: readonly string[]) {
    super(`the events of the ${source} cannot be received as asked: ${problems.join("; ")}`);
    this.problems = problems;
  }
}
