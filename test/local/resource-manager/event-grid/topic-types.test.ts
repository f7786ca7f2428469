import { expect, it } from "vitest";
import {
  topicTypeNamed,
  topicTypeOf,
} from "../../../../local/src/resource-manager/event-grid/topic-types.js";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

const ROOT = "/providers/Microsoft.EventGrid/topicTypes";
const SOURCES = "/subscriptions/<subscriptionId>/resourceGroups/<resourceGroupName>";

it("topic types have names, and a region unless they are global", async () => {
  const { call } = await startGroup();
  const { value } = Object((await call("GET", ROOT)).body);
  const all: { name: string; properties: Record<string, unknown> }[] = value;
  const shown = all.map(({ name, properties }) => `${name}: ${properties.displayName}`);
  expect(shown).toEqual(
    expect.arrayContaining([
      "Microsoft.AVS.PrivateClouds: Microsoft.AVS/privateClouds",
      // Names that are not the resource type with a capital.
      "Microsoft.Devices.IoTHubs: Azure IoT Hub Accounts",
      "Microsoft.Eventhub.Namespaces: Event Hubs Namespaces",
      "Microsoft.KeyVault.vaults: Microsoft Key Vault",
      "Microsoft.Web.ServerFarms: App Service Plans",
    ]),
  );
  const global = all.filter(({ properties }) => properties.resourceRegionType === "GlobalResource");
  expect(global.map(({ name }) => name)).toEqual([
    "Microsoft.Communication.CommunicationServices",
    "Microsoft.Maps.Accounts",
    "Microsoft.Resources.ResourceGroups",
    "Microsoft.Resources.Subscriptions",
  ]);
  const byName = (name: string) => all.find((each) => each.name === name);
  expect((await call("GET", `${ROOT}/microsoft.storage.storageaccounts`)).body).toEqual(
    byName("Microsoft.Storage.StorageAccounts"),
  );
  expect(byName("Microsoft.Storage.StorageAccounts")).toEqual({
    id: "providers/Microsoft.EventGrid/topicTypes/Microsoft.Storage.StorageAccounts",
    name: "Microsoft.Storage.StorageAccounts",
    type: "Microsoft.EventGrid/topicTypes",
    properties: {
      provider: "Microsoft.Storage",
      displayName: "Storage Accounts (Blob & GPv2)",
      description: expect.any(String),
      resourceRegionType: "RegionalResource",
      provisioningState: "Succeeded",
      supportedLocations: expect.arrayContaining(["West Europe"]),
      sourceResourceFormat: `${SOURCES}/providers/Microsoft.Storage/storageAccounts/<name>`,
    },
  });
  expect(byName("Microsoft.Resources.ResourceGroups")?.properties).toEqual({
    provider: "Microsoft.Resources",
    displayName: "Resource Groups",
    description: expect.any(String),
    resourceRegionType: "GlobalResource",
    provisioningState: "Succeeded",
    sourceResourceFormat: SOURCES,
  });
  expect(byName("Microsoft.EventGrid.Topics")?.properties).not.toHaveProperty(
    "sourceResourceFormat",
  );
  expect(await call("GET", `${ROOT}/Microsoft.Storage`)).toMatchObject(
    refusal(404, "NotFound", "The topic type 'Microsoft.Storage' was not found."),
  );
});

it("event types are those of a topic type, also below a resource of it", async () => {
  const { call } = await startGroup();
  const path = `${ROOT}/Microsoft.Storage.StorageAccounts/eventTypes`;
  const { body } = await call("GET", path);
  const typeOf = (name: string, displayName: string, isInDefaultSet: boolean) => ({
    id: `${path.slice(1)}/${name}`,
    name,
    type: "Microsoft.EventGrid/topicTypes/eventTypes",
    properties: {
      ...{ displayName, isInDefaultSet },
      ...{ description: expect.any(String), schemaUrl: expect.stringMatching(/^https:/) },
    },
  });
  expect(body).toEqual({
    value: expect.arrayContaining([
      typeOf("Microsoft.Storage.BlobCreated", "Blob Created", true),
      typeOf("Microsoft.Storage.BlobTierChanged", "Blob Tier Changed", false),
    ]),
  });
  const below = (id: string) => `${GROUP}/providers/${id}/providers/Microsoft.EventGrid/eventTypes`;
  const account = below("Microsoft.Storage/storageAccounts/elsewhere");
  expect((await call("GET", account)).body).toEqual(body);
  const topic = "Microsoft.EventGrid/topics/orders";
  expect(await call("GET", below(topic))).toMatchObject(refusal(404, "ResourceNotFound"));
  await call("PUT", `${GROUP}/providers/${topic}`, { location: "westeurope" });
  expect((await call("GET", below(topic))).body).toEqual({ value: [] });
});

it.each([
  [`${GROUP}/providers/Microsoft.Cache/Redis/a/providers/x/y`, "Microsoft.Cache.Redis"],
  [GROUP.toUpperCase(), "Microsoft.Resources.ResourceGroups"],
  [SUBSCRIPTION, "Microsoft.Resources.Subscriptions"],
])("the scope %s has the topic type %s", (scope, expected) => {
  expect(topicTypeOf(scope)).toBe(expected);
});

it.each([
  ["microsoft.resourcenotifications.aksresources", { isGlobal: true, sourceFormat: undefined }],
  ["Microsoft.PolicyInsights.PolicyStates", { isGlobal: true, sourceFormat: undefined }],
  ["microsoft.web.sites", { isGlobal: false }],
  ["Microsoft.Web", undefined],
  ["x.Microsoft.PolicyInsights.PolicyStates", undefined],
  ["Microsoft.ResourceNotifications.A.B", undefined],
])("the topic type %s is known as %j", (name, expected) => {
  const found = topicTypeNamed(name);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});
