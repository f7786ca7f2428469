import * as v from "valibot";
import {
  expected,
  field,
  flag,
  invalidRequest,
  isObject,
  list,
  problemsOf,
  text,
} from "../../base/index.js";
import type { MessageDestination } from "../destinations/index.js";
import {
  type DeliverySchema,
  deliverySchemas,
  type InputSchema,
  systemDeliverySchemas,
} from "../events/index.js";
import { advancedFilter } from "../filters/index.js";
import type { DeliveryProperty } from "./delivery-properties.js";
import type { EventSubscriptionSettings } from "./event-subscription.js";

/** The properties of an event subscription as Resource Manager stores them. */
export type Properties = Readonly<Record<string, unknown>>;

/** What decides about properties that are missing. */
export interface Defaults {
  readonly tenantId: string;
  /** The input schema of the topic; `undefined` for any other scope. */
  readonly inputSchema: InputSchema | undefined;
}

/** Resource Manager takes null for a missing field, at any depth. */
export function withoutNulls(properties: Properties): Properties {
  const present = Object.entries(properties).filter(([, value]) => value != null);
  return Object.fromEntries(present.map(([name, value]) => [name, cleaned(value)]));
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return isObject(value) ? withoutNulls(value) : value;
}

/**
 * Reads the settings from the properties. `subscription-rules.ts` checks their values.
 *
 * @param properties without nulls
 * @throws ServiceError for every property of the wrong type
 */
export function settingsOf(properties: Properties, defaults: Defaults): EventSubscriptionSettings {
  const read = v.safeParse(schema, properties);
  if (!read.success) throw invalidRequest(`${problemsOf(schema, properties).join(". ")}.`);
  const { inputSchema } = defaults;
  const {
    destination,
    deliveryWithResourceIdentity,
    deadLetterDestination,
    deadLetterWithResourceIdentity,
    eventDeliverySchema,
    expirationTimeUtc,
    ...others
  } = read.output;
  const target = destination ?? deliveryWithResourceIdentity?.destination ?? {};
  return {
    ...others,
    ...noTarget,
    ...target,
    tenantId: target.tenantId || defaults.tenantId,
    deadLetter: deadLetterDestination ?? deadLetterWithResourceIdentity?.deadLetterDestination,
    deliverySchema:
      eventDeliverySchema ??
      (inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas)[0],
    expiresAt: expirationTimeUtc || undefined,
  };
}

type Target = Partial<
  Pick<
    EventSubscriptionSettings,
    "endpointUrl" | "destination" | "clientId" | "tenantId" | "batching" | "deliveryProperties"
  >
>;

const noTarget = {
  endpointUrl: undefined,
  destination: undefined,
  clientId: undefined,
  batching: { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 },
  deliveryProperties: [],
} satisfies Target;

const number = v.number(expected("a number"));

/** An object, of which fields that are not named here are ignored, as Azure ignores them. */
export function partOf<const T extends v.ObjectEntries>(entries: T) {
  return v.object(entries, expected("an object"));
}

const deliveryProperty = v.pipe(
  partOf({
    name: v.optional(text, ""),
    type: v.optional(text),
    properties: v.optional(
      partOf({
        sourceField: v.optional(text, ""),
        value: v.optional(text, ""),
        isSecret: v.optional(flag, false),
      }),
      {},
    ),
  }),
  v.transform(({ name, type, properties }): DeliveryProperty => {
    const { sourceField, value, isSecret } = properties;
    return /^dynamic$/i.test(type ?? "")
      ? { type: "dynamic", name, sourceField }
      : { type: "static", name, value, secret: isSecret };
  }),
);

const deliveryAttributeMappings = v.optional(list(deliveryProperty), []);

const resource = { resourceId: v.optional(text, "") };

function messaging(type: Exclude<MessageDestination["type"], "StorageQueue">) {
  return v.pipe(
    partOf({ ...resource, deliveryAttributeMappings }),
    v.transform(
      ({ resourceId, deliveryAttributeMappings: deliveryProperties }): Target => ({
        destination: { type, resourceId },
        deliveryProperties,
      }),
    ),
  );
}

