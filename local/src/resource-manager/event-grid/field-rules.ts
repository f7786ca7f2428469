import { bodySchemas } from "../../eventgrid/index.js";
import type { FieldRules, ResourceType } from "../engine/index.js";

/*
 * The fields of Event Grid's responses, as the real service was recorded. docs/contributing/parity.md names the
 * recordings.
 */

/** The first version that returns a field which nobody wrote. */
const since = {
  systemData: "2020-06-01",
  kind: "2023-06-01",
  sku: "2023-06-01",
  // 2021-12-01 does not have what the preview before it had.
  "properties.dataResidencyBoundary": "2022-06-15",
  "properties.minimumTlsVersionAllowed": "2023-06-01",
};

/** Resources in other resources. */
export const plainFields: FieldRules = { always: { systemData: null }, since };

/** Event subscriptions. */
export const eventSubscriptionFields: FieldRules = {
  ...plainFields,
  always: { ...plainFields.always, properties: { destination: null, labels: null } },
};

/** System topics. */
export const trackedFields: FieldRules = {
  always: { systemData: null, tags: null },
  identity: { principalId: null, tenantId: null, userAssignedIdentities: null },
  since,
};

/** Domains. */
export const domainFields: FieldRules = {
  ...trackedFields,
  always: { ...trackedFields.always, properties: { minimumTlsVersionAllowed: "1.0" } },
  previews: ["kind", "sku"],
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
    properties: {
      inboundIpRules: null,
      isZoneRedundant: true,
      minimumTlsVersionAllowed: "1.2",
      publicNetworkAccess: "Enabled",
    },
  },
  changing: { sku: null },
  ended: { sku: { name: "Standard", capacity: 1 } },
  since: {},
};

/** Topics of namespaces. */
export const namespaceTopicFields: FieldRules = {
  ...plainFields,
  always: { ...plainFields.always, properties: { publisherType: "Custom" } },
  ended: { properties: { inputSchema: "CloudEventSchemaV1_0" } },
};

/** Event subscriptions of those topics. */
export const namespaceSubscriptionFields: FieldRules = {
  ...plainFields,
  always: { ...plainFields.always, properties: { expirationTimeUtc: null } },
  ended: { properties: { eventDeliverySchema: "CloudEventSchemaV1_0" } },
  since: { "properties.expirationTimeUtc": "2023-12-15" },
};

/**
 * The rules of all Event Grid resources: the schemas of their bodies, filters of lists that compare
 * names, and small pages.
 *
 * @see https://learn.microsoft.com/rest/api/eventgrid/controlplane/topics/list-by-subscription
 */
export const eventGridType = {
  schemas: bodySchemas,
  filter: { compared: ["name"], functions: { contains: ["name"] } },
  pages: { size: 20, max: 100 },
} as const satisfies Partial<ResourceType>;
