import { randomUUID } from "node:crypto";
import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  checkScope,
  fields,
  isObject,
  LocalCloudError,
  listAt,
  nearName,
  subscriptionOf,
  text,
} from "../../base/index.js";
import type { AcceptedEvent, EventContent, ReadEvent } from "../events/index.js";
import { sdkSamples, writtenFamilies } from "./families.js";
import { type EventFamily, filledSample, type Sample, type SdkSample } from "./sample.js";

/** The families of the SDK's samples, by the type of resource that the events come from. */
function sdkFamilies(): EventFamily[] {
  const families = new Map<string | undefined, Record<string, Sample>>();
  for (const [type, sample] of Object.entries<SdkSample>(sdkSamples)) {
    const { resourceType } = sample;
    families.set(resourceType, { ...families.get(resourceType), [type]: sample });
  }
  return [...families].map(([resourceType, samples]) => ({
    ...(resourceType !== undefined && { resourceType }),
    samples,
  }));
}

const eventFamilies: readonly EventFamily[] = [...writtenFamilies, ...sdkFamilies()];

/** The types of events that Azure services send. */
export type SystemEventType = TypeOf<(typeof writtenFamilies)[number]> | keyof typeof sdkSamples;

type TypeOf<Family> = Family extends EventFamily<infer Type> ? Type : never;

/** Content of a simulated event. The rest is filled in as the source would. */
export interface SystemEventOptions {
  /** Resource ID of the source. For a known type, a resource of the type that sends such events. */
  readonly scope: string;
  readonly id?: string | undefined;
  /** The data names the same resource. @default a sample's; empty for a type without one */
  readonly subject?: string | undefined;
  /** ISO 8601. @default now, on the cloud's clock */
  readonly time?: string | undefined;
  /**
   * Fields that replace or extend those of the sample data. A type without a sample needs all its
   * data.
   */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

const systemEventOptions = fields({
  scope: text,
  id: v.optional(text),
  subject: v.optional(text),
  time: v.optional(text),
  data: v.optional(anyObject),
});

/** The kinds of resources whose events are known, with the types of their events. */
export const systemEventFamilies = eventFamilies.map(({ resourceType, samples, defaultTypes }) => ({
  resourceType,
  types: Object.keys(samples),
  defaultTypes,
}));

/** All types with sample data. */
export const systemEventTypes: readonly SystemEventType[] = eventFamilies.flatMap(
  ({ samples }) => Object.keys(samples) as SystemEventType[],
);

/** The types that a subscription and a resource group raise. */
export const resourceManagerEventTypes: readonly string[] = systemEventTypes.filter((type) =>
  type.startsWith("Microsoft.Resources."),
);

/** The types that no resource raises. Those of others without a type of resource can be any's. */
const OF_SUBSCRIPTIONS = /^Microsoft\.(PolicyInsights|ResourceNotifications|Resources)\./;

/**
 * Simulates an event of an Azure service.
 *
 * @throws LocalCloudError `ERR_SYSTEM_EVENT` for a type without a sample and without `data`, a missing
 * scope or one of another resource type, or a subject from which no data can be derived; `ERR_OPTIONS`
 * @throws ServiceError if the scope is not a resource ID of the cloud's subscription
 */
export function systemEvent(
  type: string,
  options: SystemEventOptions,
  cloud: Numbered & { readonly subscriptionIds: readonly string[] },
): ReadEvent {
  const family = familyOf(type, options);
  const { resourceType } = family ?? {};
  if (typeof options?.scope !== "string") {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} needs a scope: the ID of a resource${resourceType ? ` of the type ${resourceType}` : ""}.`,
    );
  }
  checkOptions(systemEventOptions, options, `Invalid options of ${type}`);
  const scope = checkScope(options.scope, cloud.subscriptionIds);
  const [, , , , , , namespace, kind, name = ""] = scope.split("/");
  const given = kind === undefined ? undefined : `${namespace}/${kind}`;
  const isFree = resourceType === undefined && !OF_SUBSCRIPTIONS.test(type);
  if (family && !isFree && given?.toLowerCase() !== resourceType?.toLowerCase()) {
    const source = resourceType
      ? `a resource of the type ${resourceType}`
      : "an Azure subscription or a resource group";
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} comes from ${source}, but '${scope}' has another type.`,
    );
  }
  const time = options.time ?? new Date(cloud.now).toISOString();
  const samples = family?.samples[type];
  const sample =
    samples &&
    filledSample(type, samples, options, {
      id: scope,
      name,
      subscriptionId: String(subscriptionOf(scope)),
      time,
      timePath: time.slice(0, 19).replace(/[-T:]/g, "/"),
      sequence: cloud.sequence.toString(16).toUpperCase().padStart(13, "0"),
      sequencer: sequencerOf(cloud.sequence),
    });
  const content = {
    specversion: "1.0",
    id: options.id ?? randomUUID(),
    source: family?.sourceOf?.(scope) ?? scope,
    type,
    subject: options.subject ?? sample?.subject ?? "",
    time,
    data: { ...sample?.data, ...options.data },
  };
  return acceptedServiceEvent(content, cloud.now);
}

