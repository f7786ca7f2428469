import {
  AzureKeyCredential,
  EventGridReceiverClient,
  EventGridSenderClient,
} from "@azure/eventgrid-namespaces";
import { describe, expect, it } from "vitest";
import { startNamespace } from "./start-namespace.js";

const http = { allowInsecureConnection: true };

describe("Microsoft's client for JavaScript, unmodified", () => {
  const start = async () => {
    const started = await startNamespace();
    const { endpoint, accessKey } = started.namespace;
    const key = new AzureKeyCredential(accessKey);
    return {
      ...started,
      sender: new EventGridSenderClient(endpoint, key, "orders", http),
      receiver: new EventGridReceiverClient(endpoint, key, "orders", "shop", http),
    };
  };
  const event = (id: string) => ({ id, type: "t", source: "/s", data: { id }, specVersion: "1.0" });

  it("sends one event and many, receives them and settles them in every way", async () => {
    const { cloud, sender, receiver, queue } = await start();
    await sender.sendEvents(event("0"));
    await sender.sendEvents(["1", "2", "3"].map(event));
    const { details } = await receiver.receiveEvents({ maxEvents: 10, maxWaitTime: 10 });
    expect(details.map((each) => [each.event.id, each.event.data])).toEqual(
      ["0", "1", "2", "3"].map((id) => [id, { id }]),
    );
    const [first = "", second = "", third = "", fourth = ""] = details.map(
      ({ brokerProperties }) => brokerProperties.lockToken,
    );
    expect(await receiver.renewEventLocks([first])).toMatchObject({ succeededLockTokens: [first] });
    expect(await receiver.acknowledgeEvents([first])).toMatchObject({
      succeededLockTokens: [first],
    });
    await receiver.rejectEvents([second]);
    await receiver.releaseEvents([third]);
    await receiver.releaseEvents([fourth], { releaseDelay: "60" });
    expect(queue.counts).toMatchObject({
      acknowledged: 1,
      rejected: 1,
      released: 2,
      waiting: 1,
      delayed: 1,
    });
    await cloud.clock.advance({ seconds: 60 });
    const again = await receiver.receiveEvents({ maxEvents: 10, maxWaitTime: 10 });
    expect(again.details.map(({ brokerProperties }) => brokerProperties.deliveryCount)).toEqual([
      2, 2,
    ]);
  });

  it("reports tokens that failed, and refusals with their code", async () => {
    const { namespace, receiver } = await start();
    const { failedLockTokens } = await receiver.acknowledgeEvents(["garbage"]);
    expect(failedLockTokens).toMatchObject([
      { lockToken: "garbage", error: { code: "BadToken", message: "Cannot decode lockToken" } },
    ]);
    const stranger = new EventGridSenderClient(
      namespace.endpoint,
      new AzureKeyCredential("other"),
      "orders",
      http,
    );
    await expect(stranger.sendEvents(event("1"))).rejects.toMatchObject({ statusCode: 401 });
  });

  it("drops extension attributes in version 1.0.0, which the service keeps", async () => {
    const { sender, receiver, publish, receive } = await start();
    await sender.sendEvents({ ...event("1"), extensionAttributes: { tenant: "a" } });
    const [sent] = await receive();
    expect(sent?.event).not.toHaveProperty("tenant");
    await publish({ id: "2", tenant: "a" });
    const { details } = await receiver.receiveEvents({ maxWaitTime: 10 });
    expect(details[0]?.event).not.toHaveProperty("tenant");
  });
});

// Made by their published sources: Azure/azure-sdk-for-python (_operations/_patch.py of
// azure-eventgrid), -net (EventGridReceiverClient.RestClient.cs) and -go (sender_client.go).
describe("the requests of other clients", () => {
  const event = { id: "1", source: "/s", type: "t", specversion: "1.0", data: 1 };
  const accept = "application/json";

  it.each([
    ["Go, one event", "application/cloudevents+json; charset=utf-8", event],
    ["Go, several", "application/cloudevents-batch+json; charset=utf-8", [event]],
    [
      "Python, with the nulls of unset attributes",
      "application/cloudevents-batch+json; charset=utf-8",
      [{ ...event, subject: null, datacontenttype: null, dataschema: null }],
    ],
  ])("publish: %s", async (_, type, body) => {
    const { call, receive } = await startNamespace();
    const headers = { "content-type": type, accept };
    expect((await call("orders:publish", JSON.stringify(body), headers)).status).toBe(200);
    expect((await receive())[0]?.event).toEqual(event);
  });

  it("publish in Python's binary mode, whose body is JSON of any type", async () => {
    const { call, receive } = await startNamespace();
    const headers = {
      "ce-id": "1",
      "ce-source": "/s",
      "ce-type": "t",
      "ce-specversion": "1.0",
      "ce-time": "2026-01-31T07:00:00.123456Z",
      "content-type": "text/plain",
      accept,
    };
    expect((await call("orders:publish", '"hello"', headers)).status).toBe(200);
    expect((await receive())[0]?.event).toEqual({
      id: "1",
      source: "/s",
      type: "t",
      specversion: "1.0",
      time: "2026-01-31T07:00:00.123456Z",
      datacontenttype: "text/plain",
      data: '"hello"',
    });
  });

  it("release with .NET's delay", async () => {
    const { publish, receive, call, queue } = await startNamespace();
    await publish();
    const [received] = await receive("maxEvents=1&maxWaitTime=10");
    const response = await call(
      "orders/eventsubscriptions/shop:release?releaseDelayInSeconds=10",
      JSON.stringify({ lockTokens: [received?.brokerProperties.lockToken] }),
      { "content-type": "application/json", accept },
    );
    expect(response.status).toBe(200);
    expect(queue.counts).toMatchObject({ delayed: 1 });
  });
});
