import * as v from "valibot";
import {
  fields,
  flag,
  invalidRequest,
  list,
  number,
  oneOf,
  optionalFields,
  problemsOf,
  text,
} from "../../base/index.js";
import { localAccount, storageProblems } from "../destinations/index.js";
import {
  type DeliverySchema,
  deliverySchemas,
  type InputSchema,
  systemDeliverySchemas,
} from "../events/index.js";
import { advancedFilter, type EventFilter, filterProblems } from "../filters/index.js";
import {
  anyNumber,
  type DeliveryOptions,
  type DeliverySettings,
  destination,
  destinationOf,
  noTarget,
  type Properties,
  partOf,
  rangeProblems,
  targetOptions,
  targetProblems,
  withoutNulls,
} from "./delivery-settings.js";

/** When Event Grid stops retrying: at the limit that is reached first. */
export interface RetryLimits {
  /** 1–30. @default 30 */
  readonly maxDeliveryAttempts?: number | undefined;
  /** 1–1440. @default 1440 */
  readonly eventTimeToLiveInMinutes?: number | undefined;
}

/** The storage container for undeliverable events. */
export interface DeadLetterDestination {
  readonly container: string;
  /** Resource ID of the storage account. @default an account named `local` */
  readonly storageAccountId?: string | undefined;
}