/** `undefined` for a type that comes with all its data. */
function familyOf(type: string, options: SystemEventOptions): EventFamily | undefined {
  const family = eventFamilies.find(({ samples }) => Object.hasOwn(samples, type));
  if (family || options?.data !== undefined) return family;
  const meant = nearName(type, systemEventTypes);
  throw new LocalCloudError(
    "ERR_SYSTEM_EVENT",
    `There is no sample of the system event '${type}'. ${meant ? `Did you mean ${meant}?` : "Pass all its data."}`,
  );
}

/** Consumers compare the texts of two events of a blob. */
export function sequencerOf(sequence: number): string {
  return sequence.toString(16).padStart(32, "0");
}

/** The cloud's clock, and the number of the event, which grows with each. */
interface Numbered {
  readonly now: number;
  readonly sequence: number;
}

/** An event that has happened in a resource, and was not simulated. */
export interface RaisedEvent {
  readonly type: string;
  /** Resource ID of the source. */
  readonly scope: string;
  readonly subject: string;
  /** @param sequence grows with each event */
  readonly data: (sequence: number) => Readonly<Record<string, unknown>>;
}

export function raisedEvent(
  { type, scope, subject, data }: RaisedEvent,
  { now, sequence }: Numbered,
): ReadEvent {
  const time = new Date(now).toISOString();
  const attributes = { specversion: "1.0", id: randomUUID(), source: scope, type, subject, time };
  return acceptedServiceEvent({ ...attributes, data: data(sequence) }, now);
}

interface ServiceEventContent extends EventContent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
}

function acceptedServiceEvent(content: ServiceEventContent, now: number): ReadEvent {
  const { id, type, source, subject, time } = content;
  const json = JSON.stringify(content);
  const event: AcceptedEvent = {
    id,
    type,
    source,
    subject,
    time,
    json,
    sizeInBytes: Buffer.byteLength(json),
    schema: "CloudEventSchemaV1_0",
    publishedAt: now,
  };
  return { event, content };
}

/** Azure services fill in their default types for a subscription that names none. */
export function withDefaultTypes(
  properties: Readonly<Record<string, unknown>>,
  includedEventTypes: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  const { filter } = properties;
  const isFiltered = listAt(filter, "includedEventTypes").length > 0;
  if (isFiltered || includedEventTypes === undefined) return properties;
  return { ...properties, filter: { ...(isObject(filter) && filter), includedEventTypes } };
}

/** The types of events that a source sends by default, where those are not all its types. */
export function defaultTypesOf(scope: string): readonly string[] | undefined {
  return familyAt(scope)?.defaultTypes;
}

/** All known types of a source; `undefined` for another one. */
export function knownTypesOf(scope: string): readonly string[] | undefined {
  return /\/providers\//i.test(scope) ? familyAt(scope)?.types : resourceManagerEventTypes;
}

function familyAt(scope: string) {
  const id = scope.toLowerCase();
  return systemEventFamilies.find(
    ({ resourceType }) =>
      resourceType !== undefined && id.includes(`/providers/${resourceType.toLowerCase()}/`),
  );
}
