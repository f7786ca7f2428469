import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, type InputOptions, where } from "cloud-eventgrid-binding";
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { existing, identity, received, resourceGroup, storageAccount } from "./fixtures.js";

const SUBSCRIPTION = "azurerm_eventgrid_event_subscription";

function subscriptionWith(options: InputOptions) {
  return synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", { ...received, ...options });
  }).one(SUBSCRIPTION, "orders/subscription");
}

describe("the event subscription", () => {
  it("delivers CloudEvents to the webhook, protected by Entra", () => {
    expect(subscriptionWith({})).toEqual({
      name: "orders1a50647e",
      scope: resourceGroup,
      event_delivery_schema: "CloudEventSchemaV1_0",
      webhook_endpoint: {
        url: "https://orders.example.com/api/events",
        active_directory_tenant_id: existing.tenantId,
        active_directory_app_id_or_uri: existing.clientId,
      },
      depends_on: expect.any(Array),
    });
  });

  it("is named after the construct and its place in the app, or as told", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "place-orders_2", received);
      new CloudEventGridBinding(scope, "named", { ...received, eventSubscriptionName: "Orders1" });
    });
    expect(stack.one(SUBSCRIPTION, "place-orders_2/subscription").name).toMatch(
      /^placeorders2[0-9a-f]{8}$/,
    );
    expect(stack.one(SUBSCRIPTION, "named/subscription").name).toBe("Orders1");
  });

  it.each([
    ["https://orders.example.com", "https://orders.example.com/api/events"],
    ["https://orders.example.com/", "https://orders.example.com/api/events"],
    ["https://orders.example.com/hook", "https://orders.example.com/hook"],
    ["https://orders.example.com?x=1", "https://orders.example.com/api/events?x=1"],
  ])("registers %s as %s", (subscriberEndpoint, url) => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...received, subscriberEndpoint });
    });
    expect(stack.one(SUBSCRIPTION).webhook_endpoint).toMatchObject({ url });
  });

  it("registers the default path where only the host is known later, or nothing at all", () => {
    const stack = synthesized((scope) => {
      const host = new TerraformVariable(scope, "host", { type: "string" }).stringValue;
      const url = new TerraformVariable(scope, "url", { type: "string" }).stringValue;
      const of = (subscriberEndpoint: string) => ({ ...received, subscriberEndpoint });
      new CloudEventGridBinding(scope, "path", of(`https://orders.${host}/hook?a=b`));
      new CloudEventGridBinding(scope, "host-only", of(`https://${host}`));
      new CloudEventGridBinding(scope, "unknown", of(url));
    });
    const urlAt = (path: string) => stack.one(SUBSCRIPTION, path).webhook_endpoint;
    expect(urlAt("path/subscription")).toMatchObject({
      url: "https://orders.${var.host}/hook?a=b",
    });
    expect(urlAt("host-only/subscription")).toMatchObject({
      url: "https://${var.host}/api/events",
    });
    expect(urlAt("unknown/subscription")).toMatchObject({
      url: '${replace(var.url, "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/", "$1/api/events$2")}',
    });
  });
});

describe("the scope", () => {
  const bare = `/subscriptions/${existing.subscriptionId}`;

  it.each([
    [`${bare}/`, bare],
    [bare.slice(1), bare],
    [`${bare}/resourcegroups/shop/`, `${bare}/resourceGroups/shop`],
  ])("%s is written without what would make Terraform replace or hang", (scope, written) => {
    const stack = synthesized((construct) => {
      new CloudEventGridBinding(construct, "orders", { ...received, scope });
    });
    expect(stack.one(SUBSCRIPTION).scope).toBe(written);
    expect(stack.one("azurerm_role_assignment").scope).toBe(written);
  });

  it("is normalised by Terraform where it is known only later", () => {
    const stack = synthesized((construct) => {
      const scope = new TerraformVariable(construct, "scope", { type: "string" });
      new CloudEventGridBinding(construct, "orders", { ...received, scope: scope.stringValue });
    });
    expect(stack.one(SUBSCRIPTION).scope).toBe('/${trim(var.scope, "/")}');
    expect(stack.one("azurerm_role_assignment").scope).toBe('/${trim(var.scope, "/")}');
  });
});

