import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import type { InputBindingProps } from "cloud-eventgrid-binding-runtime";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import {
  type PlannedResource,
  type Providers,
  prepareProviders,
  Terraform,
} from "../../stand-ins/src/index.js";
import { type ShopStack, Synthesis } from "../../terraform/synthesize.js";
import { describeWithTerraform, source } from "../../terraform/with-terraform.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { document } from "./document.js";

const group = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const account = `${group}/providers/Microsoft.Storage/storageAccounts/letters`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/letters`;
const principal = "66666666-6666-4666-8666-666666666666";
const user = "77777777-7777-4777-8777-777777777777";
const service = "88888888-8888-4888-8888-888888888888";

/** The same deployment, in both vocabularies. */
interface Deployment {
  readonly title: string;
  readonly writer?: "client";
  readonly construct: (stack: ShopStack, props: InputBindingProps) => void;
  /** Settings of the module. */
  readonly module?: string;
}

const deployments: readonly Deployment[] = [
  {
    title: "a document alone",
    construct: (stack, props) => new CloudEventGridBinding(stack, "orders-events", props),
  },
  {
    title: "a document whose client writes",
    writer: "client",
    construct: (stack, props) =>
      new CloudEventGridBinding(stack, "orders-events", {
        ...props,
        writer: "client",
        cloudClientSecret: "s3cret",
      }),
  },
  {
    title: "every setting of an event subscription",
    construct: (stack, props) =>
      new CloudEventGridBinding(stack, "orders-events", {
        ...props,
        includedEventTypes: ["shop.order.placed"],
        subjectFilter: { beginsWith: "orders/", caseSensitive: true },
        advancedFilters: [
          where("data.a").isNotNull(),
          where("data.b").isNullOrUndefined(),
          where("data.c").boolEquals(false),
          where("data.d").numberGreaterThan(1),
          where("data.e").numberGreaterThanOrEquals(2),
          where("data.f").numberLessThan(3),
          where("data.g").numberLessThanOrEquals(4.5),
          where("data.h").numberIn(5, 6),
          where("data.h").numberIn(7),
          where("data.i").numberNotIn(8),
          where("data.j").numberInRange([1, 5], [7, 9]),
          where("data.k").numberNotInRange([10, 11]),
          where("data.l").stringIn("a", "b"),
          where("data.m").stringNotIn("c"),
          where("data.n").stringBeginsWith("d"),
          where("data.o").stringNotBeginsWith("e"),
          where("data.p").stringEndsWith("f"),
          where("data.q").stringNotEndsWith("g"),
          where("data.r").stringContains("h"),
          where("data.s").stringNotContains("i"),
        ],
        additionalScopes: {
          returns: {
            scope: `${group}/providers/Microsoft.EventGrid/topics/returns`,
            eventSubscriptionName: "returned",
            includedEventTypes: [],
            advancedFilters: [where("subject").stringContains("box")],
          },
          group: { scope: group, includedEventTypes: [], subjectFilter: { endsWith: ".json" } },
        },
        batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 128 },
        retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveMinutes: 60 },
        deadLetter: {
          storageAccount: account,
          container: "dead",
          identity: {
            type: "UserAssigned",
            userAssignedIdentity: identity,
            principalId: principal,
          },
        },
        deliveryProperties: [
          { headerName: "X-Shop", value: "north", secret: true },
          { headerName: "X-Region", value: "west" },
          { headerName: "X-System", sourceField: "data.system" },
        ],
        labels: ["shop"],
        writerPrincipals: [
          { objectId: user, principalType: "User" },
          { objectId: service, principalType: "ServicePrincipal" },
        ],
        roleEffectSeconds: 30,
        webhookProbe: true,
      }),
    module: `
  included_event_types = ["shop.order.placed"]
  subject_filter       = { begins_with = "orders/", case_sensitive = true }
  advanced_filters = [
    { operator = "is_not_null", key = "data.a" },
    { operator = "is_null_or_undefined", key = "data.b" },
    { operator = "bool_equals", key = "data.c", boolean = false },
    { operator = "number_greater_than", key = "data.d", number = 1 },
    { operator = "number_greater_than_or_equals", key = "data.e", number = 2 },
    { operator = "number_less_than", key = "data.f", number = 3 },
    { operator = "number_less_than_or_equals", key = "data.g", number = 4.5 },
    { operator = "number_in", key = "data.h", numbers = [5, 6] },
    { operator = "number_in", key = "data.h", numbers = [7] },
    { operator = "number_not_in", key = "data.i", numbers = [8] },
    { operator = "number_in_range", key = "data.j", ranges = [[1, 5], [7, 9]] },
    { operator = "number_not_in_range", key = "data.k", ranges = [[10, 11]] },
    { operator = "string_in", key = "data.l", strings = ["a", "b"] },
    { operator = "string_not_in", key = "data.m", strings = ["c"] },
    { operator = "string_begins_with", key = "data.n", strings = ["d"] },
    { operator = "string_not_begins_with", key = "data.o", strings = ["e"] },
    { operator = "string_ends_with", key = "data.p", strings = ["f"] },
    { operator = "string_not_ends_with", key = "data.q", strings = ["g"] },
    { operator = "string_contains", key = "data.r", strings = ["h"] },
    { operator = "string_not_contains", key = "data.s", strings = ["i"] },
  ]
  additional_scopes = {
    returns = {
      scope                   = "${group}/providers/Microsoft.EventGrid/topics/returns"
      event_subscription_name = "returned"
      advanced_filters        = [{ operator = "string_contains", key = "subject", strings = ["box"] }]
    }
    group = { scope = "${group}", subject_filter = { ends_with = ".json" } }
  }
  max_events_per_batch              = 10
  preferred_batch_size_in_kilobytes = 128
  max_delivery_attempts             = 5
  event_time_to_live_minutes        = 60
  dead_letter = {
    storage_account_id = "${account}"
    container          = "dead"
    identity = {
      type                   = "UserAssigned"
      user_assigned_identity = "${identity}"
      principal_id           = "${principal}"
    }
  }
  delivery_properties = [
    { header_name = "X-Shop", value = "north", secret = true },
    { header_name = "X-Region", value = "west" },
    { header_name = "X-System", source_field = "data.system" },
  ]
  labels              = ["shop"]
  writer_principals = [
    { object_id = "${user}", principal_type = "User" },
    { object_id = "${service}", principal_type = "ServicePrincipal" },
  ]
  role_effect_seconds = 30
  probe               = {}
