import type { InputSchema } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row } from "../row.js";
import { cloudEvent, GROUP, gridEvent, type Stage } from "../stage.js";

const EVENTS = eventGrid("delivery-and-retry", "Dead-letter events");
const FORMATS = eventGrid("delivery-and-retry", "Delivery event formats");
const NAMES = eventGrid("manage-event-delivery", "Set dead-letter location");

const storageAccountId = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const REFUSED = {
  answers: [400],
  subscription: { deadLetter: { container: "dead", storageAccountId } },
};

/** The fields of the record in the blob. */
async function recordOf(stage: Stage, inputSchema: InputSchema, event: object) {
  const { deadLetters } = await stage.deliver({
    ...REFUSED,
    topic: { inputSchema },
    events: [event],
  });
  return deadLetters.flatMap((each) => JSON.parse(stage.blobOf(each, "letters")))[0];
}

const FIELDS = [
  "deadLetterReason",
  "deliveryAttempts",
  "lastDeliveryOutcome",
  "publishTime",
  "lastDeliveryAttemptTime",
];

function reason(
  input: string,
  deadletterreason: string,
  delivery: Parameters<Stage["deliver"]>[0],
  unknown?: string,
): Row {
  return {
    source: FORMATS,
    input,
    documented: unknown ? "open" : `\`${deadletterreason}\``,
    ...(unknown ? { unknown } : {}),
    run: async (stage) => {
      const { deadLetters } = await stage.deliver(delivery);
      return deadLetters.map((each) => each.deadletterreason);
    },
    result: [deadletterreason],
  };
}

/** @param quote how the page describes the outcome; without them, it does not map the status */
function outcome(status: number, lastdeliveryoutcome: string, quote?: string): Row {
  return {
    source: quote === undefined ? FORMATS : { ...FORMATS, quote },
    input: `\`lastDeliveryOutcome\` after ${status}`,
    documented:
      quote === undefined ? "open: the page names no status" : `\`${lastdeliveryoutcome}\``,
    ...(quote === undefined ? { unknown: `\`${lastdeliveryoutcome}\`` } : {}),
    run: async (stage) => {
      const { deadLetters } = await stage.deliver({
        answers: [status],
        subscription: {
          deadLetter: { container: "dead" },
          retryPolicy: { maxDeliveryAttempts: 1 },
        },
      });
      return deadLetters.map((each) => each.lastdeliveryoutcome);
    },
    result: [lastdeliveryoutcome],
  };
}

export const deadLetters: Area = {
  title: "Dead letters",
  rows: [
    {
      source: NAMES,
      input: "The name of the blob",
      documented: "`MY-SUBSCRIPTION/2019/8/8/5/{UUID}.json`: upper case, year, month, day, hour",
      run: async (stage) => {
        const { deadLetters } = await stage.deliver(REFUSED);
        const [{ blob, lastdeliveryattempttime, subscription } = {}] = deadLetters;
        const at = new Date(String(lastdeliveryattempttime));
        const date = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
        const prefix = `${subscription?.toUpperCase()}/${date.join("/")}/`;
        return blob?.startsWith(prefix) && /^[-0-9a-f]{36}\.json$/.test(blob.slice(prefix.length));
      },
      result: true,
    },
    {
      source: FORMATS,
      input: "The record of an Event Grid event",
      documented: `the event with \`${FIELDS.join("`, `")}\``,
      run: async (stage) => {
        const record = await recordOf(stage, "EventGridSchema", gridEvent());
        return [record.id, record.eventType, ...FIELDS.filter((field) => field in record)];
      },
      result: ["1", "shop.placed", ...FIELDS],
    },
    {
      source: FORMATS,
      input: "The record of a CloudEvent",
      documented: "the event with the fields in lower case",
      run: async (stage) => {
        const { publishtime, lastdeliveryattempttime, ...record } = await recordOf(
          stage,
          "CloudEventSchemaV1_0",
          cloudEvent(),
        );
        const times = [publishtime, lastdeliveryattempttime];
        const now = new Date(stage.cloud.clock.now()).toISOString();
        return [record, times.every((time) => time === now)];
      },
      result: [
        {
          ...cloudEvent(),
          deadletterreason: "UndeliverableDueToHttpBadRequest",
          deliveryattempts: 1,
          lastdeliveryoutcome: "BadRequest",
        },
        true,
      ],
    },
    {
      source: FORMATS,
      input: "`lastdeliveryattempttime` in the record of a CloudEvent",
      documented: "open",
      unknown: "present; the example does not have it, that of the Event Grid schema does",
      run: async (stage) =>
        typeof (await recordOf(stage, "CloudEventSchemaV1_0", cloudEvent()))
          .lastdeliveryattempttime,
      result: "string",
    },
    {
      source: FORMATS,
      input: "The record of a custom event",
      documented: "in the Event Grid schema, with the original event as `data`",
      run: async (stage) => {
        const record = await recordOf(stage, "CustomEventSchema", { prop1: "my property" });
        return [
          record.metadataVersion,
          typeof record.id,
          typeof record.eventTime,
          typeof record.topic,
          record.data,
          ...FIELDS.filter((field) => field in record),
        ];
      },
      result: ["1", "string", "string", "string", { prop1: "my property" }, ...FIELDS],
    },
    reason("`deadLetterReason` after the last attempt", "MaxDeliveryAttemptsExceeded", {
      answers: [500],
      subscription: {
        deadLetter: { container: "dead" },
        retryPolicy: { maxDeliveryAttempts: 1 },
      },
    }),
    reason(
      "`deadLetterReason` after the time to live",
      "TimeToLiveExceeded",
      {
        answers: [500, 500, 500, 500],
        subscription: {
          deadLetter: { container: "dead" },
          retryPolicy: { eventTimeToLiveInMinutes: 1 },
        },
      },
      "`TimeToLiveExceeded`, as observed from the real service",
    ),
    reason(
      "`deadLetterReason` after 400",
      "UndeliverableDueToHttpBadRequest",
      REFUSED,
      "`UndeliverableDueToHttpBadRequest`, as observed from the real service",
    ),
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
    {
      source: EVENTS,
      input: "The time from the last attempt until the dead letter is written",
      documented: "five minutes",
      differs: "none, so that tests need not wait",
      run: async (stage) => {
        const before = stage.cloud.clock.now();
        await stage.deliver(REFUSED);
        return stage.cloud.clock.now() - before;
      },
      result: 0,
    },
    {
      source: EVENTS,
      input: "No dead-letter destination",
      documented: "the event is dropped",
      run: async (stage) => {
        const { attempts, deadLetters } = await stage.deliver({ answers: [400] });
        return [attempts[0]?.outcome, deadLetters.length];
      },
      result: ["dropped", 0],
    },
  ],
};
