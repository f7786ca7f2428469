import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CloudEventGridError,
  type EventHandler,
  type Middleware,
  RejectEvent,
  withMiddleware,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { HandlerTable } from "../../../runtime/src/handling/handlers.js";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { anEvent, startService } from "../listener/service.js";
import { startNamespace, startReceiver, until } from "../receiver/service.js";

const { newQueue } = await startNamespace();

const tenancy: Middleware<{ tenant: string }> = async (event, _context, next) => {
  await next({ tenant: `tenant of ${event.source}` });
};
const ok = () => {};
const failing = () => Promise.reject(new Error("no stock"));

/** Delivers one event, and returns the response's status with the error in the log. */
async function deliverThrough(use: readonly Middleware[], handler: EventHandler = ok) {
  const { deliver, log } = await startService({ use, on: { "*": handler } });
  const { status } = await deliver(anEvent());
  const [line] = log.withMessage("handler failed");
  const { code, message } = Object(line?.err);
  return { status, code, message };
}

describe("middleware", () => {
  it("runs in order around the handler, after payload and duplicates were checked", async () => {
    const calls: string[] = [];
    const named =
      (name: string): Middleware =>
      async (_event, _context, next) => {
        calls.push(`${name} begins`);
        await next();
        calls.push(`${name} ends`);
      };
    const { deliver } = await startService({
      use: [named("outer"), named("inner")],
      on: {
        "*": withMiddleware([named("own")], async () => {
          await new Promise(setImmediate);
          calls.push("handler");
        }),
      },
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(200);
    expect((await deliver(event)).status).toBe(200);
    const before = ["outer begins", "inner begins", "own begins"];
    expect(calls).toEqual([...before, "handler", "own ends", "inner ends", "outer ends"]);
  });

  it("adds values to the context, for the listener and the receiver", async () => {
    const tenants: unknown[] = [];
    const batches: number[] = [];
    const on = {
      "*": withMiddleware([tenancy], (_event, { tenant, batchSize, log }) => {
        log.debug("the context's own values are still there");
        tenants.push(tenant);
        batches.push(batchSize);
      }),
    };
    const { deliver } = await startService({ use: [tenancy], on });
    await deliver(anEvent({ source: "/shop" }));
    const { binding, publish } = await newQueue();
    await startReceiver(binding, { use: [tenancy], on });
    await publish({ source: "/stock" });
    await until(() => expect(tenants).toEqual(["tenant of /shop", "tenant of /stock"]));
    expect(batches).toEqual([1, 1]);
  });

  it("passes its asynchronous context on to the handler", async () => {
    const storage = new AsyncLocalStorage<string>();
    let seen: string | undefined;
    const result = await deliverThrough([(event, _, next) => storage.run(event.type, next)], () => {
      seen = storage.getStore();
    });
    expect(result.status).toBe(200);
    expect(seen).toBe("shop.order.placed");
  });

  it('acknowledges without the handler only if it returns "handled"', async () => {
    expect(await deliverThrough([() => "handled"], failing)).toMatchObject({ status: 200 });
    expect(await deliverThrough([function forgetful() {}])).toEqual({
      status: 503,
      code: "ERR_MIDDLEWARE",
      message:
        'middleware forgetful did not call next: call it, or return "handled" to acknowledge the event',
    });
  });

  it("cannot swallow a failure by accident", async () => {
    const swallowing: Middleware = async (_event, _context, next) => {
      await next().catch(() => {});
    };
    const deliberate: Middleware = async (_event, _context, next) => {
      await next().catch(() => {});
      return "handled";
    };
    expect(await deliverThrough([swallowing], failing)).toMatchObject({
      status: 503,
      message: "no stock",
    });
    expect(await deliverThrough([deliberate], failing)).toMatchObject({ status: 200 });
  });

  it("fails the event if it throws, and rejects it with RejectEvent, as the handler does", async () => {
    const throwing = (error: Error): Middleware => {
      return async (_event, _context, next) => {
        await next();
        throw error;
      };
    };
    expect(await deliverThrough([throwing(new Error("later"))])).toMatchObject({
      status: 503,
      message: "later",
    });
    expect((await deliverThrough([throwing(new RejectEvent("never"))])).status).toBe(400);
    const passing: Middleware = (_event, _context, next) => next();
    const rejecting = () => Promise.reject(new RejectEvent("never"));
    expect((await deliverThrough([passing], rejecting)).status).toBe(400);
  });

  it("does not acknowledge before a handler has finished that it did not wait for", async () => {
    const [started, finish] = [gate(), gate()];
    let hasFinished = false;
    const { deliver } = await startService({
      use: [(_event, _context, next) => void next()],
      on: {
        "*": async () => {
          started.open();
          await finish.passed;
          hasFinished = true;
        },
      },
    });
    const response = deliver(anEvent()).then(({ status }) => [status, hasFinished]);
    await started.passed;
    await new Promise(setImmediate);
    finish.open();
    expect(await response).toEqual([200, true]);
  });

  it("ends no process with a promise that it derives from next and drops", async () => {
    const dropped: unknown[] = [];
    const listener = (reason: unknown) => dropped.push(reason);
    // vitest's own would fail the run.
    const others = process.rawListeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", listener);
    onTestFinished(() => {
      process.off("unhandledRejection", listener);
      for (const other of others) process.on("unhandledRejection", other as () => void);
    });
    const deriving: Middleware[] = [
      (_event, _context, next) => void next().then(() => {}),
      (_event, _context, next) => void next().finally(() => {}),
      (_event, _context, next) =>
        void next()
          .then(() => {})
          .finally(() => {})
          .catch((error) => {
            throw error;
          }),
    ];
    for (const middleware of deriving) {
      expect(await deliverThrough([middleware], failing)).toMatchObject({
        status: 503,
        message: "no stock",
      });
    }
    await new Promise(setImmediate);
    expect(dropped).toEqual([]);

    // A mistake of the middleware itself is not hidden.
    const own = new Error("own");
    await deliverThrough([(_event, _context, next) => void next().then(() => Promise.reject(own))]);
    await expect.poll(() => dropped).toEqual([own]);
  });

  it("fails if it calls next twice or replaces a value of the context", async () => {
    let handled = 0;
    const twice: Middleware = async function twice(_event, _context, next) {
      await next();
      next();
      return "handled";
    };
    expect(
      await deliverThrough([twice], () => {
        handled += 1;
      }),
    ).toEqual({
      status: 503,
      code: "ERR_MIDDLEWARE",
      message: "middleware twice called next twice: await next() once",
    });
    expect(handled).toBe(1);
    const replacing: Middleware = (_event, { signal }, next) => next({ signal });
    expect(
      await deliverThrough([replacing], () => {
        handled += 1;
      }),
    ).toMatchObject({
      status: 503,
      message:
        "middleware replacing tried to replace signal of the context: choose a different name",
    });
    expect(handled).toBe(1);
  });

  it("cannot start a handler after it has ended", async () => {
    let late: Promise<unknown> = Promise.resolve();
    let handled = 0;
    const leaving: Middleware = (_event, _context, next) => {
      late = new Promise((resolve) => setImmediate(() => next().catch(resolve)));
      return "handled";
    };
    expect(
      await deliverThrough([leaving], () => {
        handled += 1;
      }),
    ).toMatchObject({
      status: 200,
    });
    expect(await late).toMatchObject({
      code: "ERR_MIDDLEWARE",
      message: "middleware leaving called next after it had ended: await next() once",
    } satisfies Partial<CloudEventGridError>);
    expect(handled).toBe(0);
  });

  it("cannot start a handler after the deadline", async () => {
    const timer = new ManualClock();
    const [started, slow, ended] = [gate(), gate(), gate()];
    let handled = 0;
    const { deliver } = await startService({
      timer,
      use: [
        async (_event, _context, next) => {
          started.open();
          await slow.passed;
          await next().finally(ended.open);
        },
      ],
      on: {
        "*": () => {
          handled += 1;
        },
      },
    });
    const response = deliver(anEvent());
    await started.passed;
    timer.advance(25_000);
    expect((await response).status).toBe(503);
    slow.open();
    await ended.passed;
    expect(handled).toBe(0);
  });

  it("costs nothing if there is none: the handler itself is called", () => {
    expect(new HandlerTable({ "*": ok }).find("any")?.handler).toBe(ok);
    expect(withMiddleware([], ok)).toBe(ok);
  });
});
