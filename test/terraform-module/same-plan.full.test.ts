import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { expect, it } from "vitest";
import { everyFilter } from "../lib/subscription/every-filter.js";
import { type PlannedResource, Terraform } from "../stand-ins/src/index.js";
import { later } from "../terraform/scenario.js";
import { type ShopStack, Synthesis } from "../terraform/synthesize.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { Shop, WEBHOOK_URL } from "./shop.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const clientId = "44444444-4444-4444-8444-444444444444";
const subscriptionId = "22222222-2222-4222-8222-222222222222";
const group = `/subscriptions/${subscriptionId}/resourceGroups/shop`;
const orders = `${group}/providers/Microsoft.EventGrid/topics/orders`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/letters`;
const letters = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/letters`;
const principalId = "66666666-6666-4666-8666-666666666666";
const user = "77777777-7777-4777-8777-777777777777";
const webhook_url = WEBHOOK_URL;

/** The same deployment, in both vocabularies. */
interface Deployment {
  readonly title: string;
  readonly construct: (stack: ShopStack) => void;
  /** An example of the module, with its variables; or a configuration. */
  readonly example?: readonly [name: string, variables: Readonly<Record<string, string>>];
  readonly configuration?: string;
}

const received = {
  cloudTenantId: "11111111-1111-4111-8111-111111111111",
  cloudSubscriptionId: subscriptionId,
  subscriberEndpoint: WEBHOOK_URL,
  handshakePort: "8080",
  eventSubscriptionName: "orders",
};
const existing = { ...received, cloudClientId: clientId, scope: orders };

function newTopic(stack: ShopStack, topicName = "orders", props: object = {}) {
  return new CloudEventGridTopic(stack, `topic-${topicName}`, { ...place, topicName, ...props });
}
const newApplication = (stack: ShopStack, displayName = "orders webhook") =>
  new WebhookApplication(stack, "webhook", { displayName });