describe("what is delivered", () => {
  it("is the event types of the catalogue, unless others are named", () => {
    const events = defineEvents({ "shop.order.placed": type(), "shop.order.cancelled": type() });
    expect(subscriptionWith({ events }).included_event_types).toEqual([
      "shop.order.placed",
      "shop.order.cancelled",
    ]);
    expect(
      subscriptionWith({ events, includedEventTypes: ["shop.order.placed"] }).included_event_types,
    ).toEqual(["shop.order.placed"]);
  });

  it("can be filtered by subject", () => {
    const subjectFilter = { beginsWith: "/blobs", endsWith: ".jpg", caseSensitive: true };
    expect(subscriptionWith({ subjectFilter }).subject_filter).toEqual({
      subject_begins_with: "/blobs",
      subject_ends_with: ".jpg",
      case_sensitive: true,
    });
    expect(subscriptionWith({ subjectFilter: { endsWith: ".jpg" } }).subject_filter).toEqual({
      subject_ends_with: ".jpg",
    });
  });

  it("can be filtered by every operator that Event Grid has", () => {
    const advancedFilters = [
      where("data.a").isNotNull(),
      where("data.b").isNullOrUndefined(),
      where("data.c").boolEquals(true),
      where("data.d").numberGreaterThan(1),
      where("data.e").numberGreaterThanOrEquals(2),
      where("data.f").numberLessThan(3),
      where("data.g").numberLessThanOrEquals(4),
      where("data.h").numberIn(5, 6),
      where("data.i").numberNotIn(7),
      where("data.j").numberInRange([1, 2], [3, 4]),
      where("data.k").numberNotInRange([5, 6]),
      where("data.l").stringIn("x", "y"),
      where("data.m").stringNotIn("z"),
      where("subject").stringBeginsWith("a"),
      where("subject").stringNotBeginsWith("b"),
      where("subject").stringEndsWith("c"),
      where("subject").stringNotEndsWith("d"),
      where("subject").stringContains("e"),
      where("subject").stringNotContains("f"),
    ];
    const filters = subscriptionWith({ advancedFilters, filterArrays: true });
    expect(filters.advanced_filtering_on_arrays_enabled).toBe(true);
    expect(filters.advanced_filter).toEqual({
      is_not_null: [{ key: "data.a" }],
      is_null_or_undefined: [{ key: "data.b" }],
      bool_equals: [{ key: "data.c", value: true }],
      number_greater_than: [{ key: "data.d", value: 1 }],
      number_greater_than_or_equals: [{ key: "data.e", value: 2 }],
      number_less_than: [{ key: "data.f", value: 3 }],
      number_less_than_or_equals: [{ key: "data.g", value: 4 }],
      number_in: [{ key: "data.h", values: [5, 6] }],
      number_not_in: [{ key: "data.i", values: [7] }],
      number_in_range: [
        {
          key: "data.j",
          values: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
      number_not_in_range: [{ key: "data.k", values: [[5, 6]] }],
      string_in: [{ key: "data.l", values: ["x", "y"] }],
      string_not_in: [{ key: "data.m", values: ["z"] }],
      string_begins_with: [{ key: "subject", values: ["a"] }],
      string_not_begins_with: [{ key: "subject", values: ["b"] }],
      string_ends_with: [{ key: "subject", values: ["c"] }],
      string_not_ends_with: [{ key: "subject", values: ["d"] }],
      string_contains: [{ key: "subject", values: ["e"] }],
      string_not_contains: [{ key: "subject", values: ["f"] }],
    });
  });

  it("can be filtered by one operator twice", () => {
    const advancedFilters = [where("type").stringIn("a"), where("source").stringIn("b")];
    expect(subscriptionWith({ advancedFilters }).advanced_filter).toEqual({
      string_in: [
        { key: "type", values: ["a"] },
        { key: "source", values: ["b"] },
      ],
    });
  });
});

describe("how it is delivered", () => {
  it("can be retried for longer or shorter; what is left out is the service's own", () => {
    expect(subscriptionWith({ retryPolicy: { eventTimeToLive: 60 } }).retry_policy).toEqual({
      max_delivery_attempts: 30,
      event_time_to_live: 60,
    });
    expect(subscriptionWith({ retryPolicy: { maxDeliveryAttempts: 3 } }).retry_policy).toEqual({
      max_delivery_attempts: 3,
      event_time_to_live: 1440,
    });
  });

  it("can be batched", () => {
    const batching = { maxEventsPerBatch: 100, preferredBatchSizeInKilobytes: 512 };
    expect(subscriptionWith({ batching }).webhook_endpoint).toMatchObject({
      max_events_per_batch: 100,
      preferred_batch_size_in_kilobytes: 512,
    });
  });

  it("can carry headers, fixed ones, secret ones, and ones taken from the event", () => {
    const deliveryProperties = [
      { headerName: "X-Shop", value: "north" },
      { headerName: "X-Key", value: "hidden", secret: true },
      { headerName: "X-System", sourceField: "data.system" },
    ];
    expect(subscriptionWith({ deliveryProperties }).delivery_property).toEqual([
      { header_name: "X-Shop", type: "Static", value: "north", secret: false },
      { header_name: "X-Key", type: "Static", value: "hidden", secret: true },
      { header_name: "X-System", type: "Dynamic", source_field: "data.system" },
    ]);
  });

  it("can be labelled, and end", () => {
    const settings = subscriptionWith({
      labels: ["north"],
      expirationTimeUtc: "2030-01-01T00:00:00Z",
    });
    expect(settings.labels).toEqual(["north"]);
    expect(settings.expiration_time_utc).toBe("2030-01-01T00:00:00Z");
  });

  it("can be done with a managed identity, which is given the app role", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deliveryIdentity: {
          type: "UserAssigned",
          userAssignedIdentity: identity,
          principalId: existing.writerId,
        },
      });
    });
    expect(stack.one(SUBSCRIPTION).delivery_identity).toEqual({
      type: "UserAssigned",
      user_assigned_identity: identity,
    });
    expect(
      stack.all("azuread_app_role_assignment").map(({ body }) => body.principal_object_id),
    ).toContain(existing.writerId);
  });
});

