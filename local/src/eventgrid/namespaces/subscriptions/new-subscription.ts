import * as v from "valibot";
import { checkOptions, fields, list, number, optionalFields, text } from "../../../base/index.js";
import { localAccount } from "../../destinations/index.js";
import { advancedFilter, type FilterCondition } from "../../filters/index.js";
import {
  type DeadLetterDestination,
  type DeliveryOptions,
  deadLetterProperty,
  destinationOf,
  type Properties,
  settingOptions,
  withoutNulls,
} from "../../subscriptions/index.js";

/** Selects events of a namespace topic; an event must match every condition. */
export interface NamespaceFilter {
  /** Exact types, compared case-insensitively. @default all */
  readonly includedEventTypes?: readonly string[] | undefined;
  /** Conditions on attributes, with 25 values in total. Keys in the data are refused. @default none */
  readonly filters?: readonly FilterCondition[] | undefined;
}

/** Settings of a new event subscription to a namespace topic. Without `endpointUrl` it is a queue. */
export interface NewNamespaceSubscription
  extends Pick<DeliveryOptions, "clientId" | "tenantId" | "batching" | "deliveryProperties"> {
  /** 3 to 50 letters, digits and hyphens. */
  readonly name: string;
  /** Seconds for which a received event is locked: 60–300. @default 60 */
  readonly receiveLockDurationInSeconds?: number | undefined;
  /** Deliveries of an event before it is dead-lettered or dropped: 1–10. @default 10 */
  readonly maxDeliveryCount?: number | undefined;
  /**
   * ISO 8601 duration in whole minutes, such as `PT30M` or `P1D`, at most the topic's retention.
   * @default the topic's retention
   */
  readonly eventTimeToLive?: string | undefined;
  /** @default all events of the topic */
  readonly filter?: NamespaceFilter | undefined;
  /** @default events that leave unhandled are dropped */
  readonly deadLetter?: DeadLetterDestination | undefined;
  /** ISO 8601 time after which nothing is delivered. @default never */
  readonly expiresAt?: string | undefined;
  /** The https URL of a webhook to push the events to, including its query. @default a queue */
  readonly endpointUrl?: string | undefined;
}

const { clientId, tenantId, batching, deliveryProperties, endpointUrl } = settingOptions;
const { deadLetter, expiresAt } = settingOptions;

/** Schema of an event subscription in a configuration file. The service checks the values. */
export const namespaceSubscriptionSchema = fields({
  name: text,
  receiveLockDurationInSeconds: v.optional(number),
  maxDeliveryCount: v.optional(number),
  eventTimeToLive: v.optional(text),
  filter: v.optional(
    optionalFields({ includedEventTypes: list(text), filters: list(advancedFilter) }),
  ),
  deadLetter,
  expiresAt,
  endpointUrl,
  clientId,
  tenantId,
  batching,
  deliveryProperties,
});

/** @throws LocalCloudError `ERR_OPTIONS` for settings that are unknown or of the wrong type */
export function checkNewNamespaceSubscription(props: NewNamespaceSubscription): void {
  const summary = "Invalid options of an event subscription to a namespace topic";
  checkOptions(namespaceSubscriptionSchema, props, summary);
}

/** The properties that Resource Manager stores for a subscription from code. */
export function propertiesOf(props: NewNamespaceSubscription, subscriptionId: string): Properties {
  const { endpointUrl, maxDeliveryCount, eventTimeToLive, receiveLockDurationInSeconds } = props;
  const account = localAccount(subscriptionId);
  const common = {
    maxDeliveryCount,
    eventTimeToLive,
    deadLetterDestinationWithResourceIdentity: props.deadLetter && {
      deadLetterDestination: deadLetterProperty(props, account),
    },
  };
  return withoutNulls({
    deliveryConfiguration:
      endpointUrl === undefined
        ? { deliveryMode: "Queue", queue: { receiveLockDurationInSeconds, ...common } }
        : { deliveryMode: "Push", push: { ...common, destination: destinationOf(props, account) } },
    eventDeliverySchema: "CloudEventSchemaV1_0",
    filtersConfiguration: props.filter,
    expirationTimeUtc: props.expiresAt,
  });
}
