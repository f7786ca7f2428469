import { describe, expect, it } from "vitest";
import { create, GROUP, PUBLIC_URL, publishTo, startHooked } from "../../support/cloud.js";
import { finished, signIn, textIn } from "../../support/management-client.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const PHOTOS = `${GROUP}/providers/Microsoft.Storage/storageAccounts/photos`;
const CONTRIBUTOR = "Storage Blob Data Contributor";

const topics = {
  custom: { path: `${EVENT_GRID}/topics/orders`, scope: `${EVENT_GRID}/topics/orders` },
  system: { path: `${EVENT_GRID}/systemTopics/photos`, scope: PHOTOS },
};

/**
 * A topic with that identity, and a function that writes a subscription that dead-letters with it.
 */
async function start({ path, scope }: typeof topics.custom, identity?: object) {
  const { cloud, webhook } = await startHooked({
    control: { eventGridRegistered: true },
  });
  const call = await signIn(cloud);
  await call("PUT", GROUP, { location: "westeurope" });
  await create(call, `${ACCOUNT}/blobServices/default/containers/dead`);
  const properties = {
    source: PHOTOS,
    topicType: "Microsoft.Storage.StorageAccounts",
    inputSchema: "CloudEventSchemaV1_0",
  };
  const topic = await call("PUT", path, { location: "westeurope", properties, identity });
  const principalId = identity && textIn(topic.body, "identity", "principalId");
  const url = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
  const subscribe = async (type = "SystemAssigned") =>
    finished(
      call,
      await call("PUT", url, {
        properties: {
          destination: { endpointType: "WebHook", properties: { endpointUrl: PUBLIC_URL } },
          eventDeliverySchema: "CloudEventSchemaV1_0",
          deadLetterWithResourceIdentity: {
            identity: { type },
            deadLetterDestination: {
              endpointType: "StorageBlob",
              properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
            },
          },
        },
      }),
    );
  /** An event of the scope that the subscription is at. */
  const publish = async () => {
    const custom = cloud.topics.get(scope);
    if (custom) return publishTo(custom, {});
    return cloud.emit("Microsoft.Storage.BlobCreated", { scope });
  };
  return { call, cloud, webhook, subscribe, publish, principalId: principalId ?? "" };
}

describe.each(Object.entries(topics))(
  "the system-assigned identity of a %s topic",
  (_kind, topic) => {
    const own = { type: "SystemAssigned" };
    const refused = (message: string) => ({
      status: "Failed",
      error: { code: "InvalidRequest", message: expect.stringContaining(message) },
    });

    it("dead-letters into a container that it may write to", async () => {
      const { cloud, subscribe, principalId } = await start(topic, own);
      const container = `${ACCOUNT}/blobServices/default/containers/dead`;
      cloud.control.assignRole(CONTRIBUTOR, principalId, container);
      expect(await subscribe()).toMatchObject({ status: "Succeeded" });
    });

    it("gives way to the keys of the account by a PATCH", async () => {
      const { cloud, subscribe, principalId, call } = await start(topic, own);
      cloud.control.assignRole(CONTRIBUTOR, principalId, ACCOUNT);
      await subscribe();
      const properties = { resourceId: ACCOUNT, blobContainerName: "dead" };
      const deadLetterDestination = { endpointType: "StorageBlob", properties };
      const url = `${topic.scope}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
      await finished(call, await call("PATCH", url, { deadLetterDestination }));
      const shown = Object((await call("GET", url)).body).properties;
      expect(shown).toMatchObject({ deadLetterDestination });
      expect(shown).not.toHaveProperty("deadLetterWithResourceIdentity");
    });

    it("drops events after it has lost write access", async () => {
      const { cloud, webhook, subscribe, principalId, publish } = await start(topic, own);
      const container = `${ACCOUNT}/blobServices/default/containers/dead`;
      cloud.control.assignRole(CONTRIBUTOR, principalId, container);
      await subscribe();
      webhook.answerDeliveries(() => 400);
      await publish();
      await cloud.drain();
      const { roleAssignments } = cloud.control;
      const [role] = roleAssignments.list().filter((each) => each.principalId === principalId);
      roleAssignments.delete(container, role?.name ?? "");
      await publish();
      await cloud.drain();
      expect(cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["deadLettered", "dropped"]);
      expect(cloud.deadLetters()).toHaveLength(1);
    });

    it("is refused before the handshake without write access to the container", async () => {
      const { cloud, webhook, subscribe, principalId } = await start(topic, own);
      expect(await subscribe()).toMatchObject(refused(`Assign it the role '${CONTRIBUTOR}'`));
      const other = `${ACCOUNT}/blobServices/default/containers/other`;
      cloud.control.assignRole(CONTRIBUTOR, principalId, other);
      expect(await subscribe()).toMatchObject(refused(`'${principalId}' is not allowed`));
      expect(webhook.requests).toEqual([]);
    });

    it("is required for such a subscription", async () => {
      const { subscribe } = await start(topic);
      expect(await subscribe()).toMatchObject(refused(`'${topic.path}' has none`));
    });

    it("does not stand for a user-assigned identity that the topic does not have", async () => {
      const { subscribe } = await start(topic, own);
      expect(await subscribe("UserAssigned")).toMatchObject(refused("does not have"));
    });
  },
);
