import {
  EventgridEventSubscription,
  type EventgridEventSubscriptionConfig,
} from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { advancedFilterBlock } from "./advanced-filters.js";
import { containerName, storageAccountId } from "./dead-letter.js";
import type {
  DeliveryProperty,
  ManagedIdentity,
  SubscriptionSettings,
} from "./subscription-settings.js";

/** Where an event subscription is, and whom it delivers to. */
export interface WebhookSubscription {
  readonly name: string;
  /** Resource ID without a trailing slash: with one its destroy would hang. */
  readonly scope: string;
  readonly url: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly provider?: TerraformProvider | undefined;
}

/** Makes an event subscription that delivers CloudEvents to a webhook protected by Entra. */
export function eventSubscription(
  construct: Construct,
  id: string,
  webhook: WebhookSubscription,
  settings: SubscriptionSettings,
): EventgridEventSubscription {
  return new EventgridEventSubscription(construct, id, {
    name: webhook.name,
    scope: webhook.scope,
    eventDeliverySchema: "CloudEventSchemaV1_0",
    webhookEndpoint: {
      url: webhook.url,
      activeDirectoryTenantId: webhook.tenantId,
      activeDirectoryAppIdOrUri: webhook.clientId,
      ...settings.batching,
    },
    ...filters(settings),
    ...delivery(settings),
    ...(webhook.provider && { provider: webhook.provider }),
  });
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
