import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { Agent } from "undici";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { intercepted, keyless, startTopic } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

const topic = await startTopic();
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });

/** A publisher whose request is held back before it is sent. */
function heldPublisher() {
  const [held, reached] = [gate(), gate()];
  const dispatcher = intercepted(() => {
    reached.open();
    return held.passed;
  });
  const shared = createPublisher(topic.binding, { dispatcher });
  return { shared, controller: new AbortController(), reached, held };
}

describe("events of a caller who leaves a shared request before it is sent", () => {
  it("may arrive with those of the others", async () => {
    const { shared, controller, reached, held } = heldPublisher();
    const left = rejection(shared.create(order("a"), { signal: controller.signal }));
    const stayed = shared.create(order("b"));
    await reached.passed;
    controller.abort();

    expect(await left).toMatchObject({ events: [{ id: "a", mayHaveArrived: true }] });
    held.open();
    expect(await stayed).toEqual(["b"]);
    expect(topic.requests.map(({ events }) => events.map(({ id }) => id))).toEqual([["a", "b"]]);
  });

  it("are not sent when nobody else waits for it", async () => {
    const { shared, controller, reached, held } = heldPublisher();
    const left = rejection(shared.create(order("a"), { signal: controller.signal }));
    await reached.passed;
    controller.abort();

    expect(await left).toMatchObject({ events: [{ mayHaveArrived: false }] });
    held.open();
    await shared.create(order("b"));
    expect(topic.accepted.map(({ id }) => id)).toEqual(["b"]);
  });

  it("are not sent when it still waits for its key", async () => {
    await expectLeaverNotSent([], "key");
  });

  it("are not sent after it was refused because of its key", async () => {
    topic.answer = ({ headers }) =>
      headers["aeg-sas-key"] === "new" ? ACCEPTED : refused(401, "Unauthorized", "unknown");
    await expectLeaverNotSent(["old"], "new");
  });
});

/**
 * Two callers share a request. One leaves while the request waits for its key, after other
 * requests.
 */
async function expectLeaverNotSent(others: string[], key: string): Promise<void> {
  const vault = gate();
  const keyRequested = gate();
  const shared = createPublisher(keyless(topic), {
    accessKey: async () => {
      const other = others.shift();
      if (other !== undefined) return other;
      keyRequested.open();
      await vault.passed;
      return key;
    },
  });
  const controller = new AbortController();
  const left = rejection(shared.create(order("a"), { signal: controller.signal }));
  const stayed = shared.create(order("b"));
  await keyRequested.passed;
  controller.abort();

  expect(await left).toMatchObject({ events: [{ id: "a", mayHaveArrived: false }] });
  vault.open();
  await stayed;
  expect(topic.accepted.map(({ id }) => id)).toEqual(["b"]);
}

describe("events of a caller who leaves several requests at once", () => {
  it("may have arrived if they were sent, and all requests end", async () => {
    const closed: Promise<unknown>[] = [];
    topic.answer = ({ closed: ofRequest }) => {
      closed.push(ofRequest);
      return "hang";
    };
    const controller = new AbortController();
    const shared = createPublisher(topic.binding, {
      limits: { requestEvents: 1, concurrentRequests: 2 },
    });
    const orders = ["a", "b", "c"].map(order);
    const left = rejection(shared.create(orders, { signal: controller.signal }));
    await topic.arrivals(2);
    controller.abort();

    expect(await left).toMatchObject({
      events: [
        { id: "a", mayHaveArrived: true },
        { id: "b", mayHaveArrived: true },
        { id: "c", mayHaveArrived: false },
      ],
    });
    await Promise.all(closed);
    topic.answer = () => ACCEPTED;
    expect(await shared.create(order("d"))).toEqual(["d"]);
    expect(topic.accepted.map(({ id }) => id)).toEqual(["d"]);
  });
});

describe("events of a caller who leaves when the response arrives", () => {
  it("are never reported as certainly lost", async () => {
    // The response passes through a number of promises; the caller leaves at each of them.
    let outcome: unknown;
    let hops = 0;
    for (; outcome !== "accepted" && hops < 100; hops += 1) {
      const controller = new AbortController();
      const leave = async () => {
        for (let hop = 0; hop < hops; hop += 1) await undefined;
        controller.abort();
      };
      const agent = new Agent().compose(
        (dispatch) => (options, handler) =>
          dispatch(options, {
            onRequestStart: (...args) => handler.onRequestStart?.(...args),
            onResponseStart: (...args) => {
              handler.onResponseStart?.(...args);
              void leave();
            },
            onResponseData: (...args) => handler.onResponseData?.(...args),
            onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
            onResponseError: (...args) => handler.onResponseError?.(...args),
          }),
      );
      const shared = createPublisher(topic.binding, { dispatcher: agent });
      outcome = await shared.create(order("a"), { signal: controller.signal }).then(
        () => "accepted",
        ({ events }) => events,
      );
      if (outcome !== "accepted") expect(outcome).toMatchObject([{ mayHaveArrived: true }]);
    }
    expect(outcome).toBe("accepted");
    expect(hops).toBeGreaterThan(1);
  });
});
