import type { InputSchema } from "cloud-eventgrid-local";
import { deadLettersTo } from "../../support/dead-letters.js";
import { type Area, delivery, eventGrid, type Row, row, rowsThat } from "../row.js";
import { cloudEvent, type Delivery, GROUP, gridEvent, type Outcome } from "../stage.js";

const EVENTS = eventGrid("delivery-and-retry", "Dead-letter events");
const FORMATS = eventGrid("delivery-and-retry", "Delivery event formats");
const NAMES = eventGrid("manage-event-delivery", "Set dead-letter location");

const storageAccountId = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const REFUSED = {
  answers: [400],
  subscription: deadLettersTo("dead", storageAccountId),
};

const FIELDS = [
  "deadLetterReason",
  "deliveryAttempts",
  "lastDeliveryOutcome",
  "publishTime",
  "lastDeliveryAttemptTime",
];

const CLOUD_EVENT = { inputSchema: "CloudEventSchemaV1_0", event: cloudEvent() } as const;

/** A row about the record in the blob for an event, by default a CloudEvent. */
const record = rowsThat(
  async (
    stage,
    { inputSchema, event }: { inputSchema: InputSchema; event: object } = CLOUD_EVENT,
  ) => {
    const topic = { inputSchema };
    const { deadLetters } = await stage.deliver({ ...REFUSED, topic, events: [event] });
    const [found] = deadLetters.flatMap((each) => JSON.parse(stage.blobOf(each, "letters")));
    return { found, now: new Date(stage.cloud.clock.now()).toISOString() };
  },
);

/** An event that fails once or more, and becomes a dead letter as the retry policy says. */
const failing = (answers: number[], retryPolicy: object): Delivery => ({
  answers,
  subscription: { ...deadLettersTo("dead"), retryPolicy },
});

const reasonsOf = ({ deadLetters }: Outcome) => deadLetters.map((each) => each.deadletterreason);

/** @param quote how the page describes the outcome; without it, the page does not map the status */
function outcome(status: number, expected: string, quote?: string): Row {
  return {
    ...delivery(FORMATS, `\`lastDeliveryOutcome\` after ${status}`)
      .documented(`\`${expected}\``)
      .with(failing([status], { maxDeliveryAttempts: 1 }))
      .gives([expected], ({ deadLetters }) => deadLetters.map((each) => each.lastdeliveryoutcome)),
    ...(quote
      ? { source: { ...FORMATS, quote } }
      : { documented: "open: the page names no status", unknown: `\`${expected}\`` }),
  };
}

