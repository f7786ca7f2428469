import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { ACCEPTED, refused } from "../../../support/topic-server.js";
import { publisherWith, startTopic } from "../harness.js";
import { rejection } from "../rejection.js";

const topic = await startTopic();

const publisher = (options?: PublisherOptions) => createPublisher(topic.binding, options);
const ready = (id: string, data: string) =>
  ({ specversion: "1.0", id, source: "s", type: "t", data }) as const;
/** Bytes on the wire of one of these events with an `id` of one letter and empty `data`. */
const EMPTY = '{"specversion":"1.0","id":"a","source":"s","type":"t","data":""}'.length;

describe("the size of an event, in bytes on the wire,", () => {
  it("may be the limit of the service", async () => {
    const event = ready("a", "x".repeat(1_049_600 - EMPTY));
    expect(await publisher().create(event)).toEqual(["a"]);
    expect(topic.requests[0]?.headers["content-length"]).toBe("1049602");
  });

  it("is refused before anything is sent when it is one byte larger", async () => {
    const error = await rejection(publisher().create(ready("a", "x".repeat(1_049_601 - EMPTY))));
    expect(error).toMatchObject({ code: "ERR_PUBLISH_INVALID_EVENT", retryable: false });
    expect(error.message).toBe(
      "the event at index 0 is invalid, nothing was sent: the event is 1049601 bytes on the wire, the limit is 1049600: store large data elsewhere, and publish its location",
    );
    expect(topic.requests).toEqual([]);
  });

  it("is checked before binary data is encoded, however large it is", async () => {
    const error = await rejection(
      publisher().create({ type: "t", data: new Uint8Array(450_000_000) }),
    );
    expect(error.message).toBe(
      "the event at index 0 is invalid, nothing was sent: data is 600000000 bytes as base64, the limit of an event is 1049600: store large data elsewhere, and publish its location",
    );
  });

  it("counts bytes and not characters", async () => {
    const limited = publisherWith({ maxEventBytes: EMPTY + 3 }, topic.binding);
    expect(await limited.create(ready("a", "€"))).toEqual(["a"]);
    expect(await rejection(limited.create(ready("a", "€€")))).toMatchObject({
      code: "ERR_PUBLISH_INVALID_EVENT",
    });
  });
});

describe("an array that exceeds the limit of a request", () => {
  it("is split and resolves with all IDs in order", async () => {
    // Two events with brackets and comma fill a request exactly.
    const maxRequestBytes = 2 * (EMPTY + 4) + 3;
    const ids = ["a", "b", "c", "d", "e"];
    const limited = publisherWith({ maxRequestBytes }, topic.binding);
    const created = await limited.create(ids.map((id) => ready(id, "xxxx")));

    expect(created).toEqual(ids);
    // Requests go out at once: which arrives first is open.
    expect(topic.requests.map(({ events }) => events.map(({ id }) => id)).sort()).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e"],
    ]);
    const lengths = topic.requests.map(({ headers }) => Number(headers["content-length"]));
    expect(Math.max(...lengths)).toBe(maxRequestBytes);
  });

  it("is split at 1,536,000 bytes and 1000 events by default", async () => {
    const halves = ["a", "b", "c"].map((id) => ready(id, "x".repeat(767_998 - EMPTY)));
    await publisher().create(halves);
    const lengths = topic.requests.map(({ headers }) => Number(headers["content-length"]));
    expect(lengths.toSorted((one, other) => other - one)).toEqual([2 * 767_998 + 3, 767_998 + 2]);

    topic.requests.length = 0;
    await publisher().create(Array.from({ length: 1001 }, (_, index) => ready(`${index}`, "")));
    expect(topic.requests.map(({ events }) => events.length).sort()).toEqual([1, 1000]);
  });

  it("reports which events were accepted when one of its requests is refused", async () => {
    topic.answer = ({ events }) => (events[0]?.id === "b" ? refused(400, "No", "never") : ACCEPTED);
    const error = await rejection(
      publisher({ limits: { requestEvents: 1 } }).create(
        ["a", "b", "c"].map((id) => ready(id, "")),
      ),
    );

    expect(error.accepted).toEqual(["a", "c"]);
    expect(error.events).toEqual([{ index: 1, id: "b", type: "t", mayHaveArrived: false }]);
  });
});
