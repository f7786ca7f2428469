import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { signIn } from "../../local/support/management-client.js";
import { prepareProviders, Terraform } from "../../stand-ins/src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeWithTerraform, source } from "../../terraform/with-terraform.js";
import { effects } from "./world.js";

type Block = Record<string, unknown>;
type Resources = Record<string, Record<string, Block>>;

/**
 * The group of the Service Bus, which Terraform does not create. The stand-ins do not create a Service
 * Bus in Resource Manager, which asks only for those of groups that it has.
 */
const ELSEWHERE = "elsewhere";

/**
 * Two shops, made by `for_each`: each has an account for the dead letters of its event subscription. A
 * module has the Service Bus that one of them delivers to, with an identity.
 */
function configuration() {
  const place = {
    resource_group_name: "${azurerm_resource_group.shop.name}",
    location: "${azurerm_resource_group.shop.location}",
  };
  const shops = '${toset(["eu", "us"])}';
  const resource: Resources = {
    azurerm_resource_group: { shop: { name: "shop", location: "westeurope" } },
    azurerm_user_assigned_identity: { sender: { name: "sender", ...place } },
    azurerm_eventgrid_topic: {
      shop: {
        name: "shop",
        ...place,
        input_schema: "CloudEventSchemaV1_0",
      },
    },
    azurerm_storage_account: {
      letters: {
        for_each: shops,
        name: "letters${each.key}",
        ...place,
        account_tier: "Standard",
        account_replication_type: "LRS",
        shared_access_key_enabled: true,
      },
    },
    azurerm_storage_container: {
      dead: {
        for_each: shops,
        name: "dead",
        storage_account_id: "${azurerm_storage_account.letters[each.key].id}",
      },
    },
    azurerm_role_assignment: {
      sender: {
        scope: "${azurerm_eventgrid_topic.shop.id}",
        role_definition_name: "EventGrid Data Sender",
        principal_id: "${azurerm_user_assigned_identity.sender.principal_id}",
        principal_type: "ServicePrincipal",
      },
    },
    azapi_resource: {
      work: {
        for_each: shops,
        type: "Microsoft.EventGrid/eventSubscriptions@2025-02-15",
        name: "work-${each.key}",
        parent_id: "${azurerm_eventgrid_topic.shop.id}",
        body: {
          properties: {
            eventDeliverySchema: "CloudEventSchemaV1_0",
            filter: { includedEventTypes: ["shop.order.placed"] },
            destination: {
              endpointType: "ServiceBusQueue",
              properties: { resourceId: "${module.bus.queue_id}" },
            },
            deadLetterDestination: {
              endpointType: "StorageBlob",
              properties: {
                resourceId: "${azurerm_storage_account.letters[each.key].id}",
                blobContainerName: "${azurerm_storage_container.dead[each.key].name}",
              },
            },
          },
        },
      },
    },
  };
  const bus: Resources = {
    azurerm_servicebus_namespace: {
      bus: { name: "${var.name}", ...moduleplace(), sku: "Premium", local_auth_enabled: true },
    },
    azurerm_servicebus_queue: {
      orders: { name: "orders", namespace_id: "${azurerm_servicebus_namespace.bus.id}" },
    },
  };
  return {
    resource,
    bus,
    root: () => ({
      terraform: {
        required_providers: {
          azurerm: { source: "hashicorp/azurerm" },
          azapi: { source: "Azure/azapi" },
        },
      },
      provider: {
        azurerm: [
          {
            features: [{}],
            resource_provider_registrations: "none",
            resource_providers_to_register: ["Microsoft.EventGrid"],
          },
        ],
      },
      module: {
        bus: { source: "./bus", name: "bus", group: ELSEWHERE },
      },
      resource,
    }),
    module: () => ({
      terraform: { required_providers: { azurerm: { source: "hashicorp/azurerm" } } },
      variable: { name: {}, group: {} },
      output: { queue_id: { value: "${azurerm_servicebus_queue.orders.id}" } },
      resource: bus,
    }),
  };
}

const moduleplace = () => ({ resource_group_name: "${var.group}", location: "westeurope" });

type Configuration = ReturnType<typeof configuration>;

const set = (address: string, settings: Block) => (all: Configuration) => {
  const [type = "", name = ""] = address.split(".");
  const target = (all.resource[type] ?? all.bus[type])?.[name];
  Object.assign(target ?? {}, settings);
};

describeWithTerraform("explain-plan of real plans", () => {
  it("follows IDs and references through modules and for_each", async () => {
    await using cloud = await LocalCloud.start({ control: true });
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    const directory = temporaryFolder();
    const write = (all: Configuration) => {
      writeFileSync(join(directory, "main.tf.json"), JSON.stringify(all.root()));
      const bus = join(directory, "bus");
      mkdirSync(bus, { recursive: true });
      writeFileSync(join(bus, "main.tf.json"), JSON.stringify(all.module()));
    };
    await using _ = { [Symbol.asyncDispose]: async () => providers.stop() };
    if (source !== "stand-ins") {
      const call = await signIn(cloud);
      const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/${ELSEWHERE}`;
      await call("PUT", group, { location: "westeurope" });
    }
    write(configuration());
    const program = new Terraform({ directory, providers });
    await program.init();
    await program.apply();

    const planned = async (...changes: ((all: Configuration) => void)[]) => {
      const all = configuration();
      for (const change of changes) change(all);
      write(all);
      return (await effects(await program.planJson())).map((text) => text.replace(/: .*/, ""));
    };
    expect(await planned()).toEqual([]);
    const both = (verdict: string) =>
      ["eu", "us"].map((shop) => `${verdict} azurerm_storage_account.letters["${shop}"]`);
    const account = (settings: Block) => planned(set("azurerm_storage_account.letters", settings));
    const closed = { default_action: "Deny", bypass: ["None"] };
    expect(await account({ network_rules: closed })).toEqual(both("lost dead-letters"));
    expect(await account({ network_rules: { ...closed, default_action: "Allow" } })).toEqual([]);
    expect(await account({ shared_access_key_enabled: false })).toEqual(both("lost dead-letters"));
    expect(await account({ access_tier: "Cool", tags: { a: "b" } })).toEqual([]);
    expect(await account({ name: "other${each.key}" })).toEqual([
      ...["eu", "us"].map((shop) => `lost dead-letters azapi_resource.work["${shop}"]`),
      ...both("unknown dead-letters"),
    ]);
    const bus = "module.bus.azurerm_servicebus";
    expect(await planned(set("azurerm_servicebus_queue.orders", { status: "Disabled" }))).toEqual([
      `lost destination ${bus}_queue.orders`,
    ]);
    expect(
      await planned(set("azurerm_servicebus_namespace.bus", { local_auth_enabled: false })),
    ).toEqual([`lost destination ${bus}_namespace.bus`]);
    const role = { role_definition_name: "EventGrid Data Receiver" };
    expect(await planned(set("azurerm_role_assignment.sender", role))).toEqual([
      "unknown role azurerm_role_assignment.sender",
    ]);
    // What only one of two has goes with it, and the other keeps its own.
    const one = { for_each: '${toset(["eu"])}' };
    const gone = await planned(
      ...[
        "azapi_resource.work",
        "azurerm_storage_account.letters",
        "azurerm_storage_container.dead",
      ].map((address) => set(address, one)),
    );
    expect(gone).toEqual([
      'unknown types azapi_resource.work["us"]',
      'unknown destroyed azapi_resource.work["us"]',
    ]);
  });
});