`,
  },
  {
    title: "a new application, and a new topic that dead-letters with its own identity",
    construct: (stack, { cloudClientId: _, ...props }) => {
      const topic = new CloudEventGridTopic(stack, "topic", {
        topicName: "parcels",
        resourceGroupName: "shop",
        location: "westeurope",
        publicNetworkAccess: true,
        allowedAddresses: ["203.0.113.0/24"],
        tags: { team: "shop" },
      });
      new CloudEventGridBinding(stack, "orders-events", {
        ...props,
        application: new WebhookApplication(stack, "webhook", { displayName: "parcels webhook" }),
        scope: topic.id,
        deadLetter: {
          storageAccount: account,
          container: "dead",
          identity: { type: "SystemAssigned" },
        },
      });
    },
    module: `
  application = { display_name = "parcels webhook" }
  topic = {
    name                = "parcels"
    resource_group_name = "shop"
    location            = "westeurope"
    allowed_addresses   = ["203.0.113.0/24"]
    tags                = { team = "shop" }
  }
  dead_letter = {
    storage_account_id = "${account}"
    container          = "dead"
    identity           = { type = "SystemAssigned" }
  }
`,
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
 * new app role, which follows the construct's path or the module's name.
 */
function byType(resources: readonly PlannedResource[]): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  const newRole = resources.find(({ type }) => type === "azuread_application_app_role");
  for (const { type, after, after_unknown } of resources) {
    // The ID of an assignment that the construct may leave out at plan time is a list of one.
    const planned = JSON.stringify(attributes(after, after_unknown)).replaceAll(
      `["${KNOWN_LATER}"]`,
      `"${KNOWN_LATER}"`,
    );
    const roleId = String(newRole?.after.role_id);
    found[type] ??= [];
    found[type].push(JSON.parse(planned.replaceAll(roleId, "(new app role)")));
  }
  for (const each of Object.values(found)) {
    each.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}

async function planOfModule(
  { writer, module: settings = "" }: Deployment,
  providers: Providers,
): Promise<PlannedResource[]> {
  const directory = directoryWith({ "orders.yaml": text });
  const args = writer === undefined ? [] : ["--writer", writer];
  await command(["synth", "orders.yaml", "--out", "module", ...args], { directory });
  const client = `provider "azurerm" {
  alias                           = "client"
  client_id                       = "44444444-4444-4444-8444-444444444444"
  client_secret                   = "s3cret"
  resource_provider_registrations = "none"
  features {}
}
`;
  writeFileSync(
    join(directory, "main.tf"),
    `provider "azurerm" {
  resource_provider_registrations = "none"
  features {}
}
provider "azuread" {}
${writer === undefined ? "" : client}module "orders" {
  source = "./module"
${writer === undefined ? "" : "  providers = { azurerm = azurerm, azurerm.client = azurerm.client }\n"}${settings}}
`,
  );
  const terraform = new Terraform({ directory, providers });
  await terraform.init();
  return terraform.planned();
}

async function planOfConstruct({ construct }: Deployment, providers: Providers) {
  const synthesis = new Synthesis();
  const { props } = readComponentDocument(text, { direction: "input", writer: "deployer" });
  synthesis.write((stack) => construct(stack, props));
  const terraform = new Terraform({ directory: synthesis.directory, providers });
  await terraform.init();
  return terraform.planned();
}

// Without a name of its own, so that both must choose the same.
const text = document.replace(/ {4}- name: eventSubscriptionName\n.*\n/, "");

describeWithTerraform("a module of cloud-eventgrid synth", () => {
  it.each(deployments)("plans the resources of the construct for $title", async (deployment) => {
    await using cloud = await LocalCloud.start({ control: { eventGridRegistered: true } });
    const client = cloud.applications.create({
      displayName: "orders",
      clientId: "44444444-4444-4444-8444-444444444444",
      secret: "s3cret",
      roles: [],
    });
    const { objectId } = client.servicePrincipal;
    cloud.control.assignRole("Reader", objectId, `/subscriptions/${cloud.subscriptionId}`);
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    try {
      const ofConstruct = await planOfConstruct(deployment, providers);
      const ofModule = await planOfModule(deployment, providers);
      expect(byType(ofModule)).toEqual(byType(ofConstruct));
    } finally {
      await providers.stop();
    }
  });
});
