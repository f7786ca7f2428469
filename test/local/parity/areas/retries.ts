import { deadLettersTo } from "../../support/dead-letters.js";
import { type Area, delivery, eventGrid, type Row, row } from "../row.js";
import { cloudEvent, type Outcome } from "../stage.js";

const SCHEDULE = eventGrid("delivery-and-retry", "Retry schedule");
const POLICY = eventGrid("delivery-and-retry", "Retry policy");
const SUCCESS = eventGrid("delivery-and-retry", "Success codes");
const FAILURE = eventGrid("delivery-and-retry", "Failure codes");
const DEAD_LETTERS = eventGrid("delivery-and-retry", "Dead-letter events");

const NOT_RETRIED = { ...FAILURE, quote: "Not retried" };

const deadLetters = deadLettersTo("dead");
const failing = (times: number): number[] => Array(times).fill(500);

const outcomesOf = ({ attempts }: Outcome) => attempts.map(({ outcome }) => outcome);
const waitsOf = ({ waits }: Outcome) => waits;

const success = (status: number): Row =>
  delivery(SUCCESS, `A webhook answers ${status}`)
    .documented("delivered")
    .with({ answers: [status] })
    .gives(["delivered"], outcomesOf);

const refused = (status: number): Row =>
  delivery(
    status === 403 ? NOT_RETRIED : SCHEDULE,
    `A webhook answers ${status}, without a dead-letter destination`,
  )
    .documented("not retried, dropped")
    .with({ answers: [status] })
    .gives(["dropped"], outcomesOf);

const deadLettered = (status: number, source = DEAD_LETTERS): Row =>
  delivery(source, `A webhook answers ${status}, with a dead-letter destination`)
    .documented("dead-lettered without a retry")
    .with({ answers: [status], subscription: deadLetters })
    .gives([1, 1], ({ attempts, deadLetters }) => [attempts.length, deadLetters.length]);

const minimumWait = (status: number, seconds: number): Row =>
  delivery(FAILURE, `A webhook answers ${status}`)
    .documented(`retried after ${seconds} seconds or more`)
    .with({ answers: [status] })
    .gives([seconds], waitsOf);

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
    ...[500, 429, 302, 205].map((status) => minimumWait(status, 10)),
    delivery(FAILURE, "A webhook answers 404")
      .open(
        "retried after 5 minutes; the table names them for Azure resources, and the probation of `NotFound` lasts as long",
      )
      .with({ answers: [404] })
      .gives([300], waitsOf),
    delivery(SCHEDULE, "A webhook that always answers 500")
      .documented(
        "retried after 10 s, 30 s, 1 min, 5 min, 10 min, 30 min, 1 h, 3 h, 6 h and every 12 h up to 24 h; from the last attempt or from the first is open",
      )
      .unknown(
        "waits between the attempts; as times since the first attempt, the seventh would come after 30 minutes instead of 46",
      )
      .with({ answers: failing(50) })
      .gives(
        [[10, 30, 60, 300, 600, 1800, 3600, 10800, 21600, 43200], "dropped"],
        ({ waits, attempts }) => [waits.slice(0, -1), attempts.at(-1)?.outcome],
      ),
    delivery(SCHEDULE, "The time of a retry")
      .documented("a small randomization, and skipped steps for unhealthy endpoints")
      .differs("exactly when it is due, so that tests can wait for it")
      .with({ answers: failing(2) })
      .gives([10, 30], waitsOf),
    delivery(
      eventGrid("delivery-and-retry", "Delayed Delivery"),
      "New events for an endpoint that has failed ten times",
    )
      .documented("delivered later, up to several hours")
      .differs("delivered at once")
      .with({
        events: Array.from({ length: 11 }, (_, index) => cloudEvent({ id: String(index) })),
        answers: failing(10),
      })
      .gives(1, ({ attempts }) => new Set(attempts.slice(0, 11).map(({ at }) => at)).size),
    delivery(POLICY, "3 attempts at most, all failing")
      .documented("3 attempts, then dropped")
      .with({ subscription: { retryPolicy: { maxDeliveryAttempts: 3 } }, answers: failing(9) })
      .gives(["retrying", "retrying", "dropped"], outcomesOf),
    delivery(POLICY, "30 minutes time to live and 10 attempts, all failing")
      .documented("6 attempts, then dead-lettered")
      .with({
        subscription: {
          retryPolicy: { maxDeliveryAttempts: 10, eventTimeToLiveInMinutes: 30 },
          ...deadLetters,
        },
        answers: failing(20),
      })
      .gives(
        [6, "deadLettered", [["TimeToLiveExceeded", "GenericError"]]],
        ({ attempts, deadLetters }) => [
          attempts.filter(({ status }) => status === 500).length,
          attempts.at(-1)?.outcome,
          deadLetters.map((each) => [each.deadletterreason, each.lastdeliveryoutcome]),
        ],
      ),
    delivery(DEAD_LETTERS, "The time to live passes between two attempts")
      .documented("noticed at the next scheduled attempt")
      .differs("at once, so that tests need not wait for the next attempt")
      .with({ subscription: { retryPolicy: { eventTimeToLiveInMinutes: 2 } }, answers: failing(9) })
      .gives([10, 30, 60, 20], waitsOf),
    row(POLICY, "The default retry policy")
      .documented("30 attempts, 1440 minutes")
      .gives({ maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 }, async (stage) => {
        const { settings } = await stage.subscribe(stage.topicFor("CloudEventSchemaV1_0").id);
        return settings.retryPolicy;
      }),
  ],
};
