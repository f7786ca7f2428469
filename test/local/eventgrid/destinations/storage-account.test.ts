import { randomUUID } from "node:crypto";
import { QueueClient } from "@azure/storage-queue";
import { beforeAll, describe, expect, it } from "vitest";
import { type Azurite, sharedAzurite } from "../../../support/azurite.js";
import { publishTo, startCloud, startShop } from "../../support/cloud.js";
import { deadLettersTo } from "../../support/dead-letters.js";

let azurite: Azurite;
beforeAll(async () => {
  azurite = await sharedAzurite();
});

describe("a cloud with a real storage account", () => {
  it("sends events to its queues in Base64, and creates a missing queue", async () => {
    const queue = `orders-${randomUUID()}`;
    const storageConnectionString = azurite.connectionString;
    const cloud = await startCloud({ storageConnectionString });
    const topic = cloud.topics.create({ name: "orders" });
    await cloud.eventSubscriptions.create({
      name: "orders-queue",
      scope: topic.id,
      destination: {
        endpointType: "StorageQueue",
        properties: { queueName: queue, queueMessageTimeToLiveInSeconds: 60 },
      },
    });
    await publishTo(topic, { id: "17", subject: "orders/ü" });
    await cloud.drain();

    const client = new QueueClient(azurite.connectionString, queue);
    const { receivedMessageItems } = await client.receiveMessages();
    const [message] = receivedMessageItems;
    const text = Buffer.from(message?.messageText ?? "", "base64").toString();
    expect(JSON.parse(text)).toMatchObject({ id: "17", subject: "orders/ü" });
    const lifetime = Number(message?.expiresOn) - Number(message?.insertedOn);
    expect(lifetime).toBe(60_000);
    expect(cloud.messages()).toMatchObject([{ event: { id: "17" }, body: text }]);
  });

  it("writes dead letters to its containers as Event Grid does", async () => {
    const name = `dead-${randomUUID()}`;
    const { cloud, webhook, publish } = await startShop(
      { storageConnectionString: azurite.connectionString },
      deadLettersTo(name),
    );
    webhook.answerDeliveries(() => 400);
    await publish({ id: "17", data: { price: 1.1 } });
    await cloud.drain();

    const container = azurite.container(name);
    const blobs = [];
    for await (const { name } of container.listBlobsFlat()) blobs.push(name);
    expect(blobs).toEqual(cloud.deadLetters().map(({ blob }) => blob));
    expect(blobs[0]).toMatch(/^ORDERS-SUB\/\d{4}\/\d+\/\d+\/\d+\/[-0-9a-f]{36}\.json$/);
    const content = await container.getBlobClient(blobs[0] ?? "").downloadToBuffer();
    expect(JSON.parse(String(content))).toMatchObject([
      {
        id: "17",
        data: { price: 1.1 },
        deadletterreason: "UndeliverableDueToHttpBadRequest",
        deliveryattempts: 1,
        lastdeliveryoutcome: "BadRequest",
      },
    ]);
  });

  it("retries while the storage account cannot be reached", async () => {
    const cloud = await startCloud({
      clock: "stepped",
      storageConnectionString:
        "AccountName=gone;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:2;QueueEndpoint=http://127.0.0.1:2",
    });
    const topic = cloud.topics.create({ name: "orders" });
    await cloud.eventSubscriptions.create({
      name: "orders-queue",
      scope: topic.id,
      destination: { endpointType: "StorageQueue", properties: { queueName: "orders" } },
      retryPolicy: { maxDeliveryAttempts: 2 },
    });
    await publishTo(topic);
    await cloud.drain();
    expect(cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["retrying", "dropped"]);
    expect(cloud.deliveries()[0]?.error).toContain("ECONNREFUSED");
    expect(cloud.messages()).toEqual([]);
  });

  it("refuses a connection string without an account key, and does not print it", async () => {
    const storageConnectionString = "BlobEndpoint=http://127.0.0.1:10000;SharedAccessSignature=sv";
    const started = startCloud({ storageConnectionString });
    await expect(started).rejects.toThrow(
      "storageConnectionString must be a connection string with AccountName and AccountKey",
    );
    await expect(started).rejects.not.toThrow("SharedAccessSignature");
  });
});
