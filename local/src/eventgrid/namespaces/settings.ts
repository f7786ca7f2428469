import { checkedBody } from "../../api/index.js";
import {
  asText,
  checkOptions,
  field,
  hyphenated,
  invalidRequest,
  numberAt,
  objectAt,
  sameText,
  secondsIn,
  textAt,
} from "../../base/index.js";
import { optionLike, optionSchemas } from "../body-schemas.js";
import { type DeadLetterDestination, localAccount, withoutQuery } from "../destinations/index.js";
import {
  type EventFilter,
  type FilterCondition,
  filterIn,
  filterProblems,
} from "../filters/index.js";
import {
  type DeliveryOptions,
  type DeliverySettings,
  deadLetterIn,
  deadLetterProblems,
  destinationOf,
  expirationProblems,
  identityExclusions,
  inAccount,
  noTarget,
  type Properties,
  rangeProblems,
  targetIn,
  targetProblems,
} from "../subscriptions/index.js";

/** Selects events of a namespace topic; an event must match every condition. */
export interface NamespaceFilter {
  /** Exact types, compared case-insensitively. @default all */
  readonly includedEventTypes?: readonly string[] | undefined;
  /** Conditions on attributes, with 25 values in total. Keys in the data are refused. @default none */
  readonly filters?: readonly FilterCondition[] | undefined;
}

/**
 * Settings of a new event subscription to a namespace topic, with the names and forms of Resource
 * Manager's properties. With an `endpointUrl` its events are pushed to that webhook; otherwise it is a
 * queue.
 */
export interface NewNamespaceSubscription extends Omit<DeliveryOptions, "destination"> {
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
  readonly filtersConfiguration?: NamespaceFilter | undefined;
  /** @default events that leave unhandled are dropped */
  readonly deadLetterDestination?: DeadLetterDestination | undefined;
  /** ISO 8601 time after which nothing is delivered. @default never */
  readonly expirationTimeUtc?: string | undefined;
}

/** Schema of an event subscription in a configuration file. The service checks the values. */
export const namespaceSubscriptionSchema =
  optionLike<NewNamespaceSubscription>("NamespaceSubscription");

/** @throws LocalCloudError `ERR_OPTIONS` for settings that are unknown or of the wrong type */
export function checkNewNamespaceSubscription(props: NewNamespaceSubscription): void {
  const summary = "Invalid options of an event subscription to a namespace topic";
  checkOptions(namespaceSubscriptionSchema, props, summary);
}

