import { checkedBody } from "../../api/index.js";
import { field, listAt, numberAt, propertiesIn, textAt, utcTime } from "../../base/index.js";
import { optionSchemas } from "../body-schemas.js";
import {
  type DeadLetterDestination,
  localAccount,
  storageProblems,
} from "../destinations/index.js";
import {
  type DeliverySchema,
  deliverySchemas,
  type InputSchema,
  systemDeliverySchemas,
} from "../events/index.js";
import { type EventFilter, filterIn, filterProblems } from "../filters/index.js";
import {
  type DeliveryOptions,
  type DeliverySettings,
  destinationOf,
  inAccount,
  noTarget,
  type Properties,
  rangeProblems,
  targetIn,
  targetProblems,
} from "./delivery-settings.js";

/** When Event Grid stops retrying: at the limit that is reached first. */
export interface RetryLimits {
  /** 1–30. @default 30 */
  readonly maxDeliveryAttempts?: number | undefined;
  /** 1–1440. @default 1440 */
  readonly eventTimeToLiveInMinutes?: number | undefined;
}

/** Settings of a new event subscription, with the names and forms of Resource Manager's properties. */
export interface NewEventSubscription extends DeliveryOptions {
  /** 3 to 64 letters, digits and hyphens. */
  readonly name: string;
  /** Subscription, resource group, resource or topic whose events to deliver. */
  readonly scope: string;
  /**
   * Schema of deliveries. It decides the handshake too.
   * @default the topic's input schema, and `CloudEventSchemaV1_0` for events of Azure services
   */
  readonly eventDeliverySchema?: DeliverySchema | undefined;
  /** @default all events of the scope; of a storage account only created and deleted blobs, as in Azure */
  readonly filter?: EventFilter | undefined;
  /** @default 30 attempts within a day */
  readonly retryPolicy?: RetryLimits | undefined;
  /** @default undeliverable events are dropped */
  readonly deadLetterDestination?: DeadLetterDestination | undefined;
  /** ISO 8601 time after which nothing is delivered. @default never */
  readonly expirationTimeUtc?: string | undefined;
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

/** Whether the property `deadLetterDestination` has a container. */
function isContainer(property: unknown): property is DeadLetterDestination {
  return textAt(propertiesIn(property), "blobContainerName") !== undefined;
}

/** Reads the property `deadLetterDestination`: a blob container. */
export function deadLetterIn(property: unknown): DeadLetterDestination | undefined {
  return isContainer(property) ? property : undefined;
}

/** Properties that stand for each other, without an identity and with one. */
export const ALTERNATIVES = [
  ["destination", "deliveryWithResourceIdentity"],
  ["deadLetterDestination", "deadLetterWithResourceIdentity"],
] as const;

export function* identityExclusions(properties: Properties): Generator<string> {
  for (const [plain, identified] of ALTERNATIVES) {
    if (properties[plain] === undefined || properties[identified] === undefined) continue;
    yield `An event subscription may have ${plain} or ${identified}, but not both.`;
  }
}

type Ends = Pick<EventSubscriptionSettings, "deadLetter" | "expiresAt">;

export function* deadLetterProblems({ deadLetter }: Ends): Generator<string> {
  if (!deadLetter) return;
  const { blobContainerName, resourceId } = deadLetter.properties;
  yield* storageProblems("container", blobContainerName, resourceId);
}

export function* expirationProblems({ expiresAt }: Ends): Generator<string> {
  if (expiresAt === undefined || !Number.isNaN(utcTime(expiresAt))) return;
  yield `The expiration time '${expiresAt}' is not a timestamp.`;
}

const schemaNames = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomInputSchema"] as const;

/** The properties that Resource Manager stores for options in code. */
export function propertiesOf(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly isTopic: boolean },
): Properties {
  const { deadLetterDestination, filter, retryPolicy, expirationTimeUtc, labels } = props;
  const account = localAccount(cloud.subscriptionId);
  return checkedBody(optionSchemas, "EventSubscriptionProperties", {
    destination: destinationOf(props, account),
    // Code gets CloudEvents of Azure services too, unless it asks for another schema.
    eventDeliverySchema:
      props.eventDeliverySchema ?? (cloud.isTopic ? undefined : "CloudEventSchemaV1_0"),
    filter,
    retryPolicy,
    deadLetterDestination: deadLetterDestination && inAccount(deadLetterDestination, account),
    expirationTimeUtc,
    labels,
  });
}

/** What the defaults of missing properties depend on. */
interface Defaults {
  readonly tenantId: string;
  /** The input schema of the topic; `undefined` for any other scope. */
  readonly inputSchema: InputSchema | undefined;
}

/**
 * Reads the settings from checked properties. Destinations have another place with an identity.
 * `settingProblems` checks their values.
 *
 * @throws ServiceError for a type of destination that is not served
 */
export function settingsOf(
  properties: Properties,
  { tenantId, inputSchema }: Defaults,
): EventSubscriptionSettings {
  const { deliveryWithResourceIdentity: identified, deadLetterWithResourceIdentity } = properties;
  const target = targetIn(properties.destination ?? field(identified, "destination"));
  const schemas = inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas;
  return {
    ...noTarget,
    ...target,
    tenantId: target.tenantId || tenantId,
    deliverySchema:
      schemaNames.find((each) => each === properties.eventDeliverySchema) ?? schemas[0],
    filter: filterIn(properties.filter),
    retryPolicy: {
      maxDeliveryAttempts: numberAt(properties, "retryPolicy", "maxDeliveryAttempts") ?? 30,
      eventTimeToLiveInMinutes:
        numberAt(properties, "retryPolicy", "eventTimeToLiveInMinutes") ?? 1440,
    },
    deadLetter:
      deadLetterIn(properties.deadLetterDestination) ??
      deadLetterIn(field(deadLetterWithResourceIdentity, "deadLetterDestination")),
    expiresAt: textAt(properties, "expirationTimeUtc") || undefined,
    labels: listAt(properties, "labels").map(String),
  };
}

/** Values outside the service's limits. */
export function* settingProblems(settings: EventSubscriptionSettings): Generator<string> {
  const { filter, retryPolicy } = settings;
  yield* targetProblems(settings);
  yield* filterProblems(filter);
  const bounds = { maxDeliveryAttempts: [1, 30], eventTimeToLiveInMinutes: [1, 1440] } as const;
  yield* rangeProblems(retryPolicy, bounds, "retryPolicy");
  yield* deadLetterProblems(settings);
  yield* expirationProblems(settings);
}
