import { fields, type Shape } from "./shape.js";

/*
 * Fields of Resource Manager's responses, with the names and types of Microsoft's published REST API
 * (Event Grid 2025-02-15, Authorization 2022-04-01, Resources 2022-09-01).
 */

const resource = fields({ string: "id name type" });
const tracked = { ...resource, ...fields({ string: "location", object: "tags identity?" }) };
/** Event Grid's resources have fields without values. */
const plain = { ...resource, systemData: "null" };
const ofEventGrid = { ...tracked, ...plain, tags: "object|null" };

export const list = (item: Shape): Shape => ({ value: [item] });

const topicProperties = fields({
  string: `provisioningState endpoint inputSchema metricResourceId publicNetworkAccess
    dataResidencyBoundary minimumTlsVersionAllowed`,
  object: "inputSchemaMapping?",
  boolean: "disableLocalAuth?",
  array: "inboundIpRules?",
});

export const topic: Shape = { ...ofEventGrid, properties: topicProperties };

export const domain: Shape = {
  ...ofEventGrid,
  properties: {
    ...topicProperties,
    ...fields({
      boolean: "autoCreateTopicWithFirstSubscription? autoDeleteTopicWithLastSubscription?",
    }),
  },
};

export const domainTopic: Shape = { ...plain, properties: { provisioningState: "string" } };

export const systemTopic: Shape = {
  ...ofEventGrid,
  properties: fields({ string: "provisioningState source topicType metricResourceId" }),
};

const deliveryAttribute: Shape = fields({ string: "name type", object: "properties" });

export const eventSubscription: Shape = {
  ...plain,
  properties: {
    ...fields({
      string: "topic provisioningState eventDeliverySchema expirationTimeUtc?",
      "array|null": "labels",
    }),
    destination: {
      endpointType: "string",
      properties: {
        ...fields({
          null: "endpointUrl",
          string: `endpointBaseUrl azureActiveDirectoryApplicationIdOrUri?
            azureActiveDirectoryTenantId?`,
          number: "maxEventsPerBatch? preferredBatchSizeInKilobytes?",
        }),
        "deliveryAttributeMappings?": [deliveryAttribute],
      },
    },
    filter: fields({
      string: "subjectBeginsWith subjectEndsWith",
      boolean: "isSubjectCaseSensitive? enableAdvancedFilteringOnArrays?",
      array: "includedEventTypes? advancedFilters?",
    }),
    retryPolicy: fields({ number: "maxDeliveryAttempts eventTimeToLiveInMinutes" }),
    "deadLetterDestination?": {
      endpointType: "string",
      properties: fields({ string: "resourceId blobContainerName" }),
    },
  },
};

export const keys: Shape = fields({ string: "key1 key2" });
export const fullUrl: Shape = { endpointUrl: "string" };
export const deliveryAttributes = list(deliveryAttribute);

export const metrics: Shape = {
  ...fields({ number: "cost", string: "timespan interval namespace resourceregion" }),
  value: [
    {
      ...fields({ string: "id type displayDescription? unit errorCode" }),
      name: fields({ string: "value localizedValue" }),
      timeseries: [
        { metadatavalues: "array", data: [fields({ string: "timeStamp", number: "total" })] },
      ],
    },
  ],
};

export const topicType: Shape = {
  ...resource,
  properties: fields({
    string: `provider displayName description resourceRegionType provisioningState
      sourceResourceFormat?`,
    array: "supportedLocations?",
  }),
};

export const eventType: Shape = {
  ...resource,
  properties: fields({ string: "displayName description schemaUrl", boolean: "isInDefaultSet" }),
};

export const operation: Shape = fields({ string: "id name status" });

export const permission = fields({ array: "actions notActions dataActions notDataActions" });

export const roleDefinition: Shape = {
  ...resource,
  properties: {
    ...fields({
      string: "roleName type description createdOn updatedOn",
      array: "assignableScopes",
      null: "createdBy updatedBy",
    }),
    permissions: [permission],
  },
};

export const tags: Shape = { ...resource, properties: { tags: "object" } };

export const roleAssignment: Shape = {
  ...resource,
  properties: fields({
    string: "roleDefinitionId principalId principalType scope createdOn updatedOn",
    "string|null": "description? condition? conditionVersion? createdBy updatedBy",
    null: "delegatedManagedIdentityResourceId",
  }),
};

export const resourceGroup: Shape = {
  ...resource,
  ...fields({ string: "location", object: "tags", "string|null": "managedBy?" }),
  properties: { provisioningState: "string" },
};

export const listedResource: Shape = {
  ...resource,
  ...fields({ string: "location kind?", object: "tags? sku? identity?" }),
};

export const subscription: Shape = {
  ...fields({
    string: "id subscriptionId tenantId displayName state authorizationSource",
    array: "managedByTenants",
  }),
  subscriptionPolicies: fields({ string: "locationPlacementId quotaId spendingLimit" }),
};

/** Azure also says of each region where it is, and with which it is paired. */
export const location: Shape = {
  ...resource,
  ...fields({ string: "displayName" }),
  metadata: fields({ string: "regionType" }),
};

export const tenant: Shape = fields({ string: "id tenantId" });

export const provider: Shape = {
  ...fields({
    string: "id namespace registrationPolicy registrationState",
    array: "authorizations",
  }),
  resourceTypes: [
    fields({
      string: "resourceType defaultApiVersion capabilities",
      array: "locations apiVersions",
    }),
  ],
};

/** A resource of another service: its properties depend on its type. */
export const genericResource: Shape = {
  ...tracked,
  ...fields({ string: "kind?", object: "sku? properties systemData" }),
};
