import { describe, expect, it } from "vitest";
import { refused } from "../../../support/topic-server.js";
import { rejection } from "../rejection.js";
import { order, startTimedTopic } from "../timed-topic.js";

const timed = await startTimedTopic();
const { topic, publisher } = timed;

describe("the AbortSignal of a call", () => {
  it("keeps everything from being sent when it is aborted already", async () => {
    const reason = new Error("no longer wanted");
    const error = await rejection(publisher().create(order, { signal: AbortSignal.abort(reason) }));

    expect(error).toMatchObject({ code: "ERR_PUBLISH_ABORTED", retryable: false });
    expect(error.cause).toBe(reason);
    expect(error.events).toEqual([
      { index: 0, id: "a", type: "shop.order.placed", mayHaveArrived: false },
    ]);
    expect(topic.requests).toEqual([]);
  });

  it("cancels the request under way", async () => {
    let closed: Promise<unknown> | undefined;
    topic.answer = ({ closed: ofRequest }) => {
      closed = ofRequest;
      return "hang";
    };
    const controller = new AbortController();
    const failed = rejection(publisher().create(order, { signal: controller.signal }));
    await topic.arrivals(1);
    controller.abort();

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_ABORTED",
      events: [{ mayHaveArrived: true }],
    });
    await closed;
    await timed.clock.whenIdle();
  });

  it("cancels the wait for the next attempt", async () => {
    topic.answer = () => refused(503, "ServiceUnavailable", "busy");
    const controller = new AbortController();
    const failed = rejection(publisher().create(order, { signal: controller.signal }));
    await timed.clock.whenScheduled(125);
    controller.abort();

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    await timed.clock.whenIdle();
    expect(topic.requests).toHaveLength(1);
  });

  it("may be another implementation, whose events have no target", async () => {
    topic.answer = () => "hang";
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
    };
    const failed = rejection(publisher().create(order, { signal: signal as never }));
    await topic.arrivals(1);
    for (const listener of listeners) Reflect.apply(listener, signal, [{ type: "abort" }]);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    expect(listeners.size).toBe(0);
  });

  it("has no listeners left when the call is settled", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await publisher().create(order, { signal });

    expect(listeners).toBe(0);
  });

  it("may be shared by many calls without a warning of Node", async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on("warning", warned);
    topic.answer = () => "hang";
    const controller = new AbortController();
    const shared = publisher();
    const failed = Array.from({ length: 50 }, (_, index) =>
      rejection(shared.create({ ...order, id: `${index}` }, { signal: controller.signal })),
    );
    await topic.arrivals(1);
    controller.abort();

    const codes = (await Promise.all(failed)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(["ERR_PUBLISH_ABORTED"]));
    expect(codes).toHaveLength(50);
    await new Promise(setImmediate);
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });
});
