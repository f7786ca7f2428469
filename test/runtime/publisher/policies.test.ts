import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { startTopic, withPolicy } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });

describe("a policy that sends a request once more", () => {
  it.each([
    ["when there was no answer", "reset"],
    ["when it is told to", refused(503, "ServiceUnavailable", "busy")],
  ] as const)("%s may do so", async (_when, first) => {
    topic.answer = () => (topic.requests.length === 1 ? first : ACCEPTED);
    const publisher = createPublisher(topic.binding, {
      client: withPolicy("perRetry", async (request, next) => {
        const answer = await next(request).catch(() => undefined);
        return answer?.status === 200 ? answer : next(request);
      }),
      retry: { attempts: 1 },
    });

    expect(await publisher.create(order("a"))).toEqual(["a"]);
    expect(topic.requests.map(({ body }) => body)).toEqual([
      topic.requests[0]?.body,
      topic.requests[0]?.body,
    ]);
  });
});

describe("a policy that passes on a copy of the request", () => {
  it("changes nothing of the time, nor of what is known of the events", async () => {
    const clock = new ManualClock();
    topic.answer = () => "hang";
    const publisher = createPublisher(topic.binding, {
      client: withPolicy("perRetry", (request, next) => next({ ...request })),
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await topic.arrivals(1);
    clock.advance(20_000);

    expect(await failed).toMatchObject({ events: [{ mayHaveArrived: true }] });
    await topic.requests[0]?.closed;
    expect(topic.requests[0]?.headers).not.toHaveProperty("x-publisher-request");
  });
});
