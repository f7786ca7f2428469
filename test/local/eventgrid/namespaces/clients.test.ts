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
});
