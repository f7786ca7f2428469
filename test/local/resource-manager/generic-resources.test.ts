import { describe, expect, it } from "vitest";
import { all, azureClients } from "../support/azure-clients.js";
import { GROUP, startGroup } from "../support/cloud.js";
import { refusal } from "../support/management-client.js";

describe("resources of other services", () => {
  it.each<[string, string, object]>([
    ["Microsoft.Storage/storageAccounts/shop1", "listKeys", { keys: [{ keyName: "key1" }, {}] }],
    ["Microsoft.Cache/Redis/cache", "listKeys", { primaryKey: expect.any(String) }],
    [
      "Microsoft.SignalRService/SignalR/chat",
      "listKeys",
      { primaryConnectionString: expect.stringContaining("chat.service.signalr.net") },
    ],
    [
      "Microsoft.Devices/IotHubs/hub",
      "listkeys",
      { value: expect.arrayContaining([expect.objectContaining({ keyName: "iothubowner" })]) },
    ],
    [
      "Microsoft.EventHub/namespaces/streams/authorizationRules/RootManageSharedAccessKey",
      "listKeys",
      { keyName: "RootManageSharedAccessKey", primaryKey: expect.any(String) },
    ],
  ])("such as %s have keys", async (path, action, expected) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/${path}`;
    await call("PUT", id.split("/authorizationRules")[0] ?? "", { location: "West Europe" });
    expect(await call("POST", `${id}/${action}`)).toMatchObject({ status: 200, body: expected });
  });

  it("are returned as they were written, with computed fields", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop1`;
    const body = { location: "West Europe", kind: "StorageV2", sku: { name: "Standard_LRS" } };
    expect((await call("PUT", id, body)).status).toBe(200);
    expect(await call("GET", id)).toMatchObject({
      status: 200,
      body: {
        id,
        name: "shop1",
        type: "Microsoft.Storage/storageAccounts",
        location: "westeurope",
        kind: "StorageV2",
        sku: { name: "Standard_LRS" },
        properties: {
          provisioningState: "Succeeded",
          primaryEndpoints: { blob: "https://shop1.blob.core.windows.net/" },
        },
      },
    });
    expect(await call("GET", `${id}/blobServices/default`)).toMatchObject({ status: 200 });
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
      configuration: { secrets, ingress: { targetPort: 80 } },
    };
    await call("PUT", id, { location: "westeurope", properties });
    const { body } = await call("GET", id);
    expect(JSON.stringify(body)).not.toContain("hush");
    expect(body).toMatchObject({
      properties: {
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

  it("include Azure Managed Redis with its database, which run at once", async () => {
    const { call } = await startGroup();
    const cluster = `${GROUP}/providers/Microsoft.Cache/redisEnterprise/shop`;
    const database = `${cluster}/databases/default`;
    const sku = { name: "Balanced_B0" };
    await call("PUT", cluster, { location: "West Europe", sku });
    await call("PUT", database, { properties: { accessKeysAuthentication: "Enabled" } });
    expect((await call("GET", cluster)).body).toMatchObject({
      sku,
      properties: { hostName: "shop.westeurope.redis.azure.net", resourceState: "Running" },
    });
    expect((await call("GET", database)).body).toMatchObject({
      properties: { port: 10_000, resourceState: "Running", accessKeysAuthentication: "Enabled" },
    });
    expect((await call("POST", `${database}/listKeys`)).body).toMatchObject({
      primaryKey: expect.any(String),
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

describe("what azurerm reads without a check", () => {
  const text = expect.any(String);
  const eventHubEndpoints = { events: { partitionCount: 2, retentionTimeInDays: 7 } };

  it.each<[string, object, object]>([
    [
      "Microsoft.App/managedEnvironments/shop",
      { vnetConfiguration: {} },
      { customDomainConfiguration: { customDomainVerificationId: text } },
    ],
    ["Microsoft.Cache/Redis/cache", {}, { hostName: text, sslPort: 6380, redisConfiguration: {} }],
    [
      "Microsoft.Devices/IotHubs/hub",
      { eventHubEndpoints, networkRuleSets: { defaultAction: "Deny" } },
      {
        hostName: text,
        eventHubEndpoints: {
          events: { ...eventHubEndpoints.events, endpoint: text, partitionIds: ["0", "1"] },
        },
        routing: { fallbackRoute: { endpointNames: ["events"] } },
        networkRuleSets: { defaultAction: "Deny", ipRules: [] },
      },
    ],
    [
      "Microsoft.EventHub/namespaces/streams",
      { isAutoInflateEnabled: true },
      { isAutoInflateEnabled: true, maximumThroughputUnits: 0 },
    ],
    [
      "Microsoft.Storage/storageAccounts/shop1",
      { networkAcls: { defaultAction: "Deny" } },
      { primaryEndpoints: { blob: text }, networkAcls: { defaultAction: "Deny", ipRules: [] } },
    ],
  ])("is in the properties of %s", async (path, properties, expected) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/${path}`;
    await call("PUT", id, { location: "westeurope", properties });
    expect((await call("GET", id)).body).toMatchObject({ properties: expected });
  });

  it("is in what a namespace contains, with the only statuses that azurerm accepts", async () => {
    const { call } = await startGroup();
    const statuses = async (id: string, properties: object) => {
      const { status } = await call("PUT", id, { properties });
      const { body } = await call("GET", id);
      return { status, body, deleted: (await call("DELETE", id)).status };
    };
    const hubs = `${GROUP}/providers/Microsoft.EventHub/namespaces/streams`;
    const bus = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/orders`;
    for (const id of [hubs, bus]) {
      await call("PUT", id, { location: "westeurope" });
      expect((await call("GET", id)).body).toMatchObject({ sku: { name: "Standard" } });
      const ruleSet = await statuses(`${id}/networkRuleSets/default`, { ipRules: [] });
      const properties = { defaultAction: "Allow", virtualNetworkRules: [] };
      expect(ruleSet).toMatchObject({ status: 200, body: { properties } });
      const rule = `${id}/authorizationRules/send`;
      expect(await statuses(rule, { rights: ["Send"] })).toMatchObject({ status: 200 });
    }
    const active = { status: "Active" };
    expect(await statuses(`${hubs}/eventhubs/orders`, { partitionCount: 2 })).toMatchObject({
      status: 200,
      body: { properties: { ...active, partitionIds: ["0", "1"] } },
    });
    expect(await statuses(`${bus}/queues/orders`, { maxSizeInMegabytes: 0 })).toMatchObject({
      status: 200,
      body: { properties: { ...active, maxSizeInMegabytes: 1024, enablePartitioning: false } },
    });
    await call("PUT", `${bus}/topics/orders`, {});
    await call("PUT", `${bus}2`, { location: "westeurope", sku: { name: "Premium" } });
    for (const [id, maxMessageSizeInKilobytes] of [
      [`${bus}/queues/sizes`, 256],
      [`${bus}2/topics/sizes`, 1024],
    ] as const) {
      const { body } = await statuses(id, {});
      expect(body).toMatchObject({ properties: { maxMessageSizeInKilobytes } });
    }
    expect(await statuses(`${bus}/topics/orders/subscriptions/all`, {})).toMatchObject({
      status: 200,
      body: { properties: active },
    });
  });

  it("is in a storage account's SKU and services, with the only statuses it accepts", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop1`;
    await call("PUT", id, { location: "westeurope", sku: { name: "Premium_LRS" } });
    expect((await call("GET", id)).body).toMatchObject({
      sku: { name: "Premium_LRS", tier: "Premium" },
    });
    expect((await call("PUT", `${id}/blobServices/default`, {})).status).toBe(200);
    const queue = `${id}/queueServices/default/queues/orders`;
    expect((await call("PUT", queue, {})).status).toBe(200);
    expect((await call("DELETE", queue)).status).toBe(204);
  });

  it("is in a container app, whose environment returns no secrets", async () => {
    const { call } = await startGroup();
    const environmentId = `${GROUP}/providers/Microsoft.App/managedEnvironments/shop`;
    const app = `${GROUP}/providers/Microsoft.App/containerApps/orders`;
    const logAnalyticsConfiguration = { customerId: "workspace", sharedKey: "hush" };
    const appLogsConfiguration = { destination: "log-analytics", logAnalyticsConfiguration };
    await call("PUT", environmentId, {
      location: "westeurope",
      properties: { appLogsConfiguration, daprAIConnectionString: "hush" },
    });
    const { body } = await call("GET", environmentId);
    expect(JSON.stringify(body)).not.toContain("hush");
    expect(body).toMatchObject({
      properties: {
        appLogsConfiguration: { logAnalyticsConfiguration: { customerId: "workspace" } },
      },
    });
    const configuration = { ingress: { targetPort: 80 } };
    await call("PUT", app, {
      location: "westeurope",
      properties: { environmentId, configuration },
    });
    expect((await call("GET", app)).body).toMatchObject({
      properties: {
        managedEnvironmentId: environmentId,
        customDomainVerificationId: text,
        configuration: { ingress: { targetPort: 80, transport: "Auto" } },
      },
    });
  });

  it("answers the keys of one policy of an IoT hub", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Devices/IotHubs/hub`;
    await call("PUT", id, { location: "westeurope" });
    const { body } = await call("POST", `${id}/IotHubKeys/service/listkeys`);
    expect(body).toMatchObject({ keyName: "service", primaryKey: text, rights: "ServiceConnect" });
  });

  it("keeps the features of SignalR that a PATCH does not name", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.SignalRService/SignalR/chat`;
    const feature = (flag: string, value: string) => ({ flag, value });
    const features = [feature("ServiceMode", "Default"), feature("EnableLiveTrace", "true")];
    await call("PUT", id, { location: "westeurope", properties: { features } });
    const changed = feature("ServiceMode", "Serverless");
    await call("PATCH", id, { properties: { features: [changed] } });
    expect((await call("GET", id)).body).toMatchObject({
      properties: { features: [feature("EnableLiveTrace", "true"), changed] },
    });
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
