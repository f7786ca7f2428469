import {
  createPublisher,
  type EventToCreate,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../support/manual-clock.js";
import { publisherWith, startTopic } from "../harness.js";
import { rejection, untyped } from "../rejection.js";

const topic = await startTopic();

async function sent(event: EventToCreate, options?: PublisherOptions) {
  await createPublisher(topic.binding, options).create(event);
  return topic.requests.at(-1)?.events[0];
}

describe("the default of an attribute", () => {
  it("id is a random UUID, a different one for each event", async () => {
    const one = await sent({ type: "t", data: 1 });
    const other = await sent({ type: "t", data: 1 });
    expect(one?.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(one?.id).not.toBe(other?.id);
  });

  it("time follows the clock, also when the clock is set back", async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 2, 12));
    const publisher = publisherWith({}, topic.binding, { clock });
    const times = async () => {
      await publisher.create([{ type: "t" }, { type: "t" }]);
      return topic.requests.at(-1)?.events.map(({ time }) => time);
    };
    expect(await times()).toEqual(["2026-01-02T12:00:00.000Z", "2026-01-02T12:00:00.000Z"]);
    clock.setBack(-1);
    expect(await times()).toEqual(["2026-01-02T12:00:00.001Z", "2026-01-02T12:00:00.001Z"]);
    clock.setBack(2);
    expect(await times()).toEqual(["2026-01-02T11:59:59.999Z", "2026-01-02T11:59:59.999Z"]);
  });

  it("source is the publisher's source, if that is set", async () => {
    expect(await sent({ type: "t", data: 1 }, { source: "/shop" })).toMatchObject({
      source: "/shop",
    });
  });

  it("source is not applied to an event that has one", async () => {
    expect(await sent({ type: "t", source: "/own", data: 1 }, { source: "/shop" })).toMatchObject({
      source: "/own",
    });
  });

  it("source is required when neither event, publisher nor binding provide one", async () => {
    const { name: _, ...nameless } = topic.binding;
    const error = await rejection(createPublisher(nameless).create({ type: "t", data: 1 }));
    expect(error.message).toBe(
      "the event at index 0 is invalid, nothing was sent: source is missing: set it on the event, in createPublisher's options, or name the binding",
    );
  });

  it("attributes that are undefined or null are not set", async () => {
    const event = await sent({ type: "t", subject: undefined, dataschema: undefined, note: null });
    expect(Object.keys(event ?? {})).toEqual(["specversion", "id", "source", "time", "type"]);
  });
});

describe("the attributes of an event", () => {
  const wrong: [string, unknown, string][] = [
    ["no type", { data: 1 }, "type is missing"],
    [
      "an event of the Event Grid schema",
      { eventType: "t", eventTime: "2026-01-31T09:30:00Z", dataVersion: "1", data: 1 },
      "write type instead of eventType",
    ],
    ["an empty id", { type: "t", id: "" }, "id is empty"],
    ["an empty source", { type: "t", source: "" }, "source is empty"],
    [
      "an invalid Date",
      { type: "t", time: new Date(Number.NaN) },
      "time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z",
    ],
    ["another specversion", { type: "t", specversion: "0.3" }, 'specversion must be "1.0"'],
    ["an upper-case extension", { type: "t", tenantId: "a" }, '"tenantId" is not a valid'],
    ["base64 by hand", { type: "t", data_base64: "AA==" }, "data_base64 is set by the publisher"],
    ["a ready event without id", { type: "t", specversion: "1.0", source: "/s" }, "id is missing"],
    ["an empty subject", { type: "t", subject: "" }, "subject is empty: leave it out"],
    ["text instead of an event", "t", "an event must be an object with a type"],
  ];
  it.each(wrong)("are validated: %s is refused", async (_name, event, message) => {
    const created = createPublisher(topic.binding).create(untyped(event));
    const error = await rejection(created);
    expect(error.message).toContain(message);
    expect(error.code).toBe("ERR_PUBLISH_INVALID_EVENT");
    expect(topic.requests).toEqual([]);
  });
});
