import type { NewEventSubscription } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row, type Source } from "../row.js";
import { cloudEvent, type Delivery, type Outcome } from "../stage.js";

const POLICY = eventGrid("delivery-and-retry", "Batching policy");
const BEHAVIOR = eventGrid("delivery-and-retry", "Batching behavior");

/** Events with an ID of one digit, padded to this many bytes. */
const events = (count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => {
    const event = cloudEvent({ id: String(index), data: "" });
    const padding = Math.max(0, bytes - JSON.stringify(event).length);
    return { ...event, data: "x".repeat(padding) };
  });

/** The sizes of the deliveries of events, or what else is shown of them. */
function batches(
  source: Source,
  input: string,
  finding: Pick<Row, "documented" | "unknown">,
  delivery: Delivery,
  batching: NewEventSubscription["batching"],
  result: unknown,
  show = ({ attempts }: Outcome): unknown => attempts.map((each) => each.events.length).sort(),
): Row {
  const subscription = batching ? { batching } : {};
  return {
    source,
    input,
    ...finding,
    run: async (stage) => show(await stage.deliver({ subscription, ...delivery })),
    result,
  };
}

export const batching: Area = {
  title: "Batching",
  rows: [
    batches(
      BEHAVIOR,
      "Three events without batching settings",
      { documented: "one event in each delivery" },
      { events: events(3) },
      undefined,
      [1, 1, 1],
    ),
    batches(
      POLICY,
      "7 events, 3 in a batch at most",
      { documented: "never more than 3 in a delivery" },
      { events: events(7) },
      { maxEventsPerBatch: 3 },
      [1, 3, 3],
    ),
    batches(
      POLICY,
      "2 events, 10 in a batch at most",
      { documented: "delivered without a wait for more events" },
      { events: events(2) },
      { maxEventsPerBatch: 10 },
      [[2, 0]],
      ({ attempts }) =>
        attempts.map((each) => [each.events.length, each.at - (each.events[0]?.publishedAt ?? 0)]),
    ),
    batches(
      POLICY,
      "4 events of 512 bytes, 1 KB preferred",
      { documented: "batches of about 1 KB" },
      { events: events(4, 512) },
      { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 1 },
      [2, 2],
    ),
    batches(
      POLICY,
      "An event of 10 KB, 4 KB preferred",
      { documented: "delivered in a batch of its own" },
      { events: [...events(1, 10_000), ...events(1)] },
      { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 4 },
      [1, 1],
    ),
    batches(
      BEHAVIOR,
      "A webhook answers 500 to a batch of 4 events",
      { documented: "all 4 are retried: all or none" },
      { events: events(4), answers: [500] },
      { maxEventsPerBatch: 10 },
      [4, 4],
    ),
    batches(
      BEHAVIOR,
      "The events of a batch that is retried",
      { documented: "open", unknown: "the same batch again, even if more events wait" },
      { events: events(3), answers: [500, 500] },
      { maxEventsPerBatch: 2 },
      [1, 1, 2, 2],
    ),
    batches(
      BEHAVIOR,
      "Only the preferred batch size is set",
      {
        documented: "batching is on, with a default number of events; how many is open",
        unknown: "5,000, the most that can be set",
      },
      { events: events(3) },
      { preferredBatchSizeInKilobytes: 64 },
      [3],
    ),
  ],
};
