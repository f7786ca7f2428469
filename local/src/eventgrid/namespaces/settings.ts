import * as v from "valibot";
import {
  checkOptions,
  expected,
  fields,
  invalidRequest,
  list,
  number,
  optionalFields,
  problemsOf,
  text,
} from "../../base/index.js";
import { localAccount, withoutQuery } from "../destinations/index.js";
import {
  advancedFilter,
  type EventFilter,
  type FilterCondition,
  filterProblems,
} from "../filters/index.js";
import {
  anyNumber,
  type DeadLetterDestination,
  type DeliveryOptions,
  type DeliverySettings,
  deadLetterProblems,
  deadLetterProperty,
  deadLetterWithIdentity,
  destinationOf,
  destinationOfType,
  expirationProblems,
  NO_BATCHING,
  type Properties,
  partOf,
  rangeProblems,
  settingOptions,
  targetProblems,
  withoutNulls,
} from "../subscriptions/index.js";

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

/** The settings of an event subscription to a namespace topic, with every default filled in. */
export interface NamespaceSubscriptionSettings {
  readonly deliveryMode: "Queue" | "Push";
  /** Seconds for which a received event is locked. */
  readonly receiveLockDurationInSeconds: number;
  readonly maxDeliveryCount: number;
  readonly eventTimeToLiveInMinutes: number;
  readonly filter: EventFilter;
  readonly deadLetter: DeadLetterDestination | undefined;
  readonly expiresAt: string | undefined;
  /** Where to push events; `undefined` for a queue. */
  readonly webhook: NamespaceWebhook | undefined;
}

export interface NamespaceWebhook extends Omit<DeliverySettings, "destination"> {
  readonly endpointUrl: string;
}

export interface SettingsDefaults {
  readonly tenantId: string;
  readonly eventRetentionInDays: number;
}

const NAME = /^[a-zA-Z0-9-]{3,50}$/;

/** @returns the problem of a name of a namespace, a namespace topic or a subscription to one */
export function* nameProblems(kind: string, name: string): Generator<string> {
  if (NAME.test(name)) return;
  yield `${kind} name '${name}' is invalid: it must have 3 to 50 letters, digits or hyphens.`;
}

/** Webhooks and event hubs are the destinations of namespaces; the local one has only webhooks. */
const destination = destinationOfType("WebHook");

const eitherMode = {
  maxDeliveryCount: v.optional(anyNumber, 10),
  eventTimeToLive: v.optional(text),
  deadLetterDestinationWithResourceIdentity: v.optional(deadLetterWithIdentity),
};

const schema = partOf({
  deliveryConfiguration: partOf({
    deliveryMode: v.picklist(["Queue", "Push"], expected('"Queue" or "Push"')),
    queue: v.optional(
      partOf({ ...eitherMode, receiveLockDurationInSeconds: v.optional(anyNumber, 60) }),
      {},
    ),
    push: v.optional(
      partOf({
        ...eitherMode,
        destination: v.optional(destination),
        deliveryWithResourceIdentity: v.optional(partOf({ destination })),
      }),
      {},
    ),
  }),
  filtersConfiguration: v.optional(
    partOf({
      includedEventTypes: v.optional(list(text)),
      filters: v.optional(list(advancedFilter), []),
    }),
    {},
  ),
  expirationTimeUtc: v.optional(text),
});

/**
 * Reads the settings of a subscription from the properties that Resource Manager stores.
 *
 * @param properties without nulls
 * @throws ServiceError 400 with everything that the service would refuse
 */
export function settingsOf(
  properties: Properties,
  defaults: SettingsDefaults,
): NamespaceSubscriptionSettings {
  const read = v.safeParse(schema, properties);
  if (!read.success) throw invalidRequest(`${problemsOf(schema, properties).join(". ")}.`);
  const { deliveryConfiguration, filtersConfiguration, expirationTimeUtc } = read.output;
  const { deliveryMode, queue, push } = deliveryConfiguration;
  const isQueue = deliveryMode === "Queue";
  const mode = isQueue ? queue : push;
  const retention = defaults.eventRetentionInDays * 24 * 60;
  const target = push.destination ?? push.deliveryWithResourceIdentity?.destination ?? {};
  const settings: NamespaceSubscriptionSettings = {
    deliveryMode,
    receiveLockDurationInSeconds: queue.receiveLockDurationInSeconds,
    maxDeliveryCount: mode.maxDeliveryCount,
    eventTimeToLiveInMinutes:
      mode.eventTimeToLive === undefined ? retention : minutesIn(mode.eventTimeToLive),
    filter: {
      includedEventTypes: filtersConfiguration.includedEventTypes,
      advancedFilters: filtersConfiguration.filters,
    },
    deadLetter: mode.deadLetterDestinationWithResourceIdentity?.deadLetterDestination,
    expiresAt: expirationTimeUtc || undefined,
    webhook: isQueue
      ? undefined
      : {
          endpointUrl: target.endpointUrl ?? "",
          clientId: target.clientId,
          tenantId: target.tenantId || defaults.tenantId,
          batching: target.batching ?? NO_BATCHING,
          deliveryProperties: target.deliveryProperties ?? [],
        },
  };
  const problems = [
    ...valueProblems(settings, mode.eventTimeToLive, retention),
    ...webhookProblems(settings.webhook),
  ];
  if (problems.length > 0) throw invalidRequest(problems.join(" "));
  return settings;
}

/** Values outside the service's limits. */
function* valueProblems(
  settings: NamespaceSubscriptionSettings,
  timeToLive: string | undefined,
  retention: number,
): Generator<string> {
  const { eventTimeToLiveInMinutes: minutes, filter } = settings;
  yield* rangeProblems(
    "receiveLockDurationInSeconds",
    settings.receiveLockDurationInSeconds,
    300,
    60,
  );
  yield* rangeProblems("maxDeliveryCount", settings.maxDeliveryCount, 10);
  if (!(minutes >= 1 && minutes <= retention)) {
    yield `eventTimeToLive must be an ISO 8601 duration of whole minutes, from PT1M to the topic's retention of ${retention / 1440} days, not '${timeToLive}'.`;
  }
  yield* deadLetterProblems(settings);
  for (const { key } of filter.advancedFilters ?? []) {
    // Microsoft's pages contradict each other about filters on the data.
    if (!/^data(\.|$)/i.test(key) && !key.includes(".")) continue;
    yield `The filter key '${key}' is invalid: filters of namespace topics read attributes, not the data.`;
  }
  yield* filterProblems(filter);
  yield* expirationProblems(settings);
}

function* webhookProblems(webhook: NamespaceWebhook | undefined): Generator<string> {
  if (!webhook) return;
  const { endpointUrl } = webhook;
  if (!URL.canParse(endpointUrl) || new URL(endpointUrl).protocol !== "https:") {
    yield `The endpoint URL '${withoutQuery(endpointUrl)}' is invalid: a webhook needs an https URL.`;
  }
  yield* targetProblems({ ...webhook, destination: undefined });
}

/** The minutes of an ISO 8601 duration such as `P1D` or `PT30M`; NaN unless it has whole minutes. */
function minutesIn(duration: string): number {
  const match = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration);
  if (!match) return Number.NaN;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const total = (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60;
  return Number.isInteger(total) ? total : Number.NaN;
}
