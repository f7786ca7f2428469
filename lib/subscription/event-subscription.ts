import {
  EventgridEventSubscription,
  type EventgridEventSubscriptionConfig,
} from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { Fn, type TerraformProvider, Token } from "cdktf";
import { AZURE_LIMITS, problem, showValue } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import {
  defined,
  ImportBlock,
  identityInAnyCase,
  identityOf,
  OncePerStack,
} from "../terraform/index.js";
import { report } from "../validation/index.js";
import { advancedFilterBlock } from "./advanced-filters.js";
import { containerName, storageAccountId } from "./dead-letter.js";
import { eventTypes, refuseUnknownTypes } from "./event-types.js";
import type { ScopedSubscription } from "./scopes.js";
import type {
  DeliveryProperty,
  ManagedIdentity,
  ScopeSettings,
  SubscriptionSettings,
} from "./settings.js";

/**
 * Creates or adopts an event subscription that delivers CloudEvents to a webhook protected by Entra.
 *
 * @param url of the webhook
 * @param provider that writes the subscription; by default the stack's azurerm provider
 */
export function eventSubscription(
  construct: Construct,
  binding: { readonly cloudTenantId: string; readonly cloudClientId: string },
  scoped: ScopedSubscription,
  url: string,
  provider: TerraformProvider | undefined,
): EventgridEventSubscription {
  const { id, name, scope } = scoped;
  const settings = withAdoptionLabel(scoped.settings);
  const includedEventTypes = eventTypes(
    construct,
    scope,
    settings.includedEventTypes,
    scoped.isCatalogue,
  );
  const subscription = new EventgridEventSubscription(construct, id, {
    name,
    scope,
    eventDeliverySchema: "CloudEventSchemaV1_0",
    webhookEndpoint: {
      url,
      activeDirectoryTenantId: binding.cloudTenantId,
      activeDirectoryAppIdOrUri: binding.cloudClientId,
      // Azure fills in what is left out, which would be a difference at every plan.
      maxEventsPerBatch: settings.batching?.maxEventsPerBatch ?? 1,
      preferredBatchSizeInKilobytes: settings.batching?.preferredBatchSizeInKilobytes ?? 64,
    },
    ...filters(settings, includedEventTypes),
    ...delivery(settings),
    ...(provider && { provider }),
  });
  refuseUnknownTypes(subscription, scope, settings.includedEventTypes);
  if (settings.existingSubscription === "adopt") {
    const importId = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    new ImportBlock(subscription, "import", subscription, importId);
  }
  return subscription;
}

const ADOPTED = "adopted";

/**
 * An import alone changes nothing, so that Terraform would write nothing, Event Grid would repeat no
 * handshake, and nothing would be delivered. A new label makes it an update.
 */
function withAdoptionLabel(settings: ScopeSettings): ScopeSettings {
  const { existingSubscription, labels = [] } = settings;
  if (existingSubscription === undefined || labels.includes(ADOPTED)) return settings;
  if (Token.isUnresolved(labels)) {
    const both = Fn.distinct(Fn.concat([[...labels], [ADOPTED]]));
    return { ...settings, labels: Token.asList(both) };
  }
  return { ...settings, labels: [...labels, ADOPTED] };
}

function filters(
  settings: SubscriptionSettings,
  includedEventTypes: string[] | undefined,
): Partial<EventgridEventSubscriptionConfig> {
  const { subjectFilter, advancedFilters = [] } = settings;
  return {
    ...(subjectFilter && {
      subjectFilter: defined({
        subjectBeginsWith: subjectFilter.beginsWith,
        subjectEndsWith: subjectFilter.endsWith,
        caseSensitive: subjectFilter.caseSensitive,
      }),
    }),
    ...(advancedFilters.length > 0 && {
      advancedFilter: advancedFilterBlock(advancedFilters),
      advancedFilteringOnArraysEnabled: true,
    }),
    ...defined({ includedEventTypes }),
  };
}

function delivery(settings: SubscriptionSettings): Partial<EventgridEventSubscriptionConfig> {
  const { deadLetter, deliveryProperties = [], labels } = settings;
  const { maxDeliveryAttempts, eventTimeToLiveMinutes } = settings.retryPolicy ?? {};
  return {
    // The provider never changes a policy that is left out, so the defaults are written as well.
    retryPolicy: {
      maxDeliveryAttempts: maxDeliveryAttempts ?? AZURE_LIMITS.deliveryAttempts.max,
      eventTimeToLive: eventTimeToLiveMinutes ?? AZURE_LIMITS.eventTimeToLiveMinutes.max,
    },
    ...(deadLetter && {
      storageBlobDeadLetterDestination: {
        storageAccountId: storageAccountId(deadLetter),
        storageBlobContainerName: containerName(deadLetter),
      },
    }),
    ...(deadLetter?.identity && { deadLetterIdentity: deadLetterIdentity(deadLetter.identity) }),
    ...(deliveryProperties.length > 0 && {
      deliveryProperty: deliveryProperties.map(deliveryProperty),
    }),
    ...(labels && labels.length > 0 && { labels: [...labels] }),
  };
}

function deadLetterIdentity({ type, userAssignedIdentity }: ManagedIdentity) {
  return { type, ...defined({ userAssignedIdentity }) };
}

function deliveryProperty(property: DeliveryProperty) {
  const { headerName } = property;
  if (property.sourceField !== undefined) {
    return { headerName, type: "Dynamic", sourceField: property.sourceField };
  }
  return { headerName, type: "Static", value: property.value, secret: property.secret ?? false };
}

/** Paths of what writes event subscriptions, by the subscriptions' IDs. */
const writtenBy = new OncePerStack<string>("subscribed by");

/**
 * Refuses a second event subscription of the same name and scope. Azure treats it as an update of the
 * first, or refuses it in the middle of an apply.
 *
 * @param scope of the event subscription, or its topic in a namespace
 * @param path names it in the message about another one
 */
export function refuseSecond(
  construct: Construct,
  scope: string,
  name: string,
  path = construct.node.path,
): void {
  const id = `${identityInAnyCase(construct, scope)} ${identityInAnyCase(construct, name)}`;
  const other = writtenBy.get(construct, id, () => path);
  if (other === path) return;
  const [at, called] = [identityOf(construct, scope), identityOf(construct, name)];
  const message = `${showValue(called)} at the scope ${at} is also the name of ${other}: rename one of the two`;
  report(construct, () => [problem("eventSubscriptionName", { unique: message })]);
}
