import { randomUUID } from "node:crypto";
import { checkOptions } from "../../check-options.js";
import { LocalCloudError } from "../../errors.js";
import { anyObject, object, text } from "../../shape.js";
import type { AcceptedEvent, CloudEvent } from "../event.js";
import { checkScope } from "../scope.js";
import { cache } from "./cache.js";
import { eventHubs } from "./event-hubs.js";
import { iotHub } from "./iot-hub.js";
import { serviceBus } from "./service-bus.js";
import { signalR } from "./signalr.js";
import { storage } from "./storage.js";
import type { EventFamily } from "./system-event.js";

const families = [storage, cache, eventHubs, iotHub, serviceBus, signalR] as const;

/** The types of the events that Azure's own services send. */
export type SystemEventType = TypeOf<(typeof families)[number]>;

type TypeOf<Family> = Family extends EventFamily<infer Type> ? Type : never;

/** What a made-up event says; whatever is left out is filled in as the source would. */
export interface SystemEventOptions {
  /** Resource ID of the source, of the family's kind. */
  readonly scope: string;
  readonly id?: string | undefined;
  readonly subject?: string | undefined;
  /** ISO 8601. @default now, on the cloud's clock */
  readonly time?: string | undefined;
  /** Fields that replace or extend those of the payload. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

const emission = object({ scope: text }, { id: text, subject: text, time: text, data: anyObject });

/** All types that can be emitted. */
export const systemEventTypes: readonly SystemEventType[] = families.flatMap(
  ({ samples }) => Object.keys(samples) as SystemEventType[],
);

/**
 * Makes up an event of one of Azure's services.
 *
 * @throws LocalCloudError `ERR_SYSTEM_EVENT` when the type is unknown, or not of that resource, or when there is no scope; `ERR_OPTIONS`
 * @throws ServiceError when the scope is no resource ID of the cloud's subscription
 */
export function systemEvent(
  type: SystemEventType,
  options: SystemEventOptions,
  cloud: { readonly subscriptionId: string; readonly now: number },
): { event: AcceptedEvent; content: CloudEvent } {
  const family = familyOf(type);
  if (typeof options?.scope !== "string") {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} needs a scope: the ID of the resource that it comes from, of the type ${family.resourceType}.`,
    );
  }
  checkOptions(emission, options, `${type} cannot be made with these options`);
  const scope = checkScope(options.scope, cloud.subscriptionId);
  const [, , , , , , namespace, kind, name = ""] = scope.split("/");
  if (`${namespace}/${kind}`.toLowerCase() !== family.resourceType.toLowerCase()) {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `${type} comes from a resource of the type ${family.resourceType}, which '${scope}' is not.`,
    );
  }
  const time = options.time ?? new Date(cloud.now).toISOString();
  const sample = family.samples[type]?.({ id: scope, name, time, newId: randomUUID });
  const content = {
    specversion: "1.0",
    id: options.id ?? randomUUID(),
    source: family.sourceOf?.(scope) ?? scope,
    type,
    subject: options.subject ?? sample?.subject ?? "",
    time,
    data: { ...sample?.data, ...options.data },
  };
  const json = JSON.stringify(content);
  const { id, source, subject } = content;
  const sizeInBytes = Buffer.byteLength(json);
  const event = { id, type, source, subject, json, sizeInBytes, publishedAt: cloud.now };
  return { event, content };
}

function familyOf(type: string): EventFamily {
  const family = families.find(({ samples }) => Object.hasOwn(samples, type));
  if (family) return family;
  throw new LocalCloudError(
    "ERR_SYSTEM_EVENT",
    `'${type}' is no system event that is known here. There are ${systemEventTypes.join(", ")}.`,
  );
}
