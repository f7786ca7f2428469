import { setImmediate } from "node:timers/promises";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { startNamespace, startReceiver, until } from "./service.js";

const { cloud, newQueue } = await startNamespace();

/** Moves the time of the cloud and of a receiver. */
async function advance({ clock }: { clock: { advance(ms: number): void } }, seconds: number) {
  await cloud.clock.advance({ seconds });
  clock.advance(seconds * 1_000);
  await setImmediate();
}

describe("an event", () => {
  it("is acknowledged when its handler has returned, with everything that it had when published", async () => {
    const { queue, binding, publish } = await newQueue();
    const service = await startReceiver(binding);
    await publish({ id: "a", subject: "orders/17", tenant: "blue", data: [0, "", null] });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    expect(service.handled[0]?.event).toEqual({
      specversion: "1.0",
      id: "a",
      source: "/shop",
      type: "shop.order.placed",
      subject: "orders/17",
      tenant: "blue",
      data: [0, "", null],
    });
    expect(service.handled[0]?.context).toMatchObject({
      attempt: 1,
      subscriptionName: "shipping",
      batchSize: 1,
      caller: undefined,
    });
    expect(service.log.withMessage("delivery")).toMatchObject([
      {
        ...{ level: "info", subscription: "shipping", attempt: 1, outcomes: "handled" },
        event: { id: "a", type: "shop.order.placed", source: "/shop" },
      },
    ]);
  });

  it("has its exact JSON in the context, and a warning if an integer was rounded", async () => {
    const { queue, binding, publishText } = await newQueue();
    const service = await startReceiver(binding);
    const json =
      '{"specversion":"1.0","id":"a","source":"/shop","type":"shop.order.placed","data":[1.10,9007199254740993]}';
    await publishText(json);
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    expect(service.handled[0]?.context.json).toContain("[1.10,9007199254740993]");
    expect(
      service.log.withMessage("integers beyond 2^53 were rounded: context.json has the exact text"),
    ).toMatchObject([{ event: { id: "a" } }]);
  });

  it("is delivered again after 10 s, a minute, 10 minutes and an hour when its handler throws", async () => {
    const { queue, binding, publish } = await newQueue();
    const attempts: unknown[] = [];
    const service = await startReceiver(binding, {
      on: {
        "*": (_, { attempt }) => {
          attempts.push(attempt);
          throw new Error("not yet");
        },
      },
    });
    await publish({});
    for (const [index, seconds] of [10, 60, 600, 3_600, 3_600].entries()) {
      await until(() => expect(queue.counts).toMatchObject({ released: index + 1 }));
      await advance(service, seconds - 1);
      expect(queue.counts).toMatchObject({ delayed: 1, locked: 0 });
      await advance(service, 1);
      await until(() => expect(attempts).toHaveLength(index + 2));
    }
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("is dead-lettered when its handler throws RejectEvent", async () => {
    const { queue, binding, publish } = await newQueue();
    await startReceiver(binding, {
      on: {
        "*": () => {
          throw new RejectEvent("no such article");
        },
      },
    });
    await publish({});
    await until(() => expect(queue.counts).toMatchObject({ rejected: 1, deadLettered: 1 }));
  });

  it.each([
    ["acknowledge", { acknowledged: 1 }],
    ["retry", { released: 1, delayed: 1 }],
    ["reject", { rejected: 1 }],
  ] as const)("without a handler follows unhandled: %s", async (unhandled, counts) => {
    const { queue, binding, publish } = await newQueue();
    await startReceiver(binding, { on: { "shop.order.shipped": () => {} }, unhandled });
    await publish({});
    await until(() => expect(queue.counts).toMatchObject(counts));
  });
});
