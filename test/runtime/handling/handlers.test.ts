import { defineEvents } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gate } from "../../support/gate.js";
import { anEvent, startService } from "../listener/service.js";

/** A thenable that is not a promise, such as a query builder; it rejects. */
function awaitable<T extends object>(value: T): T {
  const then = (_: unknown, failed: (error: Error) => void) => failed(new Error("full"));
  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for.
  return Object.defineProperty(value, "then", { value: then });
}

describe("a handler", () => {
  it("is found by exact type, then by the longest prefix, then as the fallback", async () => {
    const reached: string[] = [];
    const note = (name: string) => () => void reached.push(name);
    const { deliver } = await startService({
      on: {
        "*": note("fallback"),
        "Microsoft.*": note("Microsoft"),
        "Microsoft.Storage.*": note("Storage"),
        "Microsoft.Storage.BlobCreated": note("BlobCreated"),
      },
    });
    for (const type of [
      "Microsoft.Storage.BlobCreated",
      "Microsoft.Storage.BlobDeleted",
      "Microsoft.Cache.ScalingCompleted",
      "MicrosoftStorage",
      "shop.order.placed",
    ]) {
      expect((await deliver(anEvent({ type }))).status).toBe(200);
    }
    expect(reached).toEqual(["BlobCreated", "Storage", "Microsoft", "fallback", "fallback"]);
  });

  it("is not found for a member of Object.prototype", async () => {
    const { deliver, handled } = await startService({ on: { "shop.order.placed": () => {} } });
    for (const type of ["constructor", "__proto__", "toString"]) {
      expect((await deliver(anEvent({ type }))).status).toBe(200);
    }
    expect(handled).toEqual([]);
  });

  it.each([
    ["a promise", () => Promise.reject(new Error("full"))],
    ["a thenable object", () => awaitable({})],
    ["a thenable function", () => awaitable(() => {})],
  ])("is awaited if it returns %s, and gets 503 if it rejects", async (_, handler) => {
    const { deliver } = await startService({ on: { "*": handler } });
    expect((await deliver(anEvent())).status).toBe(503);
    expect((await deliver([anEvent(), anEvent()])).status).toBe(503);
  });

  it("waits for a slot when too many run in all deliveries together", async () => {
    const slow = gate();
    let running = 0;
    const { deliver } = await startService({
      limits: { concurrentHandlers: 2 },
      on: {
        "*": async () => {
          running += 1;
          await slow.passed;
        },
      },
    });
    const all = Array.from({ length: 5 }, () => deliver(anEvent()));
    await expect.poll(() => running).toBe(2);
    slow.open();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(running).toBe(5);
  });
});

describe("a payload", () => {
  const orders = defineEvents({
    "shop.order.placed": z.object({ orderId: z.string(), count: z.coerce.number() }),
  });

  it("reaches the handler as its schema returns it", async () => {
    const got: unknown[] = [];
    const { deliver } = await startService({
      events: orders,
      on: { "shop.order.placed": ({ data }: { data: unknown }) => void got.push(data) },
    });
    expect((await deliver(anEvent({ data: { orderId: "17", count: "3" } }))).status).toBe(200);
    expect(got).toEqual([{ orderId: "17", count: 3 }]);
  });

  it("gets 400 and up to ten problems in the log if it does not match its schema", async () => {
    const got: unknown[] = [];
    const { deliver, log } = await startService({
      events: defineEvents({
        "shop.order.placed": {
          "~standard": {
            version: 1,
            vendor: "test",
            validate: () => ({
              issues: Array.from({ length: 12 }, (_, line) => ({
                message: "must be a number",
                path: ["lines", { key: line }, "count"],
              })),
            }),
          },
        },
      }),
      on: { "*": (event) => void got.push(event) },
    });
    expect((await deliver(anEvent())).status).toBe(400);
    expect(got).toEqual([]);
    const problems = Array.from(
      { length: 10 },
      (_, line) => `data.lines.${line}.count: must be a number`,
    );
    expect(log.withMessage("payload does not match its schema")).toMatchObject([{ problems }]);
  });

  it("gets 503 when its schema throws", async () => {
    const { deliver } = await startService({
      events: defineEvents({
        "shop.order.placed": {
          "~standard": {
            version: 1,
            vendor: "test",
            validate: async () => {
              throw new Error("the database of articles is out of reach");
            },
          },
        },
      }),
      on: { "*": () => {} },
    });
    expect((await deliver(anEvent({ data: "x" }))).status).toBe(503);
  });
});
