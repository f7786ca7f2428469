import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment, ENDPOINT } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on deliveries and topics", () => {
  describe("with a storage account", () => {
    const account = () =>
      `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    const container = () => `${account()}/blobServices/default/containers/dead`;
    beforeEach(async () => {
      const { cloud } = deployment;
      const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
      await deployment.put(group, "2021-04-01", { location: "westeurope" });
      const sku = { name: "Standard_LRS" };
      const storage = { location: "westeurope", kind: "StorageV2", sku };
      await deployment.put(account(), "2023-01-01", storage);
    });

    it("reports a dead-letter container that does not exist", async () => {
      const deadLetter = { storageAccountId: account(), container: "dead" };
      await deployment.subscribe({ deadLetter });
      const { status, message } = await deployment.finding("dead-letter");
      expect(status).toBe("failed");
      expect(message).toContain("containers/dead does not exist");
      await deployment.put(container(), "2023-01-01", {});
      expect((await deployment.finding("dead-letter")).status).toBe("ok");
    });

    it("reports an identity that may not write into the dead-letter container any more", async () => {
      const { cloud, topic } = deployment;
      await deployment.put(container(), "2023-01-01", {});
      const { identity } = (await deployment.put(topic.id, "2022-06-15", {
        location: "westeurope",
        identity: { type: "SystemAssigned" },
        properties: { inputSchema: "CloudEventSchemaV1_0" },
      })) as { identity: { principalId: string } };
      const { roleAssignments } = cloud.control;
      cloud.control.assignRole("Storage Blob Data Contributor", identity.principalId, account());
      await deployment.put(
        `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`,
        "2025-02-15",
        {
          properties: {
            eventDeliverySchema: "CloudEventSchemaV1_0",
            destination: {
              endpointType: "WebHook",
              properties: {
                endpointUrl: ENDPOINT,
                azureActiveDirectoryTenantId: cloud.tenantId,
                azureActiveDirectoryApplicationIdOrUri: deployment.application.clientId,
              },
            },
            deadLetterWithResourceIdentity: {
              identity: { type: "SystemAssigned" },
              deadLetterDestination: {
                endpointType: "StorageBlob",
                properties: { resourceId: account(), blobContainerName: "dead" },
              },
            },
          },
        },
      );
      expect((await deployment.finding("dead-letter")).status).toBe("ok");
      roleAssignments.deleteWithin(account());
      const { status, remedy } = await deployment.finding("dead-letter");
      expect(status).toBe("failed");
      expect(remedy).toContain('--role "Storage Blob Data Contributor"');
    });
  });

  it("reports events of the last day that were dropped", async () => {
    await deployment.subscribe();
    deployment.deliveryStatus = 400;
    await deployment.publish("1", "2", "3", "4");
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain(
      "4 events were dropped and 0 dead-lettered; in the last 24 hours 4 ev",
    );
  });

  it("reports events of the last day that were dead-lettered", async () => {
    const storageAccountId = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    await deployment.subscribe({ deadLetter: { storageAccountId, container: "dead" } });
    deployment.deliveryStatus = 413;
    await deployment.publish("1", "2");
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain("2 events were dead-lettered");
  });

  it("reports a missing topic, one that expects another schema, and a wrong access key", async () => {
    await deployment.subscribe();
    const { endpoint } = deployment.topic;
    const missing = { topicEndpoint: `${endpoint}x`, accessKey: "hush" };
    expect((await deployment.finding("topic", [], missing)).message).toContain(
      "no topic has the endpoint",
    );

    const wrong = { topicEndpoint: endpoint, accessKey: "hush" };
    expect((await deployment.finding("publisher", [], wrong)).message).toContain(
      "is not one of the topic's",
    );

    const old = deployment.cloud.topics.create({ name: "old", inputSchema: "EventGridSchema" });
    const schema = { topicEndpoint: old.endpoint, accessKey: old.accessKey };
    const { bad } = await deployment.finding("topic", [], schema);
    expect(bad.map(({ message }) => message)).toEqual([
      'the topic "old" expects EventGridSchema, not CloudEvents',
    ]);
  });
});