describe("dead-lettering", () => {
  it("needs the account and the container only", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: { storageAccount, container: "dead-letters" },
      });
    });
    expect(stack.one(SUBSCRIPTION).storage_blob_dead_letter_destination).toEqual({
      storage_account_id: storageAccount,
      storage_blob_container_name: "dead-letters",
    });
    expect(stack.one(SUBSCRIPTION)).not.toHaveProperty("dead_letter_identity");
    expect(stack.all("azurerm_role_assignment")).toHaveLength(1);
  });

  it("takes the constructs that make them, and lets the identity write into the container", () => {
    const stack = synthesized((scope) => {
      const account = new StorageAccount(scope, "account", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
      });
      const container = new StorageContainer(scope, "container", {
        name: "dead-letters",
        storageAccountId: account.id,
      });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: {
          storageAccount: account,
          container,
          identity: { type: "SystemAssigned", principalId: existing.writerId },
        },
      });
    });
    const subscription = stack.one(SUBSCRIPTION);
    expect(subscription.storage_blob_dead_letter_destination).toEqual({
      storage_account_id: "${azurerm_storage_account.account.id}",
      storage_blob_container_name: "${azurerm_storage_container.container.name}",
    });
    expect(subscription.dead_letter_identity).toEqual({ type: "SystemAssigned" });
    const grant = stack
      .all("azurerm_role_assignment")
      .find(({ path }) => path.includes("storage-blob-data-contributor"));
    expect(grant?.body).toMatchObject({
      scope:
        "${azurerm_storage_account.account.id}/blobServices/default/containers/" +
        "${azurerm_storage_container.container.name}",
      role_definition_id: expect.stringMatching(/\/ba92f5b4-2d11-453d-a403-e96b0029c9fe$/),
      principal_id: existing.writerId,
      principal_type: "ServicePrincipal",
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain(grant?.path);
  });
});