const deployments: readonly Deployment[] = [
  {
    title: "an existing application",
    construct: (stack) => new CloudEventGridBinding(stack, "orders", existing),
    configuration: `module "orders" {
  source      = "./terraform"
  name        = "orders"
  webhook_url = "${WEBHOOK_URL}"
  scope       = "${orders}/"
  client_id   = "${clientId}"
}
`,
  },
  {
    title: "every setting of an event subscription",
    construct: (stack) =>
      new CloudEventGridBinding(stack, "orders", {
        ...existing,
        includedEventTypes: ["shop.order.placed"],
        subjectFilter: { beginsWith: "orders/", caseSensitive: true },
        advancedFilters: everyFilter,
        batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 128 },
        retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveMinutes: 60 },
        deadLetter: {
          storageAccount: account,
          container: "dead",
          identity: { type: "UserAssigned", userAssignedIdentity: letters, principalId },
        },
        deliveryProperties: [
          { headerName: "X-Shop", value: "north", secret: true },
          { headerName: "X-Region", value: "west" },
          { headerName: "X-System", sourceField: "data.system" },
        ],
        labels: ["shop"],
        writerPrincipals: [
          { objectId: user, principalType: "User" },
          { objectId: principalId, principalType: "ServicePrincipal" },
        ],
        roleEffectSeconds: 30,
      }),
    configuration: `module "orders" {
  source               = "./terraform"
  name                 = "orders"
  webhook_url          = "${WEBHOOK_URL}"
  scope                = "${orders}"
  client_id            = "${clientId}"
  included_event_types = ["shop.order.placed"]
  subject_filter       = { subject_begins_with = "orders/", case_sensitive = true }
  advanced_filters = {
    is_not_null                   = [{ key = "data.a" }]
    is_null_or_undefined          = [{ key = "data.b" }]
    bool_equals                   = [{ key = "data.c", value = false }]
    number_greater_than           = [{ key = "data.d", value = 1 }]
    number_greater_than_or_equals = [{ key = "data.e", value = 2 }]
    number_less_than              = [{ key = "data.f", value = 3 }]
    number_less_than_or_equals    = [{ key = "data.g", value = 4.5 }]
    number_in                     = [{ key = "data.h", values = [5, 6] }, { key = "data.h", values = [7] }]
    number_not_in                 = [{ key = "data.i", values = [8] }]
    number_in_range               = [{ key = "data.j", ranges = [[1, 5], [7, 9]] }]
    number_not_in_range           = [{ key = "data.k", ranges = [[10, 11]] }]
    string_in                     = [{ key = "data.l", values = ["a", "b"] }]
    string_not_in                 = [{ key = "data.m", values = ["c"] }]
    string_begins_with            = [{ key = "data.n", values = ["d"] }]
    string_not_begins_with        = [{ key = "data.o", values = ["e"] }]
    string_ends_with              = [{ key = "data.p", values = ["f"] }]
    string_not_ends_with          = [{ key = "data.q", values = ["g"] }]
    string_contains               = [{ key = "data.r", values = ["h"] }]
    string_not_contains           = [{ key = "data.s", values = ["i"] }]
  }
  batching     = { max_events_per_batch = 10, preferred_batch_size_in_kilobytes = 128 }
  retry_policy = { max_delivery_attempts = 5, event_time_to_live = 60 }
  dead_letter = {
    storage_account_id          = "${account}"
    storage_blob_container_name = "dead"
    identity = {
      type                   = "UserAssigned"
      user_assigned_identity = "${letters}"
      principal_id           = "${principalId}"
    }
  }
  delivery_properties = [
    { header_name = "X-Shop", value = "north", secret = true },
    { header_name = "X-Region", value = "west" },
    { header_name = "X-System", source_field = "data.system" },
  ]
  labels = ["shop"]
  writers = {
    user     = { object_id = "${user}", principal_type = "User" }
    pipeline = { object_id = "${principalId}" }
  }
  role_effect_seconds = 30
}
`,
  },
  {
    title: "the example container-app",
    example: ["container-app", { image: "shop:1" }],
    construct: (stack) => {
      const scope = newTopic(stack).id;
      const subscriberEndpoint = later(stack, "later-url", "https://orders.example.com/api/events");
      const application = newApplication(stack);
      const props = { ...received, subscriberEndpoint, application, scope };
      new CloudEventGridBinding(stack, "orders", props);
    },
  },
  {
    title: "the example storage-account",
    example: ["storage-account", { webhook_url }],
    construct: (stack) => {
      const settings = { accountTier: "Standard", accountReplicationType: "LRS" };
      const storage = new StorageAccount(stack, "a", { ...place, ...settings, name: "parcels" });
      new CloudEventGridBinding(stack, "parcels", {
        ...received,
        application: newApplication(stack, "parcels webhook"),
        eventSubscriptionName: "parcels",
        scope: storage.id,
        includedEventTypes: ["Microsoft.Storage.BlobCreated"],
        subjectFilter: { beginsWith: "/blobServices/default/containers/labels/" },
        deadLetter: { storageAccount: storage, container: "undelivered" },
      });
    },
  },
  {
    title: "the example several-scopes",
    example: ["several-scopes", { webhook_url }],
    construct: (stack) => {
      const application = newApplication(stack);
      new CloudEventGridBinding(stack, "orders", {
        ...received,
        application,
        scope: newTopic(stack).id,
        includedEventTypes: ["shop.order.placed"],
        advancedFilters: [
          where("data.total").numberGreaterThan(100),
          where("data.system").stringIn("north", "south"),
        ],
      });
      new CloudEventGridBinding(stack, "returns", {
        ...received,
        application,
        eventSubscriptionName: "returns",
        scope: newTopic(stack, "returns").id,
        subjectFilter: { endsWith: "/express" },
        batching: { maxEventsPerBatch: 10 },
        existingAssignments: ["clientAtScope"],
      });
    },
  },
  {
    title: "the example client-writes",
    example: [
      "client-writes",
      { webhook_url, client_id: clientId, client_secret: "s3cret", scope: orders },
    ],
    construct: (stack) =>
      new CloudEventGridBinding(stack, "orders", {
        ...existing,
        writer: "client",
        cloudClientSecret: "s3cret",
      }),
  },
  {
    title: "the example production",
    example: [
      "production",
      {
        webhook_url,
        subnet_id: `${group}/providers/Microsoft.Network/virtualNetworks/shop/subnets/events`,
        virtual_network_id: `${group}/providers/Microsoft.Network/virtualNetworks/shop`,
        storage_account_id: account,
        log_analytics_workspace_id: `${group}/providers/Microsoft.OperationalInsights/workspaces/shop`,
        pipeline_object_id: user,
      },
    ],
    construct: (stack) => {
      const topic = newTopic(stack, "orders", {
        publicNetworkAccess: false,
        tags: { team: "shop" },
      });
      new CloudEventGridBinding(stack, "binding", {
        ...received,
        application: newApplication(stack),
        scope: topic.id,
        deadLetter: {
          storageAccount: account,
          container: "undelivered",
          identity: { type: "SystemAssigned" },
        },
        writerPrincipals: [{ objectId: user, principalType: "ServicePrincipal" }],
      });
    },
  },
  {
    title: "the example pull",
    example: ["pull", {}],
    construct: (stack) => {
      const namespace = new CloudEventGridNamespace(stack, "shop", {
        ...place,
        namespaceName: "shop",
      });
      new CloudEventGridPullBinding(stack, "orders", {
        topic: namespace.addTopic("orders"),
        eventSubscriptionName: "orders",
        receiver: later(stack, "later", principalId),
      });
    },
  },
];

