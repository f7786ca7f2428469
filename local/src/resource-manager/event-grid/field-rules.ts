import { operatorTypes } from "../../eventgrid/index.js";
import type { FieldRules } from "../engine/index.js";

/*
 * The fields of Event Grid's responses, as the real service was recorded. docs/contributing/parity.md names the
 * recordings.
 */

const enumerations = {
  "deliveryAttributeMappings.type": ["Static", "Dynamic"],
  "identity.type": ["None", "SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned"],
  "inboundIpRules.action": ["Allow"],
  "sku.name": ["Basic", "Premium", "Standard"],
  dataResidencyBoundary: ["WithinGeopair", "WithinRegion"],
  deliveryMode: ["Queue", "Push"],
  endpointType: [
    ...["AzureFunction", "EventHub", "HybridConnection", "MonitorAlert", "NamespaceTopic"],
    ...["ServiceBusQueue", "ServiceBusTopic", "StorageBlob", "StorageQueue", "WebHook"],
  ],
  eventDeliverySchema: ["CloudEventSchemaV1_0", "EventGridSchema", "CustomInputSchema"],
  inputSchema: ["CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"],
  inputSchemaMappingType: ["Json"],
  kind: ["Azure", "AzureArc"],
  operatorType: operatorTypes,
  publicNetworkAccess: ["Enabled", "Disabled", "SecuredByPerimeter"],
};

/** Resources in other resources. */
export const plainFields: FieldRules = { always: { systemData: null }, enumerations };

/** System topics. */
export const trackedFields: FieldRules = {
  always: { systemData: null, tags: null },
  identity: { principalId: null, tenantId: null, userAssignedIdentities: null },
  enumerations,
};

/** Domains. */
export const domainFields: FieldRules = {
  ...trackedFields,
  always: { ...trackedFields.always, properties: { minimumTlsVersionAllowed: "1.0" } },
  changing: { properties: { endpoint: null } },
  ended: {
    sku: { name: "Basic" },
    properties: { publicNetworkAccess: "Enabled", dataResidencyBoundary: "WithinGeopair" },
  },
};

/** Custom topics. */
export const topicFields: FieldRules = {
  ...domainFields,
  ended: { ...domainFields.ended, kind: "Azure" },
};

/** Namespaces. */
export const namespaceFields: FieldRules = {
  ...trackedFields,
  always: {
    ...trackedFields.always,
    sku: { name: "Standard", capacity: 1 },
    properties: {
      inboundIpRules: null,
      isZoneRedundant: true,
      minimumTlsVersionAllowed: "1.2",
      publicNetworkAccess: "Enabled",
    },
  },
};

/** Topics of namespaces. */
export const namespaceTopicFields: FieldRules = {
  ...plainFields,
  always: { ...plainFields.always, properties: { publisherType: "Custom" } },
  ended: { properties: { inputSchema: "CloudEventSchemaV1_0" } },
};