/** The `properties` of a webhook. */
export const webhookTarget = v.pipe(
  partOf({
    endpointUrl: v.optional(text, ""),
    azureActiveDirectoryApplicationIdOrUri: v.optional(text),
    azureActiveDirectoryTenantId: v.optional(text, ""),
    maxEventsPerBatch: v.optional(number, noTarget.batching.maxEventsPerBatch),
    preferredBatchSizeInKilobytes: v.optional(
      number,
      noTarget.batching.preferredBatchSizeInKilobytes,
    ),
    deliveryAttributeMappings,
  }),
  v.transform(
    ({ maxEventsPerBatch, preferredBatchSizeInKilobytes, ...properties }): Target => ({
      endpointUrl: properties.endpointUrl,
      clientId: properties.azureActiveDirectoryApplicationIdOrUri || undefined,
      tenantId: properties.azureActiveDirectoryTenantId,
      batching: { maxEventsPerBatch, preferredBatchSizeInKilobytes },
      deliveryProperties: properties.deliveryAttributeMappings,
    }),
  ),
);

/** The `properties` of each type of destination. */
const targets = {
  WebHook: webhookTarget,
  StorageQueue: v.pipe(
    partOf({
      ...resource,
      queueName: v.optional(text, ""),
      queueMessageTimeToLiveInSeconds: v.optional(number),
      deliveryAttributeMappings,
    }),
    v.transform(
      ({ resourceId, queueName, queueMessageTimeToLiveInSeconds, ...properties }): Target => ({
        destination: {
          type: "StorageQueue",
          queue: queueName,
          storageAccountId: resourceId,
          messageTimeToLiveInSeconds: queueMessageTimeToLiveInSeconds,
        },
        deliveryProperties: properties.deliveryAttributeMappings,
      }),
    ),
  ),
  ServiceBusQueue: messaging("ServiceBusQueue"),
  ServiceBusTopic: messaging("ServiceBusTopic"),
  EventHub: messaging("EventHub"),
};

const unsupported = partOf({
  endpointType: v.custom<never>(
    () => false,
    ({ input }) =>
      input === undefined
        ? "is missing"
        : `'${input}' is not supported by the local Event Grid; use ${Object.keys(targets).join(", ")}`,
  ),
  properties: v.optional(
    v.pipe(
      v.unknown(),
      v.transform((): Target => ({})),
    ),
    {},
  ),
});

const destination = v.lazy((value): v.GenericSchema<unknown, Target> => {
  const type = String(field(value, "endpointType")).toLowerCase();
  const target: v.GenericSchema<unknown, Target> | undefined = Object.entries(targets).find(
    ([name]) => name.toLowerCase() === type,
  )?.[1];
  return v.pipe(
    target ? partOf({ properties: v.optional(target, {}) }) : unsupported,
    v.transform(({ properties }) => properties),
  );
});

export const deadLetterDestination = v.pipe(
  partOf({
    properties: v.optional(
      partOf({ resourceId: v.optional(text), blobContainerName: v.optional(text) }),
      {},
    ),
  }),
  v.transform(({ properties: { resourceId, blobContainerName: container } }) =>
    container === undefined ? undefined : { container, storageAccountId: resourceId || undefined },
  ),
);

const names: readonly DeliverySchema[] = [
  "CloudEventSchemaV1_0",
  "EventGridSchema",
  "CustomInputSchema",
];

const deliverySchema = v.pipe(
  text,
  v.transform((name) => names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name),
  v.picklist(names, expected(names.join(", "))),
);

/** Names and types of the properties, and their defaults. */
const schema = partOf({
  destination: v.optional(destination),
  deliveryWithResourceIdentity: v.optional(partOf({ destination: v.optional(destination) })),
  filter: v.optional(
    partOf({
      includedEventTypes: v.optional(list(text)),
      subjectBeginsWith: v.optional(text),
      subjectEndsWith: v.optional(text),
      isSubjectCaseSensitive: v.optional(flag, false),
      advancedFilters: v.optional(list(advancedFilter), []),
      enableAdvancedFilteringOnArrays: v.optional(flag, false),
    }),
    {},
  ),
  retryPolicy: v.optional(
    partOf({
      maxDeliveryAttempts: v.optional(number, 30),
      eventTimeToLiveInMinutes: v.optional(number, 1440),
    }),
    {},
  ),
  deadLetterDestination: v.optional(deadLetterDestination),
  deadLetterWithResourceIdentity: v.optional(
    partOf({ deadLetterDestination: v.optional(deadLetterDestination) }),
  ),
  eventDeliverySchema: v.optional(deliverySchema),
  expirationTimeUtc: v.optional(text),
  labels: v.optional(list(text), []),
});
