import {
  type CloudEvent,
  type DeduplicationStore,
  type EventKey,
  MemoryDeduplication,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { startNamespace, startReceiver, until } from "./service.js";

const { newQueue } = await startNamespace();

describe("a repeated event", () => {
  it("is acknowledged without being handled again", async () => {
    const { queue, binding, publish } = await newQueue();
    const { ids } = await startReceiver(binding);
    await publish({ id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    await publish({ id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect(ids()).toEqual(["a"]);
  });

  it("is handled by one of the receivers that share a store", async () => {
    const { queue, binding, publish } = await newQueue();
    const deduplication = new MemoryDeduplication();
    const first = await startReceiver(binding, { deduplication });
    const second = await startReceiver(binding, { deduplication });
    for (const id of ["a", "b", "a", "b"]) await publish({ id });
    await until(() =>
      expect((queue.counts?.acknowledged ?? 0) + (queue.counts?.delayed ?? 0)).toBe(4),
    );
    expect([...first.ids(), ...second.ids()].sort()).toEqual(["a", "b"]);
  });

  it("is recognised by its deduplicationKey", async () => {
    const { queue, binding, publish } = await newQueue();
    const deduplicationKey = ({ subject }: CloudEvent) => subject;
    const { ids } = await startReceiver(binding, { deduplicationKey, concurrency: 1 });
    for (const id of ["a", "b"]) await publish({ id, subject: "orders/17" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect(ids()).toEqual(["a"]);
  });

  it("is not handled again because its outcome was stored only when the receiver closed", async () => {
    const { queue, binding, publish } = await newQueue();
    const memory = new MemoryDeduplication();
    const claimed: EventKey[] = [];
    let isReachable = false;
    const deduplication: DeduplicationStore = {
      leaseMs: memory.leaseMs,
      claim: (keys) => {
        claimed.push(...keys);
        return memory.claim(keys);
      },
      async settle(outcomes: Parameters<typeof memory.settle>[0]) {
        if (!isReachable) throw new Error("no connection");
        memory.settle(outcomes);
      },
      extend() {},
    };
    const first = await startReceiver(binding, { deduplication });
    await publish({ id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    isReachable = true;
    await first.receiver.close();
    const second = await startReceiver(binding, { deduplication });
    await publish({ id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect([first.ids(), second.ids()]).toEqual([["a"], []]);
    const { namespaceEndpoint, topicName } = binding;
    const url = `${namespaceEndpoint}/topics/${topicName}/eventsubscriptions/shipping`;
    const consumer = url.replace("http://", "");
    const key = { consumer, subscriptionKey: "shipping", source: "/shop", id: "a" };
    expect(claimed).toEqual([key, key]);
  });

  it("is handled again without deduplication", async () => {
    const { queue, binding, publish } = await newQueue();
    const { ids } = await startReceiver(binding, { deduplication: false });
    await publish({ id: "a" }, { id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect(ids()).toEqual(["a", "a"]);
  });
});
