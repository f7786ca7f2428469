import { defineEvents } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gate } from "../../../support/gate.js";
import { LogLines } from "../../../support/log-lines.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, startService } from "../harness.js";

/** What `await` waits for without its being a promise, as query builders are: it fails. */
function awaitable<T extends object>(value: T): T {
  const then = (_: unknown, failed: (error: Error) => void) => failed(new Error("full"));
  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for.
  return Object.defineProperty(value, "then", { value: then });
}

describe("handlers", () => {
  it("are found by exact type, by the longest prefix, then by the fallback", async () => {
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

  it("never see a type from an object's prototype", async () => {
    const { deliver, handled } = await startService({ on: { "shop.order.placed": () => {} } });
    for (const type of ["constructor", "__proto__", "toString"]) {
      expect((await deliver(anEvent({ type }))).status).toBe(200);
    }
    expect(handled).toEqual([]);
  });

  it.each([
    ["a promise", () => Promise.reject(new Error("full"))],
    ["an object that can be awaited", () => awaitable({})],
    ["a function that can be awaited", () => awaitable(() => {})],
  ])("are waited for when they give %s: 503 when it fails", async (_, handler) => {
    const { deliver } = await startService({ on: { "*": handler } });
    expect((await deliver(anEvent())).status).toBe(503);
    expect((await deliver([anEvent(), anEvent()])).status).toBe(503);
  });

  it.each([undefined, null, 0, "then", {}])("have succeeded when they give %j", async (given) => {
    const { deliver } = await startService({ on: { "*": () => given } });
    expect((await deliver(anEvent())).status).toBe(200);
  });

  it("bounded in number over all deliveries, wait for each other", async () => {
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

describe("payloads", () => {
  const orders = defineEvents({
    "shop.order.placed": z.object({ orderId: z.string(), count: z.coerce.number() }),
  });

  it("are checked by their schema, which also says what the handler gets", async () => {
    const got: unknown[] = [];
    const { deliver } = await startService({
      events: orders,
      on: { "shop.order.placed": ({ data }: { data: unknown }) => void got.push(data) },
    });
    expect((await deliver(anEvent({ data: { orderId: "17", count: "3" } }))).status).toBe(200);
    expect(got).toEqual([{ orderId: "17", count: 3 }]);
  });

  it("that do not fit are rejected for good, and reach no handler", async () => {
    const got: unknown[] = [];
    const { deliver } = await startService({
      events: orders,
      on: { "shop.order.placed": ({ data }: { data: unknown }) => void got.push(data) },
    });
    expect((await deliver(anEvent({ data: { orderId: 17 } }))).status).toBe(400);
    expect(got).toEqual([]);
  });

  it("that do not fit have up to ten problems logged, as the schema words them", async () => {
    const log = new LogLines();
    const { deliver } = await startService({
      logger: { level: "info", stream: log },
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
      on: { "*": () => {} },
    });
    expect((await deliver(anEvent())).status).toBe(400);
    const problems = Array.from(
      { length: 10 },
      (_, line) => `data.lines.${line}.count: must be a number`,
    );
    expect(log.withMessage("payload does not match its schema")).toMatchObject([{ problems }]);
  });

  it("whose schema itself fails come again", async () => {
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

describe("capacity", () => {
  it("beyond it, in requests, is 503 at once", async () => {
    const slow = gate();
    const started = gate();
    const { deliver } = await startService({
      limits: { concurrentRequests: 1 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const first = deliver(anEvent());
    await started.passed;
    expect((await deliver(anEvent())).status).toBe(503);
    slow.open();
    expect((await first).status).toBe(200);
    expect((await deliver(anEvent())).status).toBe(200);
  });

  it("beyond it, in bytes, is 503 before the body is read, announced or not", async () => {
    const slow = gate();
    const started = gate();
    const { deliver, issuer, port } = await startService({
      limits: { requestBytes: 1500, bufferedBytes: 2000 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const first = deliver(anEvent({ data: "x".repeat(1000) }));
    await started.passed;
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\n`;
    expect((await exchange(port, [`${head}Content-Length: 1400\r\n\r\n`])).status).toBe(503);
    const chunk = "x".repeat(1200);
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n4b0\r\n${chunk}\r\n`;
    expect((await exchange(port, [chunked])).status).toBe(503);
    slow.open();
    expect((await first).status).toBe(200);
    expect((await deliver(anEvent({ data: "x".repeat(1000) }))).status).toBe(200);
  });

  it("is not taken by callers without a token", async () => {
    const { deliver, port } = await startService({
      limits: { concurrentRequests: 1, requestBytes: 2000, bufferedBytes: 2000 },
    });
    const head =
      "POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nContent-Length: 2000\r\n\r\n";
    const many = await Promise.all(Array.from({ length: 10 }, () => exchange(port, [head])));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await deliver(anEvent())).status).toBe(200);
  });

  it("is given back by who goes away", async () => {
    const { deliver, issuer, port } = await startService({ limits: { concurrentRequests: 1 } });
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`;
    await exchange(port, [head], { end: true });
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(200);
  });
});

describe("the deadline", () => {
  it("has passed for a handler that looks at its signal only then", async () => {
    const [slow, looked] = [gate(), gate()];
    let reason: unknown;
    const { deliver } = await startService({
      deadlineMs: 50,
      on: {
        "*": async (_, context) => {
          await slow.passed;
          reason = context.signal.reason;
          looked.open();
        },
      },
    });
    expect((await deliver(anEvent())).status).toBe(503);
    slow.open();
    await looked.passed;
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("holds for a body that does not arrive, too", async () => {
    const { issuer, port } = await startService({ deadlineMs: 100 });
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`;
    const answer = await exchange(port, [head]);
    expect([answer.status, /^connection: close/im.test(answer.head)]).toEqual([503, true]);
  });

  it("answers whatever the handler does, and a late success is remembered", async () => {
    const slow = gate();
    let runs = 0;
    const { deliver } = await startService({
      deadlineMs: 100,
      on: {
        "*": async () => {
          runs += 1;
          await slow.passed;
        },
      },
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(503);
    expect((await deliver(event)).status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    expect(runs).toBe(1);
  });

  it("keeps an event from starting that got its handler slot too late", async () => {
    const slow = gate();
    const seen: string[] = [];
    const { deliver } = await startService({
      deadlineMs: 200,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async ({ id }) => {
          seen.push(id);
          await slow.passed;
        },
      },
    });
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];
    const late = [deliver(first)];
    await expect.poll(() => seen).toEqual([first.id]);
    late.push(deliver(second));
    for (const { status } of await Promise.all(late)) expect(status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(third)).status).toBe(200);
    expect(seen).toEqual([first.id, third.id]);
  });
});
