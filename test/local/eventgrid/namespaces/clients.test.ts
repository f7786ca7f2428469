import {
  AzureKeyCredential,
  EventGridReceiverClient,
  EventGridSenderClient,
} from "@azure/eventgrid-namespaces";
import { describe, expect, it } from "vitest";
import { startNamespace } from "./start-namespace.js";

const http = { allowInsecureConnection: true };

describe("Microsoft's client for JavaScript, unmodified", () => {
  const event = (id: string) => ({ id, type: "t", source: "/s", data: { id }, specVersion: "1.0" });

  it("sends one event and many, receives them and settles them in every way", async () => {
    const { cloud, namespace, queue } = await startNamespace();
    const key = new AzureKeyCredential(namespace.accessKey);
    const sender = new EventGridSenderClient(namespace.endpoint, key, "orders", http);
    const receiver = new EventGridReceiverClient(namespace.endpoint, key, "orders", "queue", http);
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
});
