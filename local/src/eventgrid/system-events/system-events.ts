import { randomUUID } from "node:crypto";
import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  checkScope,
  fields,
  LocalCloudError,
  nearName,
  text,
} from "../../base/index.js";
import type { AcceptedEvent, EventContent } from "../events/index.js";
import { cache } from "./cache.js";
import { eventHubs } from "./event-hubs.js";
import { iotHub } from "./iot-hub.js";
import type { SdkEventType } from "./sdk-event-type.js";
import { familiesOf, type SdkSample } from "./sdk-sample.js";
import samples from "./sdk-samples.json";
import { serviceBus } from "./service-bus.js";
import { acceptedServiceEvent } from "./service-event.js";
import { signalR } from "./signalr.js";
import { storage } from "./storage.js";
import type { EventFamily } from "./system-event.js";

const derivedFamilies = [storage, cache, eventHubs, iotHub, serviceBus, signalR] as const;

const sdkSamples: Readonly<Record<SdkEventType, SdkSample>> = samples;

const eventFamilies: readonly EventFamily[] = [...derivedFamilies, ...familiesOf(sdkSamples)];

/** The types of events that Azure services send. */
export type SystemEventType = TypeOf<(typeof derivedFamilies)[number]> | SdkEventType;

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

/** The kinds of resources whose events are known. */
export interface SystemEventFamily {
  /** Namespace and type of the resource; a subscription or a resource group without one. */
  readonly resourceType: string | undefined;
  readonly types: readonly string[];
  /** Those that a subscription without `includedEventTypes` gets. @default all */
  readonly defaultTypes: readonly string[] | undefined;
}

export const systemEventFamilies: readonly SystemEventFamily[] = eventFamilies.map(
  ({ resourceType, samples, defaultTypes }) => ({
    resourceType,
    types: Object.keys(samples),
    defaultTypes,
  }),
);

/** All types with sample data. */
export const systemEventTypes: readonly SystemEventType[] = eventFamilies.flatMap(
  ({ samples }) => Object.keys(samples) as SystemEventType[],
);

/** The types that a subscription and a resource group raise. */
export const resourceManagerEventTypes: readonly string[] = systemEventTypes.filter((type) =>
  type.startsWith("Microsoft.Resources."),
);

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
  cloud: { readonly subscriptionId: string; readonly now: number; readonly sequence: number },
): { event: AcceptedEvent; content: EventContent } {
  const family = familyOf(type, options);
  const { resourceType } = family ?? {};
  if (typeof options?.scope !== "string") {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} needs a scope: the ID of a resource${resourceType ? ` of the type ${resourceType}` : ""}.`,
    );
  }
  checkOptions(systemEventOptions, options, `Invalid options of ${type}`);
  const scope = checkScope(options.scope, cloud.subscriptionId);
  const [, , , , , , namespace, kind, name = ""] = scope.split("/");
  if (resourceType && `${namespace}/${kind}`.toLowerCase() !== resourceType.toLowerCase()) {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} comes from a resource of the type ${resourceType}, but '${scope}' has another type.`,
    );
  }
  const time = options.time ?? new Date(cloud.now).toISOString();
  const sample = family?.samples[type]?.({
    id: scope,
    name,
    time,
    type,
    subject: options.subject,
    hasData: options.data !== undefined,
    sequence: cloud.sequence,
    newId: randomUUID,
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
  return { event: acceptedServiceEvent(content, cloud.now), content };
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
