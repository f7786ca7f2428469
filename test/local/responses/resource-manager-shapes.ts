import type { Shape } from "./shape.js";

/*
 * Fields of Resource Manager's responses, with the names and types of Microsoft's published REST API
 * (Event Grid 2025-02-15, Authorization 2022-04-01, Resources 2022-09-01).
 */

const resource = { id: "string", name: "string", type: "string" };
const tracked = { ...resource, location: "string", tags: "object", "identity?": "object" };
/** Event Grid's resources have fields without values. */
const plain = { ...resource, systemData: "null" };
const ofEventGrid = { ...tracked, ...plain, tags: "object|null" };

export const list = (item: Shape): Shape => ({ value: [item] });

export const topic: Shape = {
  ...ofEventGrid,
  properties: {
    provisioningState: "string",
    endpoint: "string",
    inputSchema: "string",
    "inputSchemaMapping?": "object",
    metricResourceId: "string",
    publicNetworkAccess: "string",
    "disableLocalAuth?": "boolean",
    dataResidencyBoundary: "string",
    minimumTlsVersionAllowed: "string",
    "inboundIpRules?": "array",
  },
};

export const domain: Shape = {
  ...ofEventGrid,
  properties: {
    ...Object(Object(topic).properties),
    "autoCreateTopicWithFirstSubscription?": "boolean",
    "autoDeleteTopicWithLastSubscription?": "boolean",
  },
};

export const domainTopic: Shape = {
  ...plain,
  properties: { provisioningState: "string" },
};

export const systemTopic: Shape = {
  ...ofEventGrid,
  properties: {
    provisioningState: "string",
    source: "string",
    topicType: "string",
    metricResourceId: "string",
  },
};

const deliveryAttribute: Shape = { name: "string", type: "string", properties: "object" };

export const eventSubscription: Shape = {
  ...plain,
  properties: {
    topic: "string",
    provisioningState: "string",
    destination: {
      endpointType: "string",
      properties: {
        endpointUrl: "null",
        endpointBaseUrl: "string",
        "deliveryAttributeMappings?": [deliveryAttribute],
        "azureActiveDirectoryApplicationIdOrUri?": "string",
        "azureActiveDirectoryTenantId?": "string",
        "maxEventsPerBatch?": "number",
        "preferredBatchSizeInKilobytes?": "number",
      },
    },
    filter: {
      subjectBeginsWith: "string",
      subjectEndsWith: "string",
      "isSubjectCaseSensitive?": "boolean",
      "includedEventTypes?": "array",
      "advancedFilters?": "array",
      "enableAdvancedFilteringOnArrays?": "boolean",
    },
    labels: "array|null",
    eventDeliverySchema: "string",
    retryPolicy: { maxDeliveryAttempts: "number", eventTimeToLiveInMinutes: "number" },
    "expirationTimeUtc?": "string",
    "deadLetterDestination?": {
      endpointType: "string",
      properties: { resourceId: "string", blobContainerName: "string" },
    },
  },
};

export const keys: Shape = { key1: "string", key2: "string" };
export const fullUrl: Shape = { endpointUrl: "string" };
export const deliveryAttributes = list(deliveryAttribute);

export const metrics: Shape = {
  cost: "number",
  timespan: "string",
  interval: "string",
  namespace: "string",
  resourceregion: "string",
  value: [
    {
      id: "string",
      type: "string",
      name: { value: "string", localizedValue: "string" },
      "displayDescription?": "string",
      unit: "string",
      errorCode: "string",
      timeseries: [{ metadatavalues: "array", data: [{ timeStamp: "string", total: "number" }] }],
    },
  ],
};

export const topicType: Shape = {
  ...resource,
  properties: {
    provider: "string",
    displayName: "string",
    description: "string",
    resourceRegionType: "string",
    provisioningState: "string",
    "supportedLocations?": "array",
    "sourceResourceFormat?": "string",
  },
};

export const eventType: Shape = {
  ...resource,
  properties: {
    displayName: "string",
    description: "string",
    schemaUrl: "string",
    isInDefaultSet: "boolean",
  },
};

export const operation: Shape = { id: "string", name: "string", status: "string" };

export const providerOperation: Shape = {
  name: "string",
  isDataAction: "boolean",
  origin: "string",
  display: {
    provider: "string",
    resource: "string",
    operation: "string",
    description: "string",
  },
};

export const roleDefinition: Shape = {
  ...resource,
  properties: {
    roleName: "string",
    type: "string",
    description: "string",
    assignableScopes: "array",
    permissions: [
      { actions: "array", notActions: "array", dataActions: "array", notDataActions: "array" },
    ],
    createdOn: "string",
    updatedOn: "string",
    createdBy: "null",
    updatedBy: "null",
  },
};

export const roleAssignment: Shape = {
  ...resource,
  properties: {
    roleDefinitionId: "string",
    principalId: "string",
    principalType: "string",
    scope: "string",
    "description?": "string|null",
    "condition?": "string|null",
    "conditionVersion?": "string|null",
    createdOn: "string",
    updatedOn: "string",
    createdBy: "string|null",
    updatedBy: "string|null",
    delegatedManagedIdentityResourceId: "null",
  },
};

export const resourceGroup: Shape = {
  ...resource,
  location: "string",
  tags: "object",
  "managedBy?": "string|null",
  properties: { provisioningState: "string" },
};

export const listedResource: Shape = {
  ...resource,
  location: "string",
  "tags?": "object",
  "kind?": "string",
  "sku?": "object",
  "identity?": "object",
};

export const subscription: Shape = {
  id: "string",
  subscriptionId: "string",
  tenantId: "string",
  displayName: "string",
  state: "string",
  subscriptionPolicies: {
    locationPlacementId: "string",
    quotaId: "string",
    spendingLimit: "string",
  },
  authorizationSource: "string",
  managedByTenants: "array",
};

export const location: Shape = {
  id: "string",
  name: "string",
  type: "string",
  displayName: "string",
  regionalDisplayName: "string",
  metadata: { regionType: "string", regionCategory: "string", pairedRegion: "array" },
};

export const tenant: Shape = { id: "string", tenantId: "string" };

export const provider: Shape = {
  id: "string",
  namespace: "string",
  authorizations: "array",
  registrationPolicy: "string",
  registrationState: "string",
  resourceTypes: [
    {
      resourceType: "string",
      locations: "array",
      apiVersions: "array",
      defaultApiVersion: "string",
      capabilities: "string",
    },
  ],
};

export const deployment: Shape = {
  ...resource,
  properties: {
    provisioningState: "string",
    mode: "string",
    correlationId: "string",
    timestamp: "string",
    duration: "string",
    parameters: "object",
    "outputs?": "object",
    outputResources: [{ id: "string" }],
    dependencies: "array",
    providers: "array",
  },
};

export const deploymentOperation: Shape = {
  id: "string",
  operationId: "string",
  properties: {
    provisioningOperation: "string",
    provisioningState: "string",
    timestamp: "string",
    duration: "string",
    statusCode: "string",
    targetResource: { id: "string", resourceType: "string", resourceName: "string" },
  },
};

/** A resource of another service: its properties depend on its type. */
export const genericResource: Shape = {
  ...tracked,
  "sku?": "object",
  "kind?": "string",
  properties: "object",
  systemData: "object",
  etag: "string",
};
