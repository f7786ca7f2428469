import { describe, expect, it } from "vitest";
import { create, GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { deployer, refusal, requestToken, send, textIn } from "../../support/management-client.js";

async function start() {
  const { cloud, call } = await startGroup();
  const { body } = await requestToken(cloud, deployer(cloud), `${cloud.control.origin}/.default`);
  const authorization = `Bearer ${textIn(body, "access_token")}`;
  const request = (method: string, path: string, headers: Record<string, string> = {}) =>
    send(cloud, method, path, {
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(method === "PUT" || method === "PATCH" ? { body: '{"location":"westeurope"}' } : {}),
    });
  return { call, request };
}

describe("the version of a request", () => {
  it.each([
    ["", "MissingApiVersionParameter"],
    ["?api-version=", "MissingApiVersionParameter"],
    ["?API-VERSION=latest", "InvalidApiVersionParameter"],
    ["?api-version=2025-13-01", "InvalidApiVersionParameter"],
  ])("is required and must be a date: %s", async (query, code) => {
    const { request } = await start();
    expect(await request("GET", `${GROUP}${query}`)).toMatchObject(refusal(400, code));
  });
});

describe("resource groups of a request", () => {
  it.each([
    ["PATCH", "/topics/orders"],
    ["GET", "/topics/orders"],
    ["GET", "/topics"],
  ])("must exist for %s …%s", async (method, path) => {
    const { call } = await start();
    const id = `${GROUP.replace("shop", "none")}/providers/Microsoft.EventGrid${path}`;
    const body = method === "GET" ? undefined : { location: "westeurope" };
    expect(await call(method, id, body)).toMatchObject(
      refusal(404, "ResourceGroupNotFound", "Resource group 'none' could not be found."),
    );
  });

  it("do not stand for the parent of a nested resource", async () => {
    const { call } = await start();
    const id = `${GROUP}/providers/Microsoft.EventHub/namespaces/none/eventhubs/orders`;
    expect(await call("PUT", id, {})).toMatchObject(refusal(404, "ParentResourceNotFound"));
  });
});

it("results of operations are at the location that pollers of PATCH and DELETE read", async () => {
  const { call } = await start();
  const id = `${GROUP}/providers/Microsoft.EventGrid/namespaces/orders`;
  await call("PUT", id, { location: "westeurope" });
  const pathOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => {
    const { pathname, search } = new URL(String(headers.location));
    return pathname + search;
  };
  const patched = pathOf(await call("PATCH", id, { tags: { team: "shop" } }));
  expect(await call("GET", patched)).toMatchObject({
    status: 200,
    body: { id, tags: { team: "shop" } },
  });
  const deleted = pathOf(await call("DELETE", id));
  expect(deleted).toContain("/locations/westeurope/operationResults/");
  expect(await call("GET", deleted)).toMatchObject({ status: 200, body: undefined });
  const removed = pathOf(await call("DELETE", GROUP));
  expect(await call("GET", removed)).toMatchObject({ status: 200, body: undefined });
});

it("a system topic is complete in the first answer, unless it has an identity", async () => {
  const { call } = await startGroup();
  const source = `${GROUP}/providers/Microsoft.Storage/storageAccounts/files`;
  const properties = { source, topicType: "Microsoft.Storage.StorageAccounts" };
  const put = async (identity?: object) => {
    const id = `${GROUP}/providers/Microsoft.EventGrid/systemTopics/files`;
    const { status, body } = await call("PUT", id, {
      location: "westeurope",
      properties,
      identity,
    });
    return [status, Object(body).properties.provisioningState];
  };
  expect(await put()).toEqual([200, "Succeeded"]);
  expect(await put({ type: "SystemAssigned" })).toEqual([201, "Updating"]);
});

it.each([
  ["EventGrid/topics/orders", {}],
  ["EventGrid/namespaces/events", {}],
  ["Storage/storageAccounts/files", { sku: { name: "Standard_LRS" } }],
  ["Insights/actionGroups/on-call", { properties: { groupShortName: "on-call" } }],
])("a resource such as %s does not move to another location", async (path, body) => {
  const { call } = await startGroup();
  const id = `${GROUP}/providers/Microsoft.${path}`;
  const put = (location: string) => call("PUT", id, { location, ...body });
  await put("West Europe");
  expect((await put("westeurope")).status).toBeLessThan(300);
  expect(await put("eastus")).toMatchObject(
    refusal(409, "InvalidResourceLocation", expect.stringContaining("in location 'westeurope'")),
  );
  expect((await call("PATCH", id, { location: "eastus" })).status).toBe(409);
});

it.each([
  [GROUP.replace("shop", "other"), "LocationNotAvailableForResourceGroup"],
  ...["topics", "domains", "namespaces"].map((type) => [
    `${GROUP}/providers/Microsoft.EventGrid/${type}/other`,
    "LocationNotAvailableForResourceType",
  ]),
])("the location of %s is a region", async (id, code) => {
  const { call } = await startGroup();
  for (const location of ["global", "atlantis"]) {
    expect(await call("PUT", id ?? "", { location })).toMatchObject(refusal(400, code));
  }
});

it("a resource group does not move to another location", async () => {
  const { call } = await startGroup();
  expect(await call("PUT", GROUP, { location: "eastus" })).toMatchObject(
    refusal(
      409,
      "InvalidResourceGroupLocation",
      "Invalid resource group location 'eastus'. The Resource group already exists in location 'westeurope'.",
    ),
  );
});

it.each<[string, object, unknown]>([
  ["storage", { name: "SHOP-1", type: "microsoft.storage/storageaccounts" }, true],
  ["Storage", { name: "shop2", type: "Microsoft.Storage/storageAccounts" }, true],
  ["Storage", { name: "shop2", type: "Microsoft.Cache/Redis" }, undefined],
  ["Storage", { name: "shop2" }, undefined],
  ["Storage", { type: "Microsoft.Storage/storageAccounts" }, undefined],
  ...["Devices", "EventHub", "servicebus"].flatMap((service): [string, object, unknown][] => [
    [service, { name: "SHOP-1" }, false],
    [service, { name: "shop-2" }, true],
  ]),
])("Microsoft.%s says for %j whether the name is free: %s", async (service, body, isFree) => {
  const { call } = await startGroup();
  for (const type of ["Devices/IotHubs", "EventHub/namespaces", "ServiceBus/namespaces"]) {
    await create(call, `${GROUP}/providers/Microsoft.${type}/shop-1`);
  }
  const path = `${SUBSCRIPTION}/providers/Microsoft.${service}/checkNameAvailability`;
  const answer = await call("POST", path, body);
  if (isFree === undefined) expect(answer).toMatchObject(refusal(400, "InvalidRequestContent"));
  else {
    const taken = { reason: "AlreadyExists", message: expect.stringContaining("SHOP-1") };
    expect(answer.body).toEqual({
      nameAvailable: isFree,
      ...(isFree ? { reason: null, message: null } : taken),
    });
  }
});