/** Settings of a new event subscription. */
export interface NewEventSubscription extends DeliveryOptions {
  /** 3 to 64 letters, digits and hyphens. */
  readonly name: string;
  /** Subscription, resource group, resource or topic whose events to deliver. */
  readonly scope: string;
  /**
   * Schema of deliveries. It decides the handshake too.
   * @default the topic's input schema, and `CloudEventSchemaV1_0` for events of Azure services
   */
  readonly deliverySchema?: DeliverySchema | undefined;
  /** @default all events of the scope; of a storage account only created and deleted blobs, as in Azure */
  readonly filter?: EventFilter | undefined;
  /** @default 30 attempts within a day */
  readonly retryPolicy?: RetryLimits | undefined;
  /** @default undeliverable events are dropped */
  readonly deadLetter?: DeadLetterDestination | undefined;
  /** ISO 8601 time after which nothing is delivered. @default never */
  readonly expiresAt?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

/** The settings of a subscription with every default filled in. */
export interface EventSubscriptionSettings extends DeliverySettings {
  readonly deliverySchema: DeliverySchema;
  readonly filter: EventFilter;
  readonly retryPolicy: Required<Defined<RetryLimits>>;
  readonly deadLetter: DeadLetterDestination | undefined;
  readonly expiresAt: string | undefined;
  readonly labels: readonly string[];
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The property `deadLetterDestination`: a blob container. */
const deadLetterDestination = v.pipe(
  partOf({ properties: partOf({ resourceId: text, blobContainerName: text }) }),
  v.transform(({ properties: { resourceId, blobContainerName: container } }) => ({
    container,
    storageAccountId: resourceId,
  })),
);

/** The same in a property that names an identity, too. */
export const deadLetterWithIdentity = partOf({ deadLetterDestination });

/** The property `deadLetterDestination` for options in code. */
export function deadLetterProperty(
  { deadLetter }: { readonly deadLetter?: DeadLetterDestination | undefined },
  account: string,
) {
  return (
    deadLetter && {
      endpointType: "StorageBlob",
      properties: {
        resourceId: deadLetter.storageAccountId ?? account,
        blobContainerName: deadLetter.container,
      },
    }
  );
}

type Ends = Pick<EventSubscriptionSettings, "deadLetter" | "expiresAt">;

export function* deadLetterProblems({ deadLetter }: Ends): Generator<string> {
  if (!deadLetter) return;
  yield* storageProblems("container", deadLetter.container, deadLetter.storageAccountId);
}

export function* expirationProblems({ expiresAt }: Ends): Generator<string> {
  if (expiresAt === undefined || !Number.isNaN(Date.parse(expiresAt))) return;
  yield `The expiration time '${expiresAt}' is not a timestamp.`;
}

const schemaNames = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomInputSchema"] as const;

const filterFields = {
  includedEventTypes: list(text),
  subjectBeginsWith: text,
  subjectEndsWith: text,
  isSubjectCaseSensitive: flag,
  advancedFilters: list(advancedFilter),
  enableAdvancedFilteringOnArrays: flag,
};

/** Schema of the options in code: names and types. `settingProblems` checks the values. */
export const settingOptions = {
  ...targetOptions,
  deliverySchema: v.optional(oneOf(...schemaNames)),
  filter: v.optional(optionalFields(filterFields)),
  retryPolicy: v.optional(
    optionalFields({ maxDeliveryAttempts: number, eventTimeToLiveInMinutes: number }),
  ),
  deadLetter: v.optional(fields({ container: text, storageAccountId: v.optional(text) })),
  expiresAt: v.optional(text),
  labels: v.optional(list(text)),
};

/** The properties that Resource Manager stores for options in code. */
export function propertiesOf(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly isTopic: boolean },
): Properties {
  const account = localAccount(cloud.subscriptionId);
  return withoutNulls({
    destination: destinationOf(props, account),
    // Code gets CloudEvents of Azure services too, unless it asks for another schema.
    eventDeliverySchema:
      props.deliverySchema ?? (cloud.isTopic ? undefined : "CloudEventSchemaV1_0"),
    filter: props.filter,
    retryPolicy: props.retryPolicy,
    deadLetterDestination: deadLetterProperty(props, account),
    expirationTimeUtc: props.expiresAt,
    labels: props.labels,
  });
}

/** The properties that have an effect. Destinations have another place with an identity. */
const effective = partOf({
  destination: v.optional(destination),
  deliveryWithResourceIdentity: v.optional(partOf({ destination: v.optional(destination) })),
  eventDeliverySchema: v.optional(oneOf(...schemaNames)),
  filter: v.optional(v.partial(partOf(filterFields)), {}),
  retryPolicy: v.optional(
    partOf({
      maxDeliveryAttempts: v.optional(anyNumber, 30),
      eventTimeToLiveInMinutes: v.optional(anyNumber, 1440),
    }),
    {},
  ),
  deadLetterDestination: v.optional(deadLetterDestination),
  deadLetterWithResourceIdentity: v.optional(deadLetterWithIdentity),
  expirationTimeUtc: v.optional(text),
  labels: v.optional(list(text), []),
});

/** What decides about properties that are missing. */
interface Defaults {
  readonly tenantId: string;
  /** The input schema of the topic; `undefined` for any other scope. */
  readonly inputSchema: InputSchema | undefined;
}

/**
 * Reads the settings from the properties. `settingProblems` checks their values.
 *
 * @param properties without nulls
 * @throws ServiceError for every property of the wrong type
 */
export function settingsOf(
  properties: Properties,
  { tenantId, inputSchema }: Defaults,
): EventSubscriptionSettings {
  const problems = problemsOf(effective, properties);
  if (problems.length > 0) throw invalidRequest(`${problems.join(". ")}.`);
  const { filter, retryPolicy, labels, ...read } = v.parse(effective, properties);
  const target = read.destination ?? read.deliveryWithResourceIdentity?.destination ?? {};
  const schemas = inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas;
  return {
    ...noTarget,
    ...target,
    tenantId: target.tenantId || tenantId,
    deliverySchema: read.eventDeliverySchema ?? schemas[0],
    filter,
    retryPolicy,
    deadLetter:
      read.deadLetterDestination ?? read.deadLetterWithResourceIdentity?.deadLetterDestination,
    expiresAt: read.expirationTimeUtc || undefined,
    labels,
  };
}

/** Values outside the service's limits. */
export function* settingProblems(settings: EventSubscriptionSettings): Generator<string> {
  const { filter, retryPolicy } = settings;
  yield* targetProblems(settings);
  yield* filterProblems(filter);
  yield* rangeProblems("retryPolicy.maxDeliveryAttempts", retryPolicy.maxDeliveryAttempts, 30);
  yield* rangeProblems(
    "retryPolicy.eventTimeToLiveInMinutes",
    retryPolicy.eventTimeToLiveInMinutes,
    1440,
  );
  yield* deadLetterProblems(settings);
  yield* expirationProblems(settings);
}
