import {
  asText,
  field,
  NameRule,
  propertiesIn,
  type ServiceError,
  secondsIn,
  serviceError,
  textAt,
} from "../../base/index.js";
import type { Resource } from "../engine/index.js";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/**
 * The durations of queues, topics and subscriptions, in seconds.
 *
 * @see https://learn.microsoft.com/rest/api/servicebus/controlplane-stable/queues/create-or-update#request-body
 * @see https://learn.microsoft.com/azure/service-bus-messaging/duplicate-detection#duplicate-detection-history-time-window
 */
const durations: Readonly<Record<string, { readonly least: number; readonly most?: number }>> = {
  lockDuration: { least: 1, most: 5 * MINUTE },
  autoDeleteOnIdle: { least: 5 * MINUTE },
  defaultMessageTimeToLive: { least: 1 },
  duplicateDetectionHistoryTimeWindow: { least: 20, most: 7 * DAY },
};

/**
 * Azure also accepts what its table of names does not mention: tildes in queues and topics, and
 * underscores at the ends of subscriptions.
 *
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/1638
 * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/13789
 */
const names = {
  hub: {
    rule: new NameRule({
      least: 1,
      most: 256,
      characters: ["letters", "digits", "periods", "hyphens", "underscores"],
      first: ["letters", "digits"],
    }),
    ends: "a letter or digit",
  },
  queue: {
    rule: new NameRule({
      least: 1,
      most: 260,
      characters: ["letters", "digits", "periods", "hyphens", "underscores", "slashes", "tildes"],
      first: ["letters", "digits"],
    }),
    ends: "a letter or digit",
  },
  subscription: {
    rule: new NameRule({
      least: 1,
      most: 50,
      characters: ["letters", "digits", "periods", "hyphens", "underscores"],
      first: ["letters", "digits", "underscores"],
    }),
    ends: "a letter, digit or underscore",
  },
};

function checkName(name: string, kind: keyof typeof names): void {
  const { rule, ends } = names[kind];
  if (rule.allows(name)) return;
  throw refusal(
    `The name '${name}' is invalid: it must have ${rule}, and begin and end with ${ends}.`,
  );
}

/**
 * Checks a queue, a topic or a subscription of Service Bus.
 *
 * @throws ServiceError 400 `BadRequest`
 */
export function checkedEntity(entity: Resource): Resource {
  const { name, type, body } = entity;
  checkName(name, type.endsWith("/subscriptions") ? "subscription" : "queue");
  for (const [property, { least, most }] of Object.entries(durations)) {
    const written = field(propertiesIn(body), property);
    if (written == null || written === "") continue;
    const seconds = secondsIn(asText(written));
    if (seconds >= least && seconds <= (most ?? Number.POSITIVE_INFINITY)) continue;
    const range = most === undefined ? `at least ${least}` : `${least} to ${most}`;
    throw refusal(
      `The property value for '${property}' must be an ISO 8601 duration of ${range} seconds, not '${asText(written)}'.`,
    );
  }
  requireWhole(entity, "maxDeliveryCount", 2_147_483_647);
  return entity;
}

/**
 * What an event hub may have in each tier of its namespace. A dedicated cluster has the tier Standard.
 *
 * @see https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas#basic-vs-standard-vs-premium-vs-dedicated-tiers
 */
const hubLimits = {
  basic: { partitionCount: 32, messageRetentionInDays: 1 },
  standard: { partitionCount: 32, messageRetentionInDays: 7 },
  premium: { partitionCount: 100, messageRetentionInDays: 90 },
  dedicated: { partitionCount: 1024, messageRetentionInDays: 90 },
};

/** @throws ServiceError 400 `BadRequest` for another name, or more than the namespace's tier has */
export function checkedHub(hub: Resource, namespace: Resource | undefined): Resource {
  checkName(hub.name, "hub");
  const sku = textAt(namespace?.body, "sku", "name")?.toLowerCase();
  const isDedicated = textAt(propertiesIn(namespace?.body), "clusterArmId") !== undefined;
  const tier = sku === "basic" || sku === "premium" ? sku : "standard";
  const limits = Object.entries(hubLimits[isDedicated ? "dedicated" : tier]);
  for (const [property, most] of limits) requireWhole(hub, property, most);
  return hub;
}

function requireWhole({ body }: Resource, property: string, most: number): void {
  const value = field(propertiesIn(body), property) ?? 1;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most) return;
  throw refusal(
    `The property value for '${property}' must be between 1 and ${most}, not ${asText(value)}.`,
  );
}

/** In the form of the reported refusals: https://github.com/Azure/azure-cli/issues/15142 */
function refusal(message: string): ServiceError {
  return serviceError.BadRequest(`SubCode=40000. ${message}`);
}
