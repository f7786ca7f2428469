import { type Area, eventGrid, type Row } from "../row.js";

const SCHEDULE = eventGrid("delivery-and-retry", "Retry schedule");
const POLICY = eventGrid("delivery-and-retry", "Retry policy");
const SUCCESS = eventGrid("delivery-and-retry", "Success codes");
const FAILURE = eventGrid("delivery-and-retry", "Failure codes");
const DEAD_LETTERS = eventGrid("delivery-and-retry", "Dead-letter events");

const NOT_RETRIED = { ...FAILURE, quote: "Not retried" };

const success = (status: number): Row => ({
  source: SUCCESS,
  input: `A webhook answers ${status}`,
  documented: "delivered",
  run: async (stage) =>
    (await stage.deliver({ answers: [status] })).attempts.map(({ outcome }) => outcome),
  result: ["delivered"],
});

const refused = (status: number): Row => ({
  source: status === 403 ? NOT_RETRIED : SCHEDULE,
  input: `A webhook answers ${status}, without a dead-letter destination`,
  documented: "not retried, dropped",
  run: async (stage) =>
    (await stage.deliver({ answers: [status] })).attempts.map(({ outcome }) => outcome),
  result: ["dropped"],
});

const deadLettered = (status: number, source = DEAD_LETTERS): Row => ({
  source,
  input: `A webhook answers ${status}, with a dead-letter destination`,
  documented: "dead-lettered without a retry",
  run: async (stage) => {
    const subscription = { deadLetter: { container: "dead" } };
    const { attempts, deadLetters } = await stage.deliver({ answers: [status], subscription });
    return [attempts.length, deadLetters.length];
  },
  result: [1, 1],
});

const minimumWait = (status: number, seconds: number, unknown?: string): Row => ({
  source: FAILURE,
  input: `A webhook answers ${status}`,
  documented: unknown ? "open" : `retried after ${seconds} seconds or more`,
  ...(unknown ? { unknown } : {}),
  run: async (stage) => (await stage.deliver({ answers: [status] })).waits,
  result: [seconds],
});

const failing = (times: number) => Array.from({ length: times }, () => 500);

export const retries: Area = {
  title: "Statuses of webhooks and retries",
  rows: [
    ...[200, 201, 202, 203, 204].map(success),
    ...[400, 401, 403, 413].map(refused),
    deadLettered(400),
    deadLettered(401, SCHEDULE),
    deadLettered(403, NOT_RETRIED),
    deadLettered(413),
    minimumWait(408, 120),
    minimumWait(503, 30),
    minimumWait(500, 10),
    minimumWait(429, 10),
    minimumWait(302, 10),
    minimumWait(205, 10),
    minimumWait(
      404,
      300,
      "retried after 5 minutes; the table names them for Azure resources, and the probation of `NotFound` lasts as long",
    ),
    {
      source: SCHEDULE,
      input: "A webhook that always answers 500",
      documented:
        "retried after 10 s, 30 s, 1 min, 5 min, 10 min, 30 min, 1 h, 3 h, 6 h and every 12 h up to 24 h; from the last attempt or from the first is open",
      unknown:
        "waits between the attempts; as times since the first attempt, the seventh would come after 30 minutes instead of 46",
      run: async (stage) => {
        const { waits, attempts } = await stage.deliver({ answers: failing(50) });
        return { waits: waits.slice(0, -1), last: attempts.at(-1)?.outcome };
      },
      result: {
        waits: [10, 30, 60, 300, 600, 1800, 3600, 10800, 21600, 43200],
        last: "dropped",
      },
    },
    {
      source: SCHEDULE,
      input: "The time of a retry",
      documented: "a small randomization, and skipped steps for unhealthy endpoints",
      differs: "exactly when it is due, so that tests can wait for it",
      run: async (stage) => (await stage.deliver({ answers: failing(2) })).waits,
      result: [10, 30],
    },
    {
      source: eventGrid("delivery-and-retry", "Delayed Delivery"),
      input: "New events for an endpoint that has failed ten times",
      documented: "delivered later, up to several hours",
      differs: "delivered at once",
      run: async (stage) => {
        const events = Array.from({ length: 11 }, (_, index) => ({
          specversion: "1.0",
          id: String(index),
          source: "/shop",
          type: "shop.placed",
        }));
        const { attempts } = await stage.deliver({ events, answers: failing(10) });
        return new Set(attempts.slice(0, 11).map(({ at }) => at)).size;
      },
      result: 1,
    },
    {
      source: POLICY,
      input: "3 attempts at most, all failing",
      documented: "3 attempts, then dropped",
      run: async (stage) => {
        const subscription = { retryPolicy: { maxDeliveryAttempts: 3 } };
        const { attempts } = await stage.deliver({ subscription, answers: failing(9) });
        return attempts.map(({ outcome }) => outcome);
      },
      result: ["retrying", "retrying", "dropped"],
    },
    {
      source: POLICY,
      input: "30 minutes time to live and 10 attempts, all failing",
      documented: "6 attempts, then dead-lettered",
      run: async (stage) => {
        const { attempts, deadLetters } = await stage.deliver({
          subscription: {
            retryPolicy: { maxDeliveryAttempts: 10, eventTimeToLiveInMinutes: 30 },
            deadLetter: { container: "dead" },
          },
          answers: failing(20),
        });
        return [
          attempts.filter(({ status }) => status === 500).length,
          attempts.at(-1)?.outcome,
          deadLetters.map((each) => [each.deadletterreason, each.lastdeliveryoutcome]),
        ];
      },
      result: [6, "deadLettered", [["TimeToLiveExceeded", "GenericError"]]],
    },
    {
      source: DEAD_LETTERS,
      input: "The time to live passes between two attempts",
      documented: "noticed at the next scheduled attempt",
      differs: "at once, so that tests need not wait for the next attempt",
      run: async (stage) => {
        const { waits } = await stage.deliver({
          subscription: { retryPolicy: { eventTimeToLiveInMinutes: 2 } },
          answers: failing(9),
        });
        return waits;
      },
      result: [10, 30, 60, 20],
    },
    {
      source: POLICY,
      input: "The default retry policy",
      documented: "30 attempts, 1440 minutes",
      run: async (stage) =>
        (await stage.subscribe(stage.topicFor("CloudEventSchemaV1_0").id)).settings.retryPolicy,
      result: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
    },
  ],
};
