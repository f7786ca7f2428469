import type { EventgridEventSubscriptionConfig } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { TerraformProvider } from "cdktf";
import { advancedFilterBlock } from "./advanced-filters.js";
import { containerName, storageAccountId } from "./dead-letter.js";
import type { ScopedSubscription } from "./scoped-subscriptions.js";
import type { DeliveryProperty, ManagedIdentity, SubscriptionSettings } from "./settings.js";

/** An event subscription that delivers CloudEvents to a webhook protected by Entra. */
export function subscriptionConfig(
  binding: { readonly cloudTenantId: string; readonly cloudClientId: string },
  { name, scope }: Pick<ScopedSubscription, "name" | "scope">,
  settings: SubscriptionSettings,
  url: string,
  provider: TerraformProvider | undefined,
): EventgridEventSubscriptionConfig {
  return {
    name,
    scope,
    eventDeliverySchema: "CloudEventSchemaV1_0",
    webhookEndpoint: {
      url,
      activeDirectoryTenantId: binding.cloudTenantId,
      activeDirectoryAppIdOrUri: binding.cloudClientId,
      ...settings.batching,
    },
    ...filters(settings),
    ...delivery(settings),
    ...(provider && { provider }),
  };
}

function filters(settings: SubscriptionSettings): Partial<EventgridEventSubscriptionConfig> {
  const { includedEventTypes = [], subjectFilter, advancedFilters = [] } = settings;
  return {
    ...(includedEventTypes.length > 0 && { includedEventTypes: [...includedEventTypes] }),
    ...(subjectFilter && {
      subjectFilter: {
        ...(subjectFilter.beginsWith !== undefined && {
          subjectBeginsWith: subjectFilter.beginsWith,
        }),
        ...(subjectFilter.endsWith !== undefined && { subjectEndsWith: subjectFilter.endsWith }),
        ...(subjectFilter.caseSensitive !== undefined && {
          caseSensitive: subjectFilter.caseSensitive,
        }),
      },
    }),
    ...(advancedFilters.length > 0 && { advancedFilter: advancedFilterBlock(advancedFilters) }),
    ...(settings.filterArrays !== undefined && {
      advancedFilteringOnArraysEnabled: settings.filterArrays,
    }),
  };
}

function delivery(settings: SubscriptionSettings): Partial<EventgridEventSubscriptionConfig> {
  const { retryPolicy, deadLetter, deliveryProperties = [], deliveryIdentity, labels } = settings;
  return {
    ...(retryPolicy && {
      retryPolicy: {
        maxDeliveryAttempts: retryPolicy.maxDeliveryAttempts ?? 30,
        eventTimeToLive: retryPolicy.eventTimeToLive ?? 1440,
      },
    }),
    ...(deadLetter && {
      storageBlobDeadLetterDestination: {
        storageAccountId: storageAccountId(deadLetter),
        storageBlobContainerName: containerName(deadLetter),
      },
    }),
    ...(deadLetter?.identity && { deadLetterIdentity: identityBlock(deadLetter.identity) }),
    ...(deliveryProperties.length > 0 && {
      deliveryProperty: deliveryProperties.map(deliveryProperty),
    }),
    ...(deliveryIdentity && { deliveryIdentity: identityBlock(deliveryIdentity) }),
    ...(labels && labels.length > 0 && { labels: [...labels] }),
    ...(settings.expirationTimeUtc !== undefined && {
      expirationTimeUtc: settings.expirationTimeUtc,
    }),
  };
}

function identityBlock({ type, userAssignedIdentity }: ManagedIdentity) {
  return { type, ...(userAssignedIdentity !== undefined && { userAssignedIdentity }) };
}

function deliveryProperty(property: DeliveryProperty) {
  const { headerName } = property;
  if (property.sourceField !== undefined) {
    return { headerName, type: "Dynamic", sourceField: property.sourceField };
  }
  return { headerName, type: "Static", value: property.value, secret: property.secret ?? false };
}
