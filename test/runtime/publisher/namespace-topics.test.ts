import {
  createPublisher,
  type NamespaceTopicRuntimeBinding,
  PublishError,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterAll, expect, it, onTestFinished } from "vitest";

const cloud = await LocalCloud.start({ clock: "stepped" });
afterAll(() => cloud.close());
const namespace = cloud.namespaces.create({ name: "shop" });
const queue = await namespace.topics
  .create({ name: "orders" })
  .subscriptions.create({ name: "shipping" });

const binding: NamespaceTopicRuntimeBinding = {
  namespaceEndpoint: namespace.endpoint,
  topicName: "orders",
  publishWith: "accessKey",
  accessKey: namespace.accessKey,
  name: "/shop",
};

function publisherFor(
  changes: Partial<NamespaceTopicRuntimeBinding> = {},
  options: PublisherOptions = {},
) {
  const publisher = createPublisher({ ...binding, ...changes }, { source: "/shop", ...options });
  onTestFinished(() => publisher.close());
  return publisher;
}

/** Empties the queue, and returns what it held. */
async function received() {
  const events = await queue.receive({ maxEvents: 100 });
  queue.acknowledge(events.map(({ lockToken }) => lockToken));
  return events.map(({ event }) => JSON.parse(event.json));
}

it("publishes one event or many to the topic of a namespace", async () => {
  const publisher = publisherFor();
  await publisher.create({ type: "shop.order.placed", data: { n: 1 }, tenant: "a" });
  await publisher.create([
    { type: "shop.order.placed", data: 0 },
    { type: "shop.order.placed", data: Uint8Array.of(1, 2) },
  ]);
  expect(await received()).toMatchObject([
    { type: "shop.order.placed", source: "/shop", data: { n: 1 }, tenant: "a" },
    { data: 0 },
    { data_base64: "AQI=" },
  ]);
});

it("publishes with a token of Entra by default", async () => {
  const scopes: unknown[] = [];
  const token = "e30.e30.e30";
  const credential = {
    getToken: async (scope: string | string[]) => {
      scopes.push(scope);
      return { token, expiresOnTimestamp: Date.now() + 3_600_000 };
    },
  };
  const { publishWith: _, accessKey: __, ...keyless } = binding;
  const publisher = createPublisher(keyless, { source: "/shop", credential });
  onTestFinished(() => publisher.close());
  const failure = await publisher.create({ type: "t", data: 1 }).catch((error) => error);
  expect(scopes).toContain("https://eventgrid.azure.net/.default");
  expect(failure.message).toContain("EventGrid Data Sender on the namespace");
});

it("names what is wrong with a key or a topic", async () => {
  const wrongKey = publisherFor({ accessKey: "wrong" }).create({ type: "t", data: 1 });
  await expect(wrongKey).rejects.toMatchObject({ code: "ERR_PUBLISH_UNAUTHORIZED", status: 401 });
  const wrongTopic = publisherFor({ topicName: "order" }).create({ type: "t", data: 1 });
  await expect(wrongTopic).rejects.toThrow(
    /404 NotFound: Topic 'order' is not found\. Check namespaceEndpoint and topicName\./,
  );
});

it.each([undefined, null])("refuses an event with the data %s before it is sent", async (data) => {
  const failure = await publisherFor()
    .create({ type: "shop.order.placed", data })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PublishError);
  expect(failure).toMatchObject({
    code: "ERR_PUBLISH_INVALID_EVENT",
    message:
      "the event at index 0 is invalid, nothing was sent: data is missing or null: topics of namespaces refuse such events",
  });
});

it("splits requests at 1 MiB, and refuses a larger event", async () => {
  const publisher = publisherFor();
  const data = "x".repeat(400_000);
  await publisher.create([1, 2, 3, 4].map(() => ({ type: "shop.order.placed", data })));
  expect(await received()).toHaveLength(4);
  const large = publisher.create({ type: "shop.order.placed", data: "x".repeat(1_048_576) });
  await expect(large).rejects.toThrow("the limit is 1048574");
});

it("requires a credential that fits publishWith", () => {
  const { accessKey: _, ...keyless } = binding;
  expect(() => createPublisher(keyless)).toThrow(
    "accessKey is required, in the binding or as an option",
  );
  const { publishWith: __, ...entra } = keyless;
  expect(() => createPublisher(entra)).toThrow(
    /credential must be a TokenCredential for publishWith "entra", such as .*; for a key, set publishWith to "accessKey"/,
  );
});