const KNOWN_LATER = "(known after apply)";

/** The attributes of a resource, with a mark for each value that is known only later. */
function attributes(after: unknown, unknown: unknown): unknown {
  if (unknown === true) return KNOWN_LATER;
  if (typeof unknown !== "object" || unknown === null) return after ?? null;
  if (Array.isArray(after)) {
    return after.map((item, index) => attributes(item, Object(unknown)[index]));
  }
  const names = new Set([...Object.keys(Object(after)), ...Object.keys(unknown)]);
  return Object.fromEntries(
    [...names].sort().map((name) => [name, attributes(Object(after)[name], Object(unknown)[name])]),
  );
}

/**
 * The resources of each type, without their addresses. Left out is what differs on purpose: the ID of a
 * new app role; what the construct needs when an identity is added to a topic; what a value of a resource
 * that an example creates makes unknown.
 */
function byType(resources: readonly PlannedResource[]): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  const newRole = resources.find(({ type }) => type === "azuread_application_app_role");
  for (const { address, type, after, after_unknown } of resources) {
    if (/new-identity|^terraform_data[.]later/.test(address)) continue;
    if (/^azurerm_(storage|container|resource_group|user|private|monitor)/.test(type)) continue;
    const shown = { ...Object(attributes(after, after_unknown)) };
    if (type === "azurerm_role_assignment" && shown.scope === KNOWN_LATER) {
      shown.role_definition_id = KNOWN_LATER;
    }
    if (type === "azurerm_eventgrid_topic") shown.resource_group_name = shown.location = "";
    // The wait for a client also follows its app role, in the module by depends_on.
    if (/role.effect/.test(address)) shown.triggers_replace = KNOWN_LATER;
    if (type === "azapi_resource") shown.parent_id = shown.location = "";
    // The ID of an assignment that the construct may leave out at plan time is a list of one.
    const planned = JSON.stringify(shown).replaceAll(`["${KNOWN_LATER}"]`, `"${KNOWN_LATER}"`);
    const roleId = String(newRole?.after.role_id);
    found[type] ??= [];
    found[type].push(JSON.parse(planned.replaceAll(roleId, "(new app role)")));
  }
  for (const each of Object.values(found)) {
    each.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}

async function planOfModule({ example, configuration = "" }: Deployment, shop: Shop) {
  const terraform =
    example === undefined
      ? (await shop.configuration(configuration)).terraform
      : await shop.example(...example);
  const planned = await terraform.planned();
  return planned.filter(({ address }) => address.startsWith("module."));
}

async function planOfConstruct({ construct }: Deployment, { providers }: Shop) {
  const synthesis = new Synthesis();
  synthesis.write((stack) => construct(stack));
  const terraform = new Terraform({ directory: synthesis.directory, providers });
  await terraform.init();
  return terraform.planned();
}

describeWithTerraform("the Terraform module", () => {
  it.each(deployments)("plans the resources of the construct for $title", async (deployment) => {
    const shop = await Shop.start();
    try {
      const { cloud } = shop;
      const client = { displayName: "orders", clientId, secret: "s3cret", roles: [] } as const;
      const { servicePrincipal } = cloud.applications.create(client);
      const subscription = `/subscriptions/${cloud.subscriptionId}`;
      cloud.control.assignRole("Reader", servicePrincipal.objectId, subscription);
      const ofConstruct = await planOfConstruct(deployment, shop);
      const ofModule = await planOfModule(deployment, shop);
      expect(ofModule).not.toEqual([]);
      expect(byType(ofModule)).toEqual(byType(ofConstruct));
    } finally {
      await shop.stop();
    }
  });
});
