import { describe, expect, it } from "vitest";
import { GROUP, PUBLIC_URL, post, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { newIdentity, refusal, signIn } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const SYSTEM_TOPIC = `${GROUP}/providers/Microsoft.EventGrid/systemTopics/photos`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/photos`;

describe("custom topics", () => {
  it.each(["topics", "domains"])("read custom events by their mapping, as %s", async (type) => {
    const { cloud, call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.EventGrid/${type}/orders`;
    const inputSchemaMapping = {
      inputSchemaMappingType: "Json",
      properties: {
        id: { sourceField: "orderId" },
        topic: { sourceField: "shop" },
        eventTime: { sourceField: "placedAt" },
        eventType: { sourceField: null, defaultValue: "placed" },
        subject: { sourceField: "path", defaultValue: "none" },
      },
    };
    const properties = { inputSchema: "CustomEventSchema", inputSchemaMapping };
    expect((await call("PUT", id, { location: "westeurope", properties })).status).toBe(201);
    const topic = cloud.topics.get(id) ?? cloud.domains.get(id);
    if (topic === undefined) throw new Error(`There is no ${id}`);
    const body = JSON.stringify([{ orderId: "17", shop: "bern" }]);
    expect((await post(topic, body, "application/json")).status).toBe(200);
    expect(topic.events()).toMatchObject([{ id: "17", type: "placed", subject: "none" }]);
  });

  it("are returned with their schema if code created them", async () => {
    const { cloud, call } = await startGroup();
    const { id } = cloud.topics.create({
      name: "orders",
      resourceGroupName: "shop",
      localAuthEnabled: false,
    });
    expect((await call("GET", id)).body).toMatchObject({
      properties: { inputSchema: "CloudEventSchemaV1_0", disableLocalAuth: true },
    });
  });

  it("answer 404 to GET and 204 to DELETE if there never was such a topic", async () => {
    const { call } = await startGroup();
    expect(await call("GET", TOPIC)).toMatchObject(
      refusal(
        404,
        undefined,
        "The Resource 'Microsoft.EventGrid/topics/orders' under resource group 'shop' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
      ),
    );
    expect((await call("DELETE", TOPIC)).status).toBe(204);
  });

  it("are not accessible without a role", async () => {
    const { cloud } = await startGroup();
    const call = await signIn(cloud, newIdentity(cloud, "nobody"));
    for (const [method, path] of [
      ["PUT", TOPIC],
      ["GET", TOPIC],
      ["DELETE", TOPIC],
      ["POST", `${TOPIC}/listKeys`],
    ] as const) {
      const body = method === "PUT" ? { location: "westeurope" } : undefined;
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(403);
    }
  });

  it("are refused without a location", async () => {
    const { cloud, call } = await startGroup();
    expect(await call("PUT", TOPIC, {})).toMatchObject(refusal(400, "LocationRequired"));
    expect(cloud.topics.list()).toEqual([]);
  });

  it.each([
    { inputSchema: "CloudEventSchemaV1_0" },
    { inputSchemaMapping: { properties: { id: { sourceField: "orderId" } } } },
  ])("refuse to change %j", async (properties) => {
    const { call } = await startGroup();
    await call("PUT", TOPIC, { location: "westeurope" });
    expect((await call("PATCH", TOPIC, { properties })).status).toBe(400);
    const { body } = await call("GET", TOPIC);
    expect(body).toMatchObject({ properties: { inputSchema: "EventGridSchema" } });
    expect(body).not.toHaveProperty("properties.inputSchemaMapping");
  });

  it("have the resource group that code creates with them", async () => {
    const { cloud, call } = await startGroup();
    cloud.topics.create({ name: "orders", resourceGroupName: "warehouse" });
    expect(await call("GET", `${SUBSCRIPTION}/resourceGroups/warehouse`)).toMatchObject({
      status: 200,
      body: { name: "warehouse", location: "westeurope" },
    });
  });
});

