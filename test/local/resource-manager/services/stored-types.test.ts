import { describe, expect, it } from "vitest";
import { all, azureClients } from "../../support/azure-clients.js";
import { create, GROUP, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

describe("resources of other services", () => {
  it("have keys, and connection strings with them", async () => {
    const { call } = await startGroup();
    const keysOf = async (path: string) => {
      const id = `${GROUP}/providers/Microsoft.${path}`;
      await create(call, id);
      return Object((await call("POST", `${id}/listKeys`)).body);
    };
    const key = expect.stringMatching(/^[\w+/]{43}=$/);
    const longKey = expect.stringMatching(/^[\w+/]{86}==$/);
    const two = { primaryKey: key, secondaryKey: key };
    const connections = (keys: Record<string, string>, of: (key?: string) => string) => ({
      primaryConnectionString: of(keys.primaryKey),
      secondaryConnectionString: of(keys.secondaryKey),
    });
    expect(await keysOf("Cache/Redis/cache")).toEqual(two);
    expect(await keysOf("Cache/redisEnterprise/shop/databases/default")).toEqual(two);
    expect(await keysOf("Storage/storageAccounts/shop1")).toEqual({
      keys: ["key1", "key2"].map((keyName) => ({ keyName, value: longKey, permissions: "FULL" })),
    });
    const chat = await keysOf("SignalRService/SignalR/chat");
    const connection = (each?: string) =>
      `Endpoint=https://chat.service.signalr.net;AccessKey=${each};Version=1.0;`;
    expect(chat).toEqual({ ...two, ...connections(chat, connection) });
    expect(chat.primaryKey).not.toBe(chat.secondaryKey);
    for (const [path, suffix] of [
      ["EventHub/namespaces/streams", ""],
      ["ServiceBus/namespaces/streams/queues/orders", ";EntityPath=orders"],
    ]) {
      const rule = await keysOf(`${path}/authorizationRules/send`);
      const start = "Endpoint=sb://streams.servicebus.windows.net/;SharedAccessKeyName=send";
      const of = (each?: string) => `${start};SharedAccessKey=${each}${suffix}`;
      expect(rule).toEqual({ keyName: "send", ...two, ...connections(rule, of) });
    }
    const value = Object.entries({
      iothubowner: "RegistryWrite, ServiceConnect, DeviceConnect",
      service: "ServiceConnect",
      device: "DeviceConnect",
      registryRead: "RegistryRead",
      registryReadWrite: "RegistryWrite",
    }).map(([keyName, rights]) => ({ keyName, ...two, rights }));
    const hub = await keysOf("Devices/IotHubs/hub");
    expect(hub).toEqual({ value });
    const policy = `${GROUP}/providers/Microsoft.Devices/IotHubs/hub/IotHubKeys/service`;
    expect((await call("POST", `${policy}/listkeys`)).body).toEqual(hub.value[1]);
  });

  it("are returned as they were written, until they are deleted", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop1`;
    const written = { kind: "StorageV2", sku: { name: "Standard_LRS" } };
    expect((await call("PUT", id, { ...written, location: "West Europe" })).status).toBe(200);
    expect((await call("GET", id)).body).toMatchObject({ ...written, location: "westeurope" });
    expect((await call("GET", `${id}/blobServices/other`)).status).toBe(404);
    expect((await call("DELETE", id)).status).toBe(200);
    expect((await call("GET", id)).status).toBe(404);
    expect((await call("DELETE", id)).status).toBe(204);
  });

  it("return secrets of a container app through listSecrets only", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.App/containerApps/orders`;
    const inVault = { name: "vault", identity: "System", keyVaultUrl: "https://v/secrets/key" };
    const secrets = [
      // As azurerm writes them.
      { name: "key", value: "hush", identity: "", keyVaultUrl: "" },
      { ...inVault, value: "" },
    ];
    const properties = {
      managedEnvironmentId: `${GROUP}/providers/Microsoft.App/managedEnvironments/shop`,
      configuration: { secrets, ingress: { targetPort: 80, external: true } },
    };
    await call("PUT", id, { location: "westeurope", properties });
    const { body } = await call("GET", id);
    expect(JSON.stringify(body)).not.toContain("hush");
    expect(body).toMatchObject({
      properties: {
        latestRevisionFqdn: "orders--1.shop.westeurope.azurecontainerapps.io",
        configuration: {
          secrets: [{ name: "key" }, inVault],
          ingress: { fqdn: "orders.shop.westeurope.azurecontainerapps.io" },
        },
      },
    });
    expect((await call("POST", `${id}/listSecrets`)).body).toEqual({
      value: [{ name: "key", value: "hush" }, inVault],
    });
  });

  it("are listed and deleted with their resource group", async () => {
    const { cloud, call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.EventHub/namespaces/streams`;
    await call("PUT", id, { location: "westeurope" });
    await call("PUT", `${id}/eventhubs/orders`, { properties: { partitionCount: 2 } });
    cloud.control.assignRole("Reader", cloud.tenantId, id);
    const { resources } = azureClients(cloud);
    expect(await all(resources.resources.list())).toMatchObject([{ name: "streams" }]);
    expect((await call("GET", `${id}/eventhubs`)).body).toMatchObject({
      value: [{ name: "orders", properties: { partitionCount: 2, status: "Active" } }],
    });
    await call("DELETE", GROUP);
    expect((await call("GET", `${id}/eventhubs/orders`)).status).toBe(404);
    expect(cloud.control.roleAssignments.list().filter(({ scope }) => scope === id)).toEqual([]);
  });

  it.each(["Photos", "a", "shop-photos"])("do not include an account called %s", async (name) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Storage/storageAccounts/${name}`;
    expect(await call("PUT", id, { location: "westeurope" })).toMatchObject(
      refusal(400, "AccountNameInvalid", expect.stringContaining("between 3 and 24 characters")),
    );
  });

  it.each([
    ["PUT", `${GROUP}/providers/Microsoft.Resources/deployments/first`],
    ["POST", `${GROUP}/providers/Microsoft.Resources/deployments/first/validate`],
    ["GET", `${GROUP.replace(/.resourceGroups.*/, "")}/providers/Microsoft.Resources/deployments`],
  ])("are refused if they are deployments of templates, such as %s %s", async (method, path) => {
    const { call } = await startGroup();
    expect(await call(method, path)).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining("does not deploy ARM templates")),
    );
  });
});

