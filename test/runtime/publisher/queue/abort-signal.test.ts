import { describe, expect, it } from "vitest";
import { ACCEPTED, refused } from "../../../support/topic-server.js";
import { rejection } from "../rejection.js";
import { clock, order, publisher, topic } from "../timed-topic.js";

describe("an AbortSignal", () => {
  it("that is aborted already keeps everything back", async () => {
    const reason = new Error("no longer wanted");
    const error = await rejection(publisher().create(order, { signal: AbortSignal.abort(reason) }));

    expect(error).toMatchObject({ code: "ERR_PUBLISH_ABORTED", retryable: false });
    expect(error.cause).toBe(reason);
    expect(error.events).toEqual([
      { index: 0, id: "a", type: "shop.order.placed", mayHaveArrived: false },
    ]);
    expect(topic.requests).toEqual([]);
  });

  it("ends the request under way", async () => {
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
    await clock.whenIdle();
  });

  it("ends the wait for the next attempt", async () => {
    topic.answer = () => refused(503, "ServiceUnavailable", "busy");
    const controller = new AbortController();
    const failed = rejection(publisher().create(order, { signal: controller.signal }));
    await clock.whenScheduled(125);
    controller.abort();

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    await clock.whenIdle();
    expect(topic.requests).toHaveLength(1);
  });

  it("leaves the request to the others who share it", async () => {
    let accept: (() => void) | undefined;
    topic.answer = () =>
      new Promise((resolve) => {
        accept = () => resolve(ACCEPTED);
      });
    const controller = new AbortController();
    const shared = publisher();
    const failed = rejection(shared.create(order, { signal: controller.signal }));
    const other = shared.create({ ...order, id: "b" });
    await topic.arrivals(1);
    controller.abort();

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    accept?.();
    expect(await other).toEqual(["b"]);
  });

  it("is let go when the call is settled", async () => {
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
});