export const deadLetters: Area = {
  title: "Dead letters",
  rows: [
    delivery(NAMES, "The name of the blob")
      .documented("`MY-SUBSCRIPTION/2019/8/8/5/{UUID}.json`: upper case, year, month, day, hour")
      .with(REFUSED)
      .gives(true, ({ deadLetters: [letter] }) => {
        const at = new Date(String(letter?.lastdeliveryattempttime));
        const date = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
        const prefix = `${letter?.subscription.toUpperCase()}/${date.join("/")}/`;
        const blob = letter?.blob ?? "";
        return blob.startsWith(prefix) && /^[-0-9a-f]{36}\.json$/.test(blob.slice(prefix.length));
      }),
    record(FORMATS, "The record of an Event Grid event")
      .documented(`the event with \`${FIELDS.join("`, `")}\``)
      .with({ inputSchema: "EventGridSchema", event: gridEvent() })
      .gives(["1", "shop.placed", ...FIELDS], ({ found }) => [
        found.id,
        found.eventType,
        ...FIELDS.filter((field) => field in found),
      ]),
    record(FORMATS, "The record of a CloudEvent")
      .documented("the event with the fields in lower case")
      .gives(
        [
          {
            ...cloudEvent(),
            deadletterreason: "UndeliverableDueToHttpBadRequest",
            deliveryattempts: 1,
            lastdeliveryoutcome: "BadRequest",
          },
          true,
        ],
        ({ found: { publishtime, lastdeliveryattempttime, ...rest }, now }) => [
          rest,
          publishtime === now && lastdeliveryattempttime === now,
        ],
      ),
    record(FORMATS, "`lastdeliveryattempttime` in the record of a CloudEvent")
      .open("present; the example does not have it, that of the Event Grid schema does")
      .gives("string", ({ found }) => typeof found.lastdeliveryattempttime),
    record(FORMATS, "The record of a custom event")
      .documented("in the Event Grid schema, with the original event as `data`")
      .with({ inputSchema: "CustomEventSchema", event: { prop1: "my property" } })
      .gives(
        ["1", "string", "string", "string", { prop1: "my property" }, ...FIELDS],
        ({ found }) => [
          found.metadataVersion,
          ...[found.id, found.eventTime, found.topic].map((each) => typeof each),
          found.data,
          ...FIELDS.filter((field) => field in found),
        ],
      ),
    delivery(FORMATS, "`deadLetterReason` after the last attempt")
      .documented("`MaxDeliveryAttemptsExceeded`")
      .with(failing([500], { maxDeliveryAttempts: 1 }))
      .gives(["MaxDeliveryAttemptsExceeded"], reasonsOf),
    delivery(FORMATS, "`deadLetterReason` after the time to live")
      .open("`TimeToLiveExceeded`, as observed from the real service")
      .with(failing([500, 500, 500, 500], { eventTimeToLiveInMinutes: 1 }))
      .gives(["TimeToLiveExceeded"], reasonsOf),
    delivery(FORMATS, "`deadLetterReason` after 400")
      .open("`UndeliverableDueToHttpBadRequest`, as observed from the real service")
      .with(REFUSED)
      .gives(["UndeliverableDueToHttpBadRequest"], reasonsOf),
    outcome(400, "BadRequest", "Destination returned bad request response code"),
    outcome(401, "Unauthorized", "Destination returned unauthorized response code"),
    outcome(403, "Forbidden", "Delivery is forbidden by destination endpoint"),
    outcome(404, "NotFound", "Destination resource wasn't found"),
    outcome(408, "TimedOut"),
    {
      ...outcome(413, "PayloadTooLarge"),
      documented: "open: the page has `PayloadTooLarge` for Service Bus and Event Hubs",
    },
    outcome(503, "Busy"),
    row(
      { ...FORMATS, quote: "DNS resolution of destination endpoint failed" },
      "`lastDeliveryOutcome` when the webhook's host name does not exist",
    )
      .documented("`ResolutionError`")
      .gives(["ResolutionError"], async (stage) => {
        const topic = stage.topicFor("CloudEventSchemaV1_0");
        const { name, settings } = await stage.subscribe(topic.id, {
          ...deadLettersTo("dead"),
          retryPolicy: { maxDeliveryAttempts: 1 },
          filter: { subjectBeginsWith: "nowhere/" },
        });
        const { origin } = new URL(settings.endpointUrl ?? "");
        const target = stage.cloud.ingress.resolve(new URL(origin))?.origin ?? "";
        stage.cloud.ingress.route(origin, "http://nowhere.invalid");
        await stage.publish(topic, cloudEvent({ subject: "nowhere/1" }));
        await stage.cloud.drain();
        stage.cloud.ingress.route(origin, target);
        return stage.cloud
          .deadLetters()
          .flatMap((each) => (each.subscription === name ? each.lastdeliveryoutcome : []));
      }),
    row(
      {
        ...FORMATS,
        quote: "events may get dead-lettered or dropped without even trying delivery",
      },
      "Other events within five minutes after a webhook answers 401 or 403",
    )
      .documented(
        "given up without a delivery, “depending on the error code”; users report the reason `UndeliverableDueToProbationCausedByClientError`",
      )
      .differs("each event is delivered")
      .gives(["Unauthorized", "delivered"], async (stage) => {
        const { attempts, deadLetters } = await stage.deliver({
          ...REFUSED,
          answers: [401],
          events: [cloudEvent(), cloudEvent({ id: "2" })],
        });
        return [deadLetters[0]?.lastdeliveryoutcome, attempts.at(-1)?.outcome];
      }),
    row(EVENTS, "The time from the last attempt until the dead letter is written")
      .documented("five minutes")
      .differs("none, so that tests need not wait")
      .gives(0, async (stage) => {
        const before = stage.cloud.clock.now();
        await stage.deliver(REFUSED);
        return stage.cloud.clock.now() - before;
      }),
    delivery(EVENTS, "No dead-letter destination")
      .documented("the event is dropped")
      .with({ answers: [400] })
      .gives(["dropped", 0], ({ attempts, deadLetters }) => [
        attempts[0]?.outcome,
        deadLetters.length,
      ]),
  ],
};
