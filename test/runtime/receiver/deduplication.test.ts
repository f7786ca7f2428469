import { type CloudEvent, MemoryDeduplication } from "cloud-eventgrid-binding-runtime";
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

  it("is recognised by its deduplicationKey, and never if it is telemetry of IoT Hub", async () => {
    const type = "Microsoft.Devices.DeviceTelemetry";
    for (const { events, handled, options } of [
      {
        events: [
          { id: "a", type },
          { id: "a", type },
        ],
        handled: ["a", "a"],
        options: {},
      },
      {
        events: [
          { id: "b", subject: "orders/17" },
          { id: "c", subject: "orders/17" },
        ],
        handled: ["b"],
        options: { deduplicationKey: ({ subject }: CloudEvent) => subject },
      },
    ]) {
      const { queue, binding, publish } = await newQueue();
      const { ids } = await startReceiver(binding, { ...options, concurrency: 1 });
      for (const event of events) await publish(event);
      await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
      expect(ids()).toEqual(handled);
    }
  });

  it("is handled again without deduplication", async () => {
    const { queue, binding, publish } = await newQueue();
    const { ids } = await startReceiver(binding, { deduplication: false });
    await publish({ id: "a" }, { id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect(ids()).toEqual(["a", "a"]);
  });
});
