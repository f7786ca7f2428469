import { describe, expect, it } from "vitest";
import { create, GROUP, startGroup } from "../../support/cloud.js";
import { finished, refusal } from "../../support/management-client.js";

const NAMESPACE = `${GROUP}/providers/Microsoft.EventGrid/namespaces/shop`;
const TOPIC = `${NAMESPACE}/topics/orders`;
const QUEUE = `${TOPIC}/eventSubscriptions/queue`;

async function start() {
  const { cloud, call } = await startGroup();
  await call("PUT", NAMESPACE, {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    tags: { team: "shop" },
  });
  await call("PUT", TOPIC, { properties: { eventRetentionInDays: 3 } });
  return { cloud, call };
}

const queue = (settings: object = {}, others: object = {}) => ({
  properties: {
    deliveryConfiguration: { deliveryMode: "Queue", queue: settings },
    ...others,
  },
});

describe("namespaces in Resource Manager", () => {
  it("answer 202 to a PATCH, because azurerm refuses the 201 of topics", async () => {
    const { call } = await start();
    const patched = await call("PATCH", NAMESPACE, { tags: { team: "billing" } });
    expect(patched.status).toBe(202);
    expect(await finished(call, patched)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", NAMESPACE)).body).toMatchObject({ tags: { team: "billing" } });
  });

  it("change a queue by another PUT, which sets what it leaves out to its default", async () => {
    const { cloud, call } = await start();
    const filters = { filtersConfiguration: { includedEventTypes: ["shop.order"] } };
    await call("PUT", QUEUE, queue({ receiveLockDurationInSeconds: 120 }, filters));
    expect((await call("GET", QUEUE)).body).toMatchObject({
      properties: { filtersConfiguration: { includedEventTypes: ["shop.order"], filters: [] } },
    });
    await call("PUT", QUEUE, queue());
    const topic = cloud.namespaces.get(NAMESPACE)?.topics.get("orders");
    expect(topic?.subscriptions.get("queue")?.settings).toMatchObject({
      receiveLockDurationInSeconds: 60,
      filter: { includedEventTypes: undefined },
    });
  });

  it.each<[string, string, object, RegExp]>([
    [
      "an unknown parent",
      `${NAMESPACE}/topics/x/eventSubscriptions/q`,
      queue(),
      /could not be found/,
    ],
    ["no properties", QUEUE, {}, /properties is missing/],
    ["no delivery mode", QUEUE, { properties: {} }, /deliveryConfiguration is missing/],
    [
      "a time to live above the retention",
      QUEUE,
      queue({ eventTimeToLive: "P4D" }),
      /retention of 3 days/,
    ],
  ])("refuse %s", async (_, id, body, message) => {
    const { call } = await start();
    const { status, body: refused } = await call("PUT", id, body);
    expect(status === 400 || status === 404).toBe(true);
    expect(JSON.stringify(refused)).toMatch(message);
  });

  it("need the identity that their event subscriptions dead-letter with", async () => {
    const { call } = await start();
    await create(call, `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`);
    const written = (type: string, userAssignedIdentity?: string) =>
      queue({
        deadLetterDestinationWithResourceIdentity: {
          identity: { type, userAssignedIdentity },
          deadLetterDestination: {
            endpointType: "StorageBlob",
            properties: {
              resourceId: `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`,
              blobContainerName: "dead",
            },
          },
        },
      });
    expect((await call("PUT", QUEUE, written("SystemAssigned"))).status).toBe(400);
    const reader = "providers/Microsoft.ManagedIdentity/userAssignedIdentities/reader";
    const [missing, elsewhere] = [`${GROUP}/${reader}`, `${GROUP}-of-others/${reader}`];
    expect((await call("PUT", QUEUE, written("UserAssigned", elsewhere))).status).toBe(400);
    await call("PUT", missing, { location: "westeurope" });
    await call("PATCH", NAMESPACE, {
      identity: {
        type: "UserAssigned",
        userAssignedIdentities: { [missing]: {}, [elsewhere]: {} },
      },
    });
    await call("DELETE", missing);
    expect(await call("PUT", QUEUE, written("UserAssigned", missing))).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining("does not exist. Create it first.")),
    );
    // Its group is not here, and neither are its roles.
    expect((await call("PUT", QUEUE, written("UserAssigned", elsewhere))).status).toBe(201);
  });
});
