import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../support/cloud.js";
import { refusal, send } from "../support/management-client.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const ROLE =
  "providers/Microsoft.Authorization/roleAssignments/7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e01";
const READER =
  "/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7";

const identities = (count: number, type = "UserAssigned") => ({
  type,
  userAssignedIdentities: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${GROUP}-2/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i${index}`,
      {},
    ]),
  ),
});

const properties = {
  principalId: "7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e02",
  principalType: "ServicePrincipal",
  roleDefinitionId: READER,
};

const queue = {
  endpointType: "StorageQueue",
  properties: {
    resourceId: `${GROUP}/providers/Microsoft.Storage/storageAccounts/files`,
    queueName: "orders",
  },
};

const inboundIpRules = (length: number) =>
  Array.from({ length }, (_, index) => ({ ipMask: `10.0.0.${index}`, action: "Allow" }));

async function start() {
  const started = await startGroup();
  for (const kind of ["topics", "domains", "namespaces"]) {
    const created = await started.call("PUT", `${EVENT_GRID}/${kind}/orders`, {
      location: "westeurope",
    });
    expect(created.status).toBe(201);
  }
  await started.call("PUT", queue.properties.resourceId, { location: "westeurope" });
  return started;
}

describe("a write", () => {
  it.each<[string, object, number, string]>([
    [`${EVENT_GRID}/wizards/a`, {}, 404, "InvalidResourceType"],
    [`${GROUP}-2/${ROLE}`, { properties }, 404, "ResourceGroupNotFound"],
    [`${EVENT_GRID}/topics/none/${ROLE}`, { properties }, 404, "ResourceNotFound"],
    [
      `${EVENT_GRID}/namespaces/orders/topics/none/${ROLE}`,
      { properties },
      404,
      "ResourceNotFound",
    ],
    [
      `${GROUP}-2/providers/Microsoft.EventGrid/eventSubscriptions/all`,
      { properties: { destination: queue } },
      404,
      "ResourceGroupNotFound",
    ],
    [
      `${EVENT_GRID}/topics/orders/eventSubscriptions/all`,
      {
        properties: {
          destination: queue,
          deliveryWithResourceIdentity: {
            identity: { type: "SystemAssigned" },
            destination: queue,
          },
        },
      },
      400,
      "InvalidRequest",
    ],
    ...["topics", "domains", "namespaces"].flatMap((kind): [string, object, number, string][] => [
      [`${EVENT_GRID}/${kind}/orders`, { identity: identities(3) }, 400, "InvalidRequest"],
      [
        `${EVENT_GRID}/${kind}/orders`,
        { properties: { inboundIpRules: inboundIpRules(129) } },
        400,
        "InvalidRequest",
      ],
    ]),
    ...Object.entries({
      "Microsoft.Storage/storageAccounts/orders": { kind: "StorageV3" },
      "Microsoft.Storage/storageAccounts/nowhere": { location: null },
      "Microsoft.ServiceBus/namespaces/orders": { sku: { name: "Gold" } },
      "Microsoft.ManagedIdentity/userAssignedIdentities/sender": { location: null },
    }).map(([path, body]): [string, object, number, string] => [
      `${GROUP}/providers/${path}`,
      body,
      400,
      "location" in body ? "LocationRequired" : "InvalidRequest",
    ]),
    [
      `${GROUP}/providers/Microsoft.Storage/storageAccounts/files/queueServices/default/queues/Q_1`,
      {},
      400,
      "InvalidResourceName",
    ],
    [`${GROUP}/providers/Microsoft.EventHub/namespaces/hubs`, {}, 400, "BadRequest"],
    [
      `${NETWORK}/virtualNetworks/shop`,
      {
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
          subnets: ["10.0.0.0/24", "10.0.0.128/25"].map((addressPrefix) => ({
            name: `of-${addressPrefix.length}`,
            properties: { addressPrefix },
          })),
        },
      },
      400,
      "NetcfgSubnetRangesOverlap",
    ],
  ])("refuses a write to %s of %j: %i %s", async (path, body, status, code) => {
    const { call } = await start();
    expect(await call("PUT", path, { location: "westeurope", ...body })).toMatchObject(
      refusal(status, code),
    );
  });

  it.each<[string, object]>([
    [`${EVENT_GRID}/topics/orders`, { identity: identities(2) }],
    [`${EVENT_GRID}/domains/orders`, { properties: { inboundIpRules: inboundIpRules(128) } }],
    [
      `${EVENT_GRID}/namespaces/orders`,
      { identity: identities(2, "SystemAssigned, UserAssigned") },
    ],
    [`${EVENT_GRID}/topics/orders/${ROLE}`, { properties }],
    [
      `${GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/all`,
      { properties: { destination: queue, filter: { includedEventTypes: ["blobCreated"] } } },
    ],
  ])("accepts a write to %s of %j", async (path, body) => {
    const { call } = await start();
    const answer = await call("PUT", path, { location: "westeurope", ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });
});

it.each<[string, (token: string) => string | undefined, string]>([
  ["a changed token", (token) => `${token.slice(0, -8)}AAAAAAAA`, "InvalidAuthenticationToken"],
  ["no token at all", () => "nonsense", "InvalidAuthenticationToken"],
])("%s is refused with its own code", async (_, change, code) => {
  const { cloud } = await start();
  const token = await cloud.tokens.delivery({
    clientId: cloud.applications.create({ displayName: "x" }).clientId,
  });
  const changed = change(token);
  const headers = changed === undefined ? {} : { authorization: `Bearer ${changed}` };
  const path = `${SUBSCRIPTION}/resourceGroups?api-version=2022-09-01`;
  expect(await send(cloud, "GET", path, { headers })).toMatchObject(refusal(401, code));
});

it("an application's identifier URI needs a domain of the tenant", async () => {
  const { call } = await start();
  const written = (uri: string) =>
    call("POST", "/v1.0/applications", { displayName: "a", identifierUris: [uri] });
  const refused = await written("https://shop.example.com/orders");
  expect(refused).toMatchObject(refusal(400, "Request_BadRequest"));
  expect(refused.body).toMatchObject({
    error: { details: [{ code: "HostNameNotOnVerifiedDomain" }] },
  });
  for (const uri of ["https://local.onmicrosoft.com/orders", "api://orders"]) {
    expect((await written(uri)).status).toBe(201);
  }
});
