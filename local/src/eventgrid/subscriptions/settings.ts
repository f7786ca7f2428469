import * as v from "valibot";
import {
  expected,
  field,
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
  outside,
  type Properties,
  partOf,
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

/** A setting: its option in code, its property in Resource Manager, and its rule. */
interface Setting {
  /** Name of the property. */
  readonly property: string;
  /** Names and types of the option; the rule reports values outside the service's limits. */
  readonly option: v.GenericSchema;
  /** Reads the property, with its defaults. */
  readonly read: v.GenericSchema;
  /**
   * The property for the options in code.
   *
   * @param account resource ID of the storage account where none is named
   * @default the option of the same name
   */
  readonly write?: (options: NewEventSubscription, account: string) => unknown;
  /** What the service would refuse. */
  readonly problems?: (settings: EventSubscriptionSettings) => Iterable<string>;
}

/** The property `deadLetterDestination`. */
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

const filterFields = {
  includedEventTypes: list(text),
  subjectBeginsWith: text,
  subjectEndsWith: text,
  isSubjectCaseSensitive: flag,
  advancedFilters: list(advancedFilter),
  enableAdvancedFilteringOnArrays: flag,
};

/**
 * The settings of a subscription, except those in its destination. A row, with its lines in the two
 * interfaces above, is all that another setting takes.
 */
const table = {
  filter: {
    property: "filter",
    option: optionalFields(filterFields),
    read: v.optional(v.partial(partOf(filterFields)), {}),
    problems: ({ filter }) => filterProblems(filter),
  },
  retryPolicy: {
    property: "retryPolicy",
    option: optionalFields({ maxDeliveryAttempts: number, eventTimeToLiveInMinutes: number }),
    read: v.optional(
      partOf({
        maxDeliveryAttempts: v.optional(anyNumber, 30),
        eventTimeToLiveInMinutes: v.optional(anyNumber, 1440),
      }),
      {},
    ),
    *problems({ retryPolicy: { maxDeliveryAttempts, eventTimeToLiveInMinutes } }) {
      yield* outside("retryPolicy.maxDeliveryAttempts", maxDeliveryAttempts, 30);
      yield* outside("retryPolicy.eventTimeToLiveInMinutes", eventTimeToLiveInMinutes, 1440);
    },
  },
  deadLetter: {
    property: "deadLetterDestination",
    option: fields({ container: text, storageAccountId: v.optional(text) }),
    read: v.optional(deadLetterDestination),
    write: deadLetterProperty,
    problems: deadLetterProblems,
  },
  deliverySchema: {
    property: "eventDeliverySchema",
    option: oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomInputSchema"),
    read: v.optional(deliverySchema),
  },
  expiresAt: {
    property: "expirationTimeUtc",
    option: text,
    read: v.optional(text),
    problems: expirationProblems,
  },
  labels: { property: "labels", option: list(text), read: v.optional(list(text), []) },
} satisfies Readonly<Record<string, Setting>>;

type Table = typeof table;

const rows: readonly (readonly [name: string, row: Setting])[] = Object.entries(table);

/** Schema of the options in code. */
export const settingOptions = {
  ...targetOptions,
  ...(Object.fromEntries(rows.map(([name, { option }]) => [name, v.optional(option)])) as {
    [Name in keyof Table]: v.OptionalSchema<Table[Name]["option"], undefined>;
  }),
};

/** The properties that Resource Manager stores for options in code. */
export function propertiesOf(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly isTopic: boolean },
): Properties {
  const account = localAccount(cloud.subscriptionId);
  // Code gets CloudEvents of Azure services too, unless it asks for another schema.
  const options: NewEventSubscription = cloud.isTopic
    ? props
    : { ...props, deliverySchema: props.deliverySchema ?? "CloudEventSchemaV1_0" };
  const written = rows.map(([name, { property, write }]) => [
    property,
    write ? write(options, account) : field(options, name),
  ]);
  const destination = destinationOf(props, account);
  return withoutNulls({ destination, ...Object.fromEntries(written) });
}

const reader = partOf(Object.fromEntries(rows.map(([, { property, read }]) => [property, read])));

/** What has another form, or another place, with an identity. */
const identityReader = partOf({
  destination: v.optional(destination),
  deliveryWithResourceIdentity: v.optional(partOf({ destination: v.optional(destination) })),
  deadLetterWithResourceIdentity: v.optional(
    partOf({ deadLetterDestination: v.optional(deadLetterDestination) }),
  ),
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
export function settingsOf(properties: Properties, defaults: Defaults): EventSubscriptionSettings {
  const problems = [identityReader, reader].flatMap((part) => problemsOf(part, properties));
  if (problems.length > 0) throw invalidRequest(`${problems.join(". ")}.`);
  const values = v.parse(reader, properties);
  const { deadLetter, deliverySchema, expiresAt, ...others } = Object.fromEntries(
    rows.map(([name, { property }]) => [name, values[property]]),
  ) as { [Name in keyof Table]: v.InferOutput<Table[Name]["read"]> };
  const identified = v.parse(identityReader, properties);
  const target =
    identified.destination ?? identified.deliveryWithResourceIdentity?.destination ?? {};
  const { inputSchema } = defaults;
  return {
    ...others,
    ...noTarget,
    ...target,
    tenantId: target.tenantId || defaults.tenantId,
    deadLetter: deadLetter ?? identified.deadLetterWithResourceIdentity?.deadLetterDestination,
    deliverySchema:
      deliverySchema ?? (inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas)[0],
    expiresAt: expiresAt || undefined,
  };
}

/** Values outside the service's limits. */
export function* settingProblems(settings: EventSubscriptionSettings): Generator<string> {
  yield* targetProblems(settings);
  for (const [, { problems }] of rows) if (problems) yield* problems(settings);
}