describe("system topics", () => {
  const body = {
    location: "westeurope",
    properties: { source: ACCOUNT, topicType: "Microsoft.Storage.StorageAccounts" },
    tags: { team: "shop" },
  };

  it.each(["PUT", "PATCH"])("keep their source at a %s", async (method) => {
    const { call } = await startGroup();
    await call("PUT", SYSTEM_TOPIC, body);
    const properties = { ...body.properties, source: `${ACCOUNT}2` };
    expect(await call(method, SYSTEM_TOPIC, { ...body, properties })).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining("photos2")),
    );
    expect((await call("GET", SYSTEM_TOPIC)).body).toMatchObject({ properties: body.properties });
  });

  it.each([
    [{ topicType: null }, "properties.topicType is missing"],
    [{ source: null }, "properties.source is missing"],
    [{ topicType: "Microsoft.KeyVault.vaults" }, "is not one of the topic type"],
    [{ location: "global" }, "System topic's location must match"],
    [
      { location: "westeurope", source: GROUP, topicType: "Microsoft.Resources.ResourceGroups" },
      "System topic's location must match",
    ],
    [
      { source: ACCOUNT.replace("2222-", "3333-") },
      "is not in the Azure subscription '22222222-2222-4222-8222-222222222222'",
    ],
    [{ source: TOPIC, topicType: "Microsoft.EventGrid.Topics" }, "is a custom topic or domain"],
  ])("are refused with %j", async (changes, message) => {
    const { call } = await startGroup();
    const sku = { name: "Standard_LRS" };
    await call("PUT", ACCOUNT, { location: "westeurope", kind: "StorageV2", sku });
    const { location = "westeurope", ...properties } = changes as Record<string, string>;
    const written = { location, properties: { ...body.properties, ...properties } };
    expect(await call("PUT", SYSTEM_TOPIC, written)).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining(message)),
    );
  });

  it.each([
    ["microsoft.resourcenotifications.AKSResources", SUBSCRIPTION, "global"],
    ["Microsoft.ResourceNotifications.MaintenanceResources", SUBSCRIPTION, "global"],
    [
      "Microsoft.Maintenance.MaintenanceConfigurations",
      `${GROUP}/providers/Microsoft.Maintenance/maintenanceConfigurations/nights`,
      "westeurope",
    ],
    ["Microsoft.Maps.Accounts", `${GROUP}/providers/Microsoft.Maps/accounts/routes`, "westeurope"],
    ["Microsoft.Maps.Accounts", `${GROUP}/providers/Microsoft.Maps/accounts/routes`, "global"],
  ])("may be of the type %s, of %s in %s", async (topicType, source, location) => {
    const { call } = await startGroup();
    const written = { location, properties: { topicType, source } };
    expect((await call("PUT", SYSTEM_TOPIC, written)).status).toBeLessThan(300);
  });

  it.each([
    ["PolicyInsights.PolicyStates", "PolicyInsights.PolicyStateChanged"],
    ["ResourceNotifications.AKSResources", "ResourceNotifications.AKSResources.FleetGateCreated"],
  ])("%s of a subscription have event subscriptions of %s", async (topicType, eventType) => {
    const { call } = await startGroup();
    const properties = { topicType: `Microsoft.${topicType}`, source: SUBSCRIPTION };
    await call("PUT", SYSTEM_TOPIC, { location: "global", properties });
    const written = await call("PUT", `${SYSTEM_TOPIC}/eventSubscriptions/all`, {
      properties: {
        destination: { endpointType: "WebHook", properties: { endpointUrl: PUBLIC_URL } },
        filter: { includedEventTypes: [`Microsoft.${eventType}`] },
      },
    });
    expect(written.status).toBe(201);
  });

  it("exist once per source and type", async () => {
    const { call } = await startGroup();
    const ofType = (topicType: string) => ({
      location: "global",
      properties: { source: SUBSCRIPTION, topicType: `Microsoft.${topicType}` },
    });
    await call("PUT", SYSTEM_TOPIC, ofType("Resources.Subscriptions"));
    const other = await call("PUT", `${SYSTEM_TOPIC}-2`, ofType("PolicyInsights.PolicyStates"));
    expect(other.status).toBe(200);
    expect(await call("PUT", `${SYSTEM_TOPIC}-3`, ofType("resources.subscriptions"))).toMatchObject(
      refusal(400, undefined, expect.stringContaining("Only one system topic is allowed")),
    );
  });
});
