import { afterAll, beforeAll, expect, it } from "vitest";
import { genericResource } from "../stand-ins/src/generic/generic-resource.js";
import { type Providers, Terraform } from "../stand-ins/src/index.js";
import { reattachment, type ServedProvider, serve } from "../stand-ins/src/protocol/server.js";
import { readProviderSchema } from "../stand-ins/src/schema/schema.js";
import { describeWithTerraform } from "./with-terraform.js";
import { type Workspace, workspace } from "./workspace.js";

const account = (attributes: object = {}) => ({
  name: "orders",
  resource_group_name: "shop",
  location: "westeurope",
  account_tier: "Standard",
  account_replication_type: "LRS",
  ...attributes,
});

const configuration = (resource: object, provider: object = { features: {} }) => ({
  terraform: {
    required_providers: { azurerm: { source: "hashicorp/azurerm", version: "4.55.0" } },
  },
  provider: { azurerm: provider },
  resource,
});

/** Resource types that no local Azure serves, over the real schema and with the real program. */
describeWithTerraform("a resource of the generic stand-in", () => {
  let served: ServedProvider;
  let place: Workspace;
  let terraform: Terraform;

  beforeAll(async () => {
    const schema = readProviderSchema("azurerm", "4.55.0");
    const shelf = new Map();
    served = await serve({
      source: "hashicorp/azurerm",
      schema,
      configure: async ({ subscription_id }) => ({
        account: { subscriptionId: String(subscription_id) },
        notices: [{ severity: "WARNING", summary: "nothing here is real" }],
      }),
      resource: (type) => genericResource(type, schema.resource_schemas[type]?.block ?? {}, shelf),
      dataSource: (type) => {
        throw new Error(`no data source ${type}`);
      },
    });
    place = workspace();
    const environment = {
      TF_REATTACH_PROVIDERS: reattachment([served]),
    };
    const providers: Providers = {
      source: "stand-ins",
      environment,
      initEnvironment: environment,
      stop: async () => served.stop(),
    };
    terraform = new Terraform({ directory: place.directory, providers });
  });
  afterAll(async () => {
    served.stop();
    place.remove();
  });

  it("is created, updated and destroyed, with empty plans in between", async () => {
    place.write(
      configuration(
        {
          azurerm_storage_account: { letters: account() },
          azurerm_storage_container: {
            dead: { name: "dead", storage_account_id: "${azurerm_storage_account.letters.id}" },
          },
        },
        { features: {}, subscription_id: "s1" },
      ),
    );
    await terraform.init();
    await terraform.validate();

    const applied = await terraform.apply();
    expect(applied.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
      "create azurerm_storage_account.letters",
      "create azurerm_storage_container.dead",
    ]);
    expect(applied.warnings.map(({ summary }) => summary)).toContain("nothing here is real");
    expect((await terraform.plan()).changes).toEqual([]);

    const id =
      "/subscriptions/s1/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/orders";
    const [storage, container] = await terraform.state();
    expect(storage?.values).toMatchObject({
      id,
      primary_blob_endpoint: "https://orders.stand-in.invalid/",
      primary_access_key: expect.stringMatching(/^[\w+/]{43}=$/),
    });
    expect(container?.values).toMatchObject({ id: `${id}/blobServices/default/containers/dead` });

    await terraform.destroy();
    expect(await terraform.state()).toEqual([]);
  });

  it("is updated in place, or replaced when its identity changes", async () => {
    const write = (attributes: object) =>
      place.write(configuration({ azurerm_storage_account: { a: account(attributes) } }));
    write({});
    await terraform.apply();

    write({ account_replication_type: "GRS" });
    expect((await terraform.apply()).changes).toMatchObject([{ action: "update" }]);

    write({ name: "invoices", account_replication_type: "GRS" });
    expect((await terraform.apply()).changes).toMatchObject([
      { action: "replace", reason: "cannot_update" },
    ]);
    await terraform.destroy();
  });

  it("is not created twice", async () => {
    place.write(configuration({ azurerm_storage_account: { a: account(), b: account() } }));
    await expect(terraform.apply()).rejects.toThrow(
      /storageAccounts\/orders" already exists - to be managed via Terraform this resource needs to be imported/,
    );
    await terraform.destroy();
  });

  it("uses the settings of its own provider block", async () => {
    place.write(
      configuration(
        {
          azurerm_storage_account: {
            a: account(),
            b: account({ provider: "azurerm.other" }),
          },
        },
        [
          { features: {}, subscription_id: "s1" },
          { alias: "other", features: {}, subscription_id: "s2" },
        ],
      ),
    );
    await terraform.init();
    await terraform.apply();
    expect((await terraform.state()).map(({ values }) => String(values.id).split("/")[2])).toEqual([
      "s1",
      "s2",
    ]);
    await terraform.destroy();
  });
});
