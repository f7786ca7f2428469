import { type Area, delivery, eventGrid } from "../row.js";
import { cloudEvent, type Outcome } from "../stage.js";

const POLICY = eventGrid("delivery-and-retry", "Batching policy");
const BEHAVIOR = eventGrid("delivery-and-retry", "Batching behavior");

/** Events with an ID of one digit, padded to this many bytes. */
const events = (count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => {
    const event = cloudEvent({ id: String(index), data: "" });
    const padding = Math.max(0, bytes - JSON.stringify(event).length);
    return { ...event, data: "x".repeat(padding) };
  });

const atMost = (maxEventsPerBatch: number, preferredBatchSizeInKilobytes?: number) => ({
  maxEventsPerBatch,
  preferredBatchSizeInKilobytes,
});

/** The sizes of the deliveries. */
const sizesOf = ({ attempts }: Outcome) => attempts.map((each) => each.events.length).sort();

export const batching: Area = {
  title: "Batching",
  rows: [
    delivery(BEHAVIOR, "Three events without batching settings")
      .documented("one event in each delivery")
      .with({ events: events(3) })
      .gives([1, 1, 1], sizesOf),
    delivery(POLICY, "7 events, 3 in a batch at most")
      .documented("never more than 3 in a delivery")
      .with({ events: events(7), subscription: atMost(3) })
      .gives([1, 3, 3], sizesOf),
    delivery(POLICY, "2 events, 10 in a batch at most")
      .documented("delivered without a wait for more events")
      .with({ events: events(2), subscription: atMost(10) })
      .gives([[2, 0]], ({ attempts }) =>
        attempts.map((each) => [each.events.length, each.at - (each.events[0]?.publishedAt ?? 0)]),
      ),
    delivery(POLICY, "4 events of 512 bytes, 1 KB preferred")
      .documented("batches of about 1 KB")
      .with({ events: events(4, 512), subscription: atMost(10, 1) })
      .gives([2, 2], sizesOf),
    delivery(POLICY, "An event of 10 KB, 4 KB preferred")
      .documented("delivered in a batch of its own")
      .with({ events: [...events(1, 10_000), ...events(1)], subscription: atMost(10, 4) })
      .gives([1, 1], sizesOf),
    delivery(BEHAVIOR, "A webhook answers 500 to a batch of 4 events")
      .documented("all 4 are retried: all or none")
      .with({ events: events(4), answers: [500], subscription: atMost(10) })
      .gives([4, 4], sizesOf),
    delivery(BEHAVIOR, "The events of a batch that is retried")
      .open("the same batch again, even if more events wait")
      .with({ events: events(3), answers: [500, 500], subscription: atMost(2) })
      .gives([1, 1, 2, 2], sizesOf),
    delivery(BEHAVIOR, "Only the preferred batch size is set")
      .documented("batching is on, with a default number of events; how many is open")
      .unknown("5,000, the most that can be set")
      .with({
        events: events(3),
        subscription: { preferredBatchSizeInKilobytes: 64 },
      })
      .gives([3], sizesOf),
  ],
};
