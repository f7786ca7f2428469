import { type Area, eventGrid } from "../row.js";
import { cloudEvent } from "../stage.js";

const POLICY = eventGrid("delivery-and-retry", "Batching policy");
const BEHAVIOR = eventGrid("delivery-and-retry", "Batching behavior");

/** Events with an ID of one digit, padded to this many bytes. */
const events = (count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => {
    const event = cloudEvent({ id: String(index), data: "" });
    const padding = Math.max(0, bytes - JSON.stringify(event).length);
    return { ...event, data: "x".repeat(padding) };
  });

const sizesOf = (requests: readonly { readonly body: string }[]) =>
  requests.map(({ body }) => JSON.parse(body).length).sort();

export const batching: Area = {
  title: "Batching",
  rows: [
    {
      source: BEHAVIOR,
      input: "Three events without batching settings",
      documented: "one event in each delivery",
      run: async (stage) => (await stage.deliver({ events: events(3) })).requests.length,
      result: 3,
    },
    {
      source: POLICY,
      input: "7 events, 3 in a batch at most",
      documented: "never more than 3 in a delivery",
      run: async (stage) => {
        const subscription = { batching: { maxEventsPerBatch: 3 } };
        return sizesOf((await stage.deliver({ subscription, events: events(7) })).requests);
      },
      result: [1, 3, 3],
    },
    {
      source: POLICY,
      input: "2 events, 10 in a batch at most",
      documented: "delivered without a wait for more events",
      run: async (stage) => {
        const subscription = { batching: { maxEventsPerBatch: 10 } };
        const { attempts } = await stage.deliver({ subscription, events: events(2) });
        return attempts.map((attempt) => [
          attempt.events.length,
          attempt.at - (attempt.events[0]?.publishedAt ?? 0),
        ]);
      },
      result: [[2, 0]],
    },
    {
      source: POLICY,
      input: "4 events of 512 bytes, 1 KB preferred",
      documented: "batches of about 1 KB",
      run: async (stage) => {
        const batching = { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 1 };
        const { requests } = await stage.deliver({
          subscription: { batching },
          events: events(4, 512),
        });
        return sizesOf(requests);
      },
      result: [2, 2],
    },
    {
      source: POLICY,
      input: "An event of 10 KB, 4 KB preferred",
      documented: "delivered in a batch of its own",
      run: async (stage) => {
        const batching = { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 4 };
        const { requests } = await stage.deliver({
          subscription: { batching },
          events: [...events(1, 10_000), ...events(1)],
        });
        return sizesOf(requests);
      },
      result: [1, 1],
    },
    {
      source: BEHAVIOR,
      input: "A webhook answers 500 to a batch of 4 events",
      documented: "all 4 are retried: all or none",
      run: async (stage) => {
        const subscription = { batching: { maxEventsPerBatch: 10 } };
        const { attempts } = await stage.deliver({
          subscription,
          events: events(4),
          answers: [500],
        });
        return attempts.map((attempt) => attempt.events.length);
      },
      result: [4, 4],
    },
    {
      source: BEHAVIOR,
      input: "The events of a batch that is retried",
      documented: "open",
      unknown: "the same batch again, even if more events wait",
      run: async (stage) => {
        const subscription = { batching: { maxEventsPerBatch: 2 } };
        const { attempts } = await stage.deliver({
          subscription,
          events: events(3),
          answers: [500, 500],
        });
        return attempts.map((attempt) => attempt.events.length).sort();
      },
      result: [1, 1, 2, 2],
    },
    {
      source: BEHAVIOR,
      input: "Only the preferred batch size is set",
      documented: "batching is on, with a default number of events; how many is open",
      unknown: "5,000, the most that can be set",
      run: async (stage) => {
        const subscription = { batching: { preferredBatchSizeInKilobytes: 64 } };
        return (await stage.deliver({ subscription, events: events(3) })).requests.length;
      },
      result: 1,
    },
  ],
};