it("@azure/arm-resources and @azure/arm-authorization assign a role and list assignments of a scope and a principal", async () => {
  const { cloud } = await startGroup();
  const { authorization } = azureClients(cloud);
  const { servicePrincipal } = cloud.applications.create({ displayName: "orders" });
  const definitions = authorization.roleDefinitions.list(GROUP, {
    filter: "roleName eq 'EventGrid Data Sender'",
  });
  const [role] = await all(definitions);
  const created = await authorization.roleAssignments.create(
    GROUP,
    "44444444-4444-4444-8444-444444444444",
    { roleDefinitionId: role?.id ?? "", principalId: servicePrincipal.objectId },
  );
  expect(created).toMatchObject({ scope: GROUP, principalType: "ServicePrincipal" });
  const filter = `principalId eq '${servicePrincipal.objectId}'`;
  const assigned = authorization.roleAssignments.listForScope(GROUP, { filter });
  expect(await all(assigned)).toHaveLength(1);
});

it.each([
  [{}, 200, 201],
  [{ kind: "BlobStorage" }, 400, 201],
  [{ kind: "BlockBlobStorage", sku: { name: "Premium_LRS" } }, 400, 201],
  [{ kind: "filestorage", sku: { name: "Premium_LRS" } }, 400, 400],
])(
  "a storage account with %j answers %i to a queue, %i to a container",
  async (own, ...statuses) => {
    const { call } = await startGroup();
    const account = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`;
    await call("PUT", account, { location: "westeurope", ...own });
    const paths = ["queueServices/default/queues/orders", "blobServices/default/containers/orders"];
    const answers = await Promise.all(paths.map((path) => call("PUT", `${account}/${path}`, {})));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  },
);
