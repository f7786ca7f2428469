import { includedTypes } from "cloud-eventgrid-binding-runtime/contract";
import { type Azure, at, listAt, textAt } from "../azure/index.js";
import { CommandError } from "../terminal/index.js";
import {
  audienceOf,
  deadLetterDestinationOf,
  destinationOf,
  type EventSubscription,
  listSubscriptions,
  registeredUrl,
} from "./checks/index.js";
import { furtherConditions } from "./filters.js";
import { unreadableText } from "./finding.js";

/** What is shown of an event subscription. It contains no secret: Azure does not return them. */
export interface ShownSubscription {
  readonly name: string;
  readonly id: string;
  readonly state: string;
  /** The webhook's URL without its query, or the kind of another destination. */
  readonly destination: string;
  readonly application?: string;
  readonly tenant?: string;
  readonly schema?: string;
  /** The event types that pass; empty if all do. */
  readonly types: readonly string[];
  /** The other conditions of the filter. */
  readonly conditions: readonly string[];
  readonly maxDeliveryAttempts?: number;
  readonly eventTimeToLiveMinutes?: number;
  /** The container that dead letters go to. */
  readonly deadLetter?: string;
  readonly labels: readonly string[];
  readonly expires?: string;
}

/**
 * The event subscriptions at a scope, by name.
 *
 * @throws {CommandError} when they cannot be read
 */
export async function subscriptionsAt(azure: Azure, scope: string): Promise<ShownSubscription[]> {
  const { answer, all } = await listSubscriptions(azure, scope);
  if (answer.status !== 200) {
    throw new CommandError(unreadableText(`the event subscriptions of ${scope}`, answer));
  }
  return all.map(shown).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function shown(subscription: EventSubscription): ShownSubscription {
  const { id, name, properties } = subscription;
  const destination = destinationOf(properties);
  const filter = at(properties, "filter");
  const { account, name: container } = deadLetterDestinationOf(properties);
  const optional = {
    application: audienceOf(properties),
    tenant: textAt(destination, "properties", "azureActiveDirectoryTenantId"),
    schema: textAt(properties, "eventDeliverySchema"),
    maxDeliveryAttempts: numberAt(properties, "retryPolicy", "maxDeliveryAttempts"),
    eventTimeToLiveMinutes: numberAt(properties, "retryPolicy", "eventTimeToLiveInMinutes"),
    deadLetter: account && `${account.split("/").at(-1)}/${container}`,
    expires: textAt(properties, "expirationTimeUtc"),
  };
  return {
    name,
    id,
    state: textAt(properties, "provisioningState") ?? "Succeeded",
    destination: registeredUrl(subscription) ?? textAt(destination, "endpointType") ?? "none",
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    types: includedTypes(filter),
    conditions: furtherConditions(filter),
    labels: listAt(properties, "labels").map(String),
  };
}

function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const number = at(value, ...path);
  return typeof number === "number" ? number : undefined;
}