describe("an identity that dead-letters", () => {
  const container = { storageAccount, container: "dead-letters" };
  const principalId = existing.writerId;
  const deadLetter = { ...container, identity: { type: "SystemAssigned", principalId } } as const;
  const withProps = (props: object) =>
    synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...received, deadLetter, ...props });
    });

  it("is waited for until its role has taken effect, and again when the role changes", () => {
    const stack = withProps({});
    expect(stack.one("terraform_data", "orders/role-effect")).toMatchObject({
      triggers_replace: {
        "0": expect.stringMatching(/^\$\{azurerm_role_assignment\..*storage-blob.*\.id\}$/),
      },
      provisioner: [{ "local-exec": { command: "setTimeout(() => {}, 60000)" } }],
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain("orders/role-effect");
  });

  it("is waited for as long as is told, or not at all", () => {
    expect(
      withProps({ roleEffectSeconds: 300 }).one("terraform_data", "orders/role-effect").provisioner,
    ).toMatchObject([{ "local-exec": { command: "setTimeout(() => {}, 300000)" } }]);
    expect(withProps({ roleEffectSeconds: 0 }).all("terraform_data")).toEqual([]);
  });

  it.each([
    ["not named", {}],
    ["named all the same", { principalId }],
  ])("is given nothing and not waited for, where it has the role already: %s", (_, named) => {
    const stack = withProps({
      deadLetter: { ...container, identity: { type: "SystemAssigned", ...named } },
      deliveryIdentity: { type: "SystemAssigned" },
      existingAssignments: ["deadLetter"],
      additionalScopes: { uploads: storageAccount },
    });
    const roles = stack.all("azurerm_role_assignment").map(({ path }) => path);
    expect(roles.filter((path) => path.includes("storage-blob"))).toEqual([]);
    expect(stack.all("terraform_data")).toEqual([]);
    for (const id of ["subscription", "subscription-uploads"]) {
      expect(stack.one(SUBSCRIPTION, `orders/${id}`)).toMatchObject({
        dead_letter_identity: { type: "SystemAssigned" },
        delivery_identity: { type: "SystemAssigned" },
      });
    }
  });

  it("may be one for several scopes, which is given the role and waited for once", () => {
    const stack = withProps({
      deadLetter: {
        ...container,
        identity: { type: "UserAssigned", userAssignedIdentity: identity, principalId },
      },
      additionalScopes: { uploads: storageAccount },
    });
    expect(stack.one("terraform_data", "orders/role-effect").triggers_replace).toEqual({
      "0": expect.stringContaining("storage-blob"),
    });
    expect(stack.one(SUBSCRIPTION, "orders/subscription-uploads").dead_letter_identity).toEqual({
      type: "UserAssigned",
      user_assigned_identity: identity,
    });
  });
});

describe("a dead-letter container in another subscription", () => {
  it("has the role named by its own subscription, where it would drift otherwise", () => {
    const other = "99999999-2222-3333-4444-000000000002";
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        deadLetter: {
          storageAccount: storageAccount.replace(existing.subscriptionId, other),
          container: "dead-letters",
          identity: { type: "SystemAssigned", principalId: existing.writerId },
        },
      });
    });
    expect(
      stack
        .all("azurerm_role_assignment")
        .filter(({ path }) => path.includes("storage-blob"))
        .map(({ body }) => body.role_definition_id),
    ).toEqual([
      `/subscriptions/${other}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe`,
    ]);
  });
});

describe("several scopes", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      labels: ["north"],
      additionalScopes: {
        uploads: `${storageAccount}/`,
        devices: {
          scope: `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
          includedEventTypes: ["Microsoft.Devices.DeviceConnected"],
          eventSubscriptionName: "devices",
        },
      },
    });
  });

  it("have an event subscription each, with the binding's settings where they have none", () => {
    const own = stack.one(SUBSCRIPTION, "orders/subscription");
    const uploads = stack.one(SUBSCRIPTION, "orders/subscription-uploads");
    expect(uploads).toEqual({ ...own, scope: storageAccount });
    expect(stack.one(SUBSCRIPTION, "orders/subscription-devices")).toEqual({
      ...own,
      scope: `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
      name: "devices",
      included_event_types: ["Microsoft.Devices.DeviceConnected"],
    });
  });

  it("share the identity, which may write at each of them", () => {
    expect(stack.all("azuread_application_app_role")).toHaveLength(1);
    expect(
      stack
        .all("azurerm_role_assignment")
        .map(({ body }) => body.scope)
        .sort(),
    ).toEqual([
      resourceGroup,
      `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
      storageAccount,
    ]);
  });
});