/** The properties that Resource Manager stores for a subscription from code. */
export function propertiesOf(props: NewNamespaceSubscription, subscriptionId: string): Properties {
  const { endpointUrl, maxDeliveryCount, eventTimeToLive, receiveLockDurationInSeconds } = props;
  const { deadLetterDestination, filtersConfiguration, expirationTimeUtc } = props;
  const account = localAccount(subscriptionId);
  const common = {
    maxDeliveryCount,
    eventTimeToLive,
    deadLetterDestinationWithResourceIdentity: deadLetterDestination && {
      deadLetterDestination: inAccount(deadLetterDestination, account),
    },
  };
  return checkedBody(optionSchemas, "SubscriptionProperties", {
    deliveryConfiguration:
      endpointUrl === undefined
        ? { deliveryMode: "Queue", queue: { receiveLockDurationInSeconds, ...common } }
        : { deliveryMode: "Push", push: { ...common, destination: destinationOf(props, account) } },
    eventDeliverySchema: "CloudEventSchemaV1_0",
    filtersConfiguration,
    expirationTimeUtc,
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

const NAME = hyphenated(3, 50);

/** @returns the problem of a name of a namespace, a namespace topic or a subscription to one */
export function* nameProblems(kind: string, name: string): Generator<string> {
  if (NAME.allows(name)) return;
  yield `${kind} name '${name}' is invalid: it must have ${NAME}.`;
}

/**
 * Reads the settings of a subscription from checked properties.
 *
 * @throws ServiceError 400 with everything that the service would refuse
 */
export function settingsOf(
  properties: Properties,
  defaults: SettingsDefaults,
): NamespaceSubscriptionSettings {
  const { deliveryConfiguration, filtersConfiguration, expirationTimeUtc } = properties;
  const isQueue = textAt(deliveryConfiguration, "deliveryMode") !== "Push";
  const mode = objectAt(deliveryConfiguration, isQueue ? "queue" : "push");
  const timeToLive = textAt(mode, "eventTimeToLive");
  const retention = defaults.eventRetentionInDays * 24 * 60;
  const filter = {
    ...objectAt(filtersConfiguration),
    advancedFilters: field(filtersConfiguration, "filters"),
  };
  const settings: NamespaceSubscriptionSettings = {
    deliveryMode: isQueue ? "Queue" : "Push",
    receiveLockDurationInSeconds: numberAt(mode, "receiveLockDurationInSeconds") ?? 60,
    maxDeliveryCount: numberAt(mode, "maxDeliveryCount") ?? 10,
    eventTimeToLiveInMinutes: timeToLive === undefined ? retention : minutesIn(timeToLive),
    filter: filterIn(filter),
    deadLetter: deadLetterIn(
      field(mode, "deadLetterDestinationWithResourceIdentity", "deadLetterDestination"),
    ),
    expiresAt: asText(expirationTimeUtc ?? "") || undefined,
    webhook: isQueue ? undefined : webhookIn(mode, defaults.tenantId),
  };
  const problems = [
    ...modeProblems(deliveryConfiguration, isQueue ? "push" : "queue"),
    ...identityExclusions(mode),
    ...valueProblems(settings, timeToLive, retention),
    ...webhookProblems(settings.webhook),
  ];
  if (problems.length > 0) throw invalidRequest(problems.join(" "));
  return settings;
}

/** @see https://learn.microsoft.com/rest/api/eventgrid/controlplane/namespace-topic-event-subscriptions/create-or-update#deliveryconfiguration */
function* modeProblems(configuration: unknown, other: "queue" | "push"): Generator<string> {
  if (field(configuration, other) == null) return;
  yield `deliveryConfiguration.${other} is not for the delivery mode '${textAt(configuration, "deliveryMode")}'. Write only the settings of one mode.`;
}

/** Webhooks and event hubs are the destinations of namespaces; the local one has only webhooks. */
function webhookIn(push: Properties, tenantId: string): NamespaceWebhook {
  const { destination = field(push, "deliveryWithResourceIdentity", "destination") } = push;
  const { destination: other, endpointUrl = "", ...target } = targetIn(destination);
  if (other) {
    throw invalidRequest(
      `The local Event Grid pushes events of namespaces to webhooks only, not to '${other.endpointType}'.`,
    );
  }
  return { ...noTarget, ...target, endpointUrl, tenantId: target.tenantId || tenantId };
}

/** Values outside the service's limits. */
function* valueProblems(
  settings: NamespaceSubscriptionSettings,
  timeToLive: string | undefined,
  retention: number,
): Generator<string> {
  const { eventTimeToLiveInMinutes: minutes, filter } = settings;
  const bounds = { receiveLockDurationInSeconds: [60, 300], maxDeliveryCount: [1, 10] } as const;
  yield* rangeProblems(settings, bounds);
  if (!(minutes >= 1 && minutes <= retention)) {
    yield `eventTimeToLive must be an ISO 8601 duration of whole minutes, from PT1M to the topic's retention of ${retention / 1440} days, not '${timeToLive}'.`;
  }
  yield* deadLetterProblems(settings);
  for (const { key } of filter.advancedFilters ?? []) {
    // Microsoft's pages contradict each other about filters on the data.
    if (!sameText(key, "data") && !key.includes(".")) continue;
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
  const minutes = secondsIn(duration) / 60;
  return Number.isInteger(minutes) ? minutes : Number.NaN;
}
