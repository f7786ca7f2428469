import {
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  type ExistingWebhookApplicationProps,
  WebhookApplication,
  type WebhookApplicationProps,
} from "cloud-eventgrid-binding";
import { describe } from "vitest";
import { existing, resourceGroup } from "../fixtures.js";
import { type Rows, testRows } from "./later.js";

const TOPIC = "azurerm_eventgrid_topic";

const topic: Rows<CloudEventGridTopicProps> = {
  resourceGroupName: [
    ({ text }) => ({ resourceGroupName: text }),
    [TOPIC, "resource_group_name", "${var.text}"],
  ],
  location: [({ text }) => ({ location: text }), [TOPIC, "location", "${var.text}"]],
  topicName: [({ text }) => ({ topicName: text }), [TOPIC, "name", "${var.text}"]],
  localAuthEnabled: [
    ({ boolean }) => ({ localAuthEnabled: boolean }),
    [TOPIC, "local_auth_enabled", "${var.boolean}"],
  ],
  publicNetworkAccess: [
    ({ boolean }) => ({ publicNetworkAccess: boolean }),
    [TOPIC, "public_network_access_enabled", "${var.boolean}"],
  ],
  allowedAddresses: [
    ({ list }) => ({ allowedAddresses: list }),
    [
      TOPIC,
      "inbound_ip_rule",
      '${[ for key, val in var.list: {"ip_mask" = val, "action" = "Allow"}]}',
    ],
  ],
  identity: [
    ({ list }) => ({ identity: { type: "UserAssigned", userAssignedIdentities: list } }),
    [TOPIC, "identity.identity_ids", "${var.list}"],
  ],
  privateEndpoints: [
    ({ text, list }) => ({ privateEndpoints: [{ subnetId: text, privateDnsZoneIds: list }] }),
    ["azurerm_private_endpoint", "subnet_id", "${var.text}"],
    ["azurerm_private_endpoint", "private_dns_zone_group.private_dns_zone_ids", "${var.list}"],
  ],
  diagnostics: [
    ({ text }) => ({ diagnostics: { logAnalyticsWorkspaceId: text } }),
    ["azurerm_monitor_diagnostic_setting", "log_analytics_workspace_id", "${var.text}"],
  ],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
  tags: [({ map }) => ({ tags: map }), [TOPIC, "tags", "${var.map}"]],
  providerRegistration: [({ text }) => ({ providerRegistration: text }), "providerRegistration"],
  azurerm: "no value",
};

const application: Rows<WebhookApplicationProps> = {
  displayName: [
    ({ text }) => ({ displayName: text }),
    ["azuread_application_registration", "display_name", "${var.text}"],
  ],
  clientSecret: [
    ({ text, map }) => ({
      clientSecret: { displayName: text, endDate: text, rotateWhenChanged: map },
    }),
    ["azuread_application_password", "display_name", "${var.text}"],
    ["azuread_application_password", "end_date", "${var.text}"],
    ["azuread_application_password", "rotate_when_changed", "${var.map}"],
  ],
  cloudEnvironment: [({ text }) => ({ cloudEnvironment: text }), "cloudEnvironment"],
  eventGridApplicationId: [
    ({ text }) => ({ eventGridApplicationId: text }),
    ["data.azuread_service_principal", "client_id", "${var.text}"],
  ],
  azuread: "no value",
};

const existingApplication: Rows<ExistingWebhookApplicationProps> = {
  clientId: [
    ({ text }) => ({ clientId: text }),
    ["data.azuread_application", "client_id", "${var.text}"],
  ],
  servicePrincipal: [({ text }) => ({ servicePrincipal: text }), "servicePrincipal"],
  existingAssignments: [({ list }) => ({ existingAssignments: list }), "existingAssignments"],
  cloudEnvironment: application.cloudEnvironment,
  eventGridApplicationId: application.eventGridApplicationId,
  azuread: "no value",
};

const principal: Rows<EventGridServicePrincipalProps> = {
  cloudEnvironment: application.cloudEnvironment,
  eventGridApplicationId: [
    ({ text }) => ({ eventGridApplicationId: text }),
    ["azuread_service_principal", "client_id", "${var.text}"],
  ],
  azuread: "no value",
};

describe("a token as a prop of", () => {
  describe("a topic", () => {
    testRows(topic, (scope, props) => {
      const place = { resourceGroupName: "shop", location: "westeurope" };
      new CloudEventGridTopic(scope, "topic", { ...place, ...props });
    });
  });

  describe("an application", () => {
    const rows = {
      ...application,
      "whether there is a secret": [({ boolean }) => ({ clientSecret: boolean }), "clientSecret"],
    } as const satisfies Rows<Record<string, unknown>>;
    testRows(rows, (scope, props) => {
      new WebhookApplication(scope, "webhook", { displayName: "orders", ...props });
    });
  });

  describe("an existing application", () => {
    testRows(existingApplication, (scope, props) => {
      WebhookApplication.fromClientId(scope, "webhook", { clientId: existing.clientId, ...props });
    });
  });

  describe("Event Grid's principal", () => {
    testRows(principal, (scope, props) => {
      new EventGridServicePrincipal(scope, "bootstrap", props);
    });
  });

  describe("a grant to publish", () => {
    const rows = {
      principalId: [
        ({ text }) => ({ principalId: text }),
        ["azurerm_role_assignment", "principal_id", "${var.text}"],
      ],
      principalType: [({ text }) => ({ principalType: text }), "principalType"],
      topicId: [
        ({ text }) => ({ topicId: text }),
        ["azurerm_role_assignment", "scope", "${var.text}"],
      ],
    } as const satisfies Rows<Record<string, unknown>>;
    testRows(rows, (scope, props) => {
      const { topicId, principalId, ...options } = {
        topicId: `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`,
        principalId: existing.writerId,
        ...props,
      };
      CloudEventGridTopic.fromTopicId(scope, "topic", topicId).grantPublish(principalId, options);
    });
  });
});
