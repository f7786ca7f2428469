import type { DeliveryProperty } from "./delivery-properties.js";
import type { NewEventSubscription } from "./event-subscription.js";
import { type Properties, withoutNulls } from "./properties.js";

/** The properties that Resource Manager stores for a subscription from code. */
export function propertiesOf(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly isTopic: boolean },
): Properties {
  const account = `/subscriptions/${cloud.subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/local`;
  const { deadLetter } = props;
  return withoutNulls({
    destination: destinationOf(props, account),
    filter: props.filter,
    labels: props.labels,
    retryPolicy: props.retryPolicy,
    expirationTimeUtc: props.expiresAt,
    // Code gets CloudEvents of Azure services too, unless it asks for another schema.
    eventDeliverySchema:
      props.deliverySchema ?? (cloud.isTopic ? undefined : "CloudEventSchemaV1_0"),
    deadLetterDestination: deadLetter && {
      endpointType: "StorageBlob",
      properties: {
        resourceId: deadLetter.storageAccountId ?? account,
        blobContainerName: deadLetter.container,
      },
    },
  });
}

function destinationOf(props: NewEventSubscription, account: string): Properties | undefined {
  const { endpointUrl, destination, clientId, tenantId } = props;
  const deliveryAttributeMappings = props.deliveryProperties?.map(mappingOf);
  if (!destination) {
    if (endpointUrl === undefined) return undefined;
    return {
      endpointType: "WebHook",
      properties: {
        endpointUrl,
        azureActiveDirectoryApplicationIdOrUri: clientId,
        azureActiveDirectoryTenantId: tenantId,
        ...props.batching,
        deliveryAttributeMappings,
      },
    };
  }
  if (destination.type !== "StorageQueue") {
    const { type, resourceId } = destination;
    return { endpointType: type, properties: { resourceId, deliveryAttributeMappings } };
  }
  return {
    endpointType: destination.type,
    properties: {
      resourceId: destination.storageAccountId ?? account,
      queueName: destination.queue,
      queueMessageTimeToLiveInSeconds: destination.messageTimeToLiveInSeconds,
      deliveryAttributeMappings,
    },
  };
}

/** A delivery property as Resource Manager writes it. */
export function mappingOf(property: DeliveryProperty) {
  const { name } = property;
  if (property.type === "dynamic") {
    return { name, type: "Dynamic", properties: { sourceField: property.sourceField } };
  }
  const { value, secret = false } = property;
  return { name, type: "Static", properties: { value, isSecret: secret } };
}
