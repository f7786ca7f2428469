import type { EventFilter, FilterCondition, InputSchema } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row, row, type Source } from "../row.js";
import { cloudEvent, gridEvent } from "../stage.js";
import { decided } from "./advanced-filters.js";

const TYPES = eventGrid("event-filtering", "Event type filtering");
const SUBJECTS = eventGrid("event-filtering", "Subject filtering");
const KEYS = eventGrid("event-filtering", "Key");
const AND_OR = eventGrid("event-filtering", "OR and AND");
const CLOUD_EVENTS = eventGrid("event-filtering", "CloudEvents");
const LIMITATIONS = eventGrid("event-filtering", "Limitations");
const CASE = eventGrid("subscription-creation-schema", "filter object");

const placed = cloudEvent({ type: "shop.placed", subject: "orders/17.json" });
const sized = cloudEvent({ data: { size: 5, colour: "blue" } });

/** Whether an event, by default {@link placed}, passes a filter. */
const filtered = (
  source: Source,
  input: string,
  filter: EventFilter,
  passes: boolean,
  event: object,
  schema: InputSchema,
): Row =>
  row(source, input)
    .documented(passes ? "passes" : "does not pass")
    .gives(passes, (stage) => stage.passes(schema, filter, event));

const passes = (
  source: Source,
  input: string,
  filter: EventFilter,
  event = placed,
  schema: InputSchema = "CloudEventSchemaV1_0",
) => filtered(source, input, filter, true, event, schema);

const fails = (source: Source, input: string, filter: EventFilter, event = placed) =>
  filtered(source, input, filter, false, event, "CloudEventSchemaV1_0");

const all = (...advancedFilters: FilterCondition[]): EventFilter => ({ advancedFilters });

const stringIn = (key: string, ...values: string[]): FilterCondition => ({
  key,
  operatorType: "StringIn",
  values,
});

const size = (
  operatorType: "NumberLessThan" | "NumberGreaterThan",
  value: number,
): FilterCondition => ({ key: "data.size", operatorType, value });

const onGrid = (key: string, attributes: object, value: string): Row =>
  passes(
    KEYS,
    `Key \`${key}\` (Event Grid schema)`,
    all(stringIn(key, value)),
    gridEvent(attributes),
    "EventGridSchema",
  );

/** A key of either schema where events arrive in one schema and are delivered in the other. */
const converted = (key: string, value: string, passes: boolean): Row => {
  const input = `Key \`${key}\` (Event Grid schema, delivered as CloudEvents)`;
  return row(KEYS, input)
    .documented("open")
    .unknown(`${passes ? "passes" : "does not pass"}: the page does not say which schema counts`)
    .gives(passes, (stage) =>
      stage.passes(
        "EventGridSchema",
        all(stringIn(key, value)),
        gridEvent({ eventType: "paid" }),
        "CloudEventSchemaV1_0",
      ),
    );
};

const onCloudEvents = (key: string, attributes: object, value: string): Row =>
  passes(KEYS, `Key \`${key}\` (CloudEvents)`, all(stringIn(key, value)), cloudEvent(attributes));

export const filters: Area = {
  title: "Filters",
  rows: [
    passes(TYPES, "No included event types", {}),
    passes(TYPES, "Included event type `All`", { includedEventTypes: ["All"] }),
    passes(TYPES, "The included event type", { includedEventTypes: ["shop.placed", "shop.paid"] }),
    fails(TYPES, "Another event type", { includedEventTypes: ["shop.paid"] }),
    fails(CASE, "A prefix of the event type", { includedEventTypes: ["shop"] }),
    {
      ...passes(CASE, "The event type in another case", { includedEventTypes: ["Shop.Placed"] }),
      documented: "open",
      unknown: "passes; “an exact match” may mean the case, too",
    },
    passes(SUBJECTS, "`subjectBeginsWith` with the beginning of the subject", {
      subjectBeginsWith: "orders/",
    }),
    fails(SUBJECTS, "`subjectBeginsWith` with another text", { subjectBeginsWith: "returns/" }),
    passes(SUBJECTS, "`subjectEndsWith` with the end of the subject", { subjectEndsWith: ".json" }),
    fails(SUBJECTS, "`subjectEndsWith` with another text", { subjectEndsWith: ".txt" }),
    fails(SUBJECTS, "Both subject filters, of which one does not match", {
      subjectBeginsWith: "orders/",
      subjectEndsWith: ".txt",
    }),
    passes(CASE, "Empty subject filters", { subjectBeginsWith: "", subjectEndsWith: "" }),
    fails(CASE, "`subjectBeginsWith` in another case, case-sensitive", {
      subjectBeginsWith: "ORDERS/",
      isSubjectCaseSensitive: true,
    }),
    {
      ...passes(CASE, "`subjectBeginsWith` in another case, by default", {
        subjectBeginsWith: "ORDERS/",
      }),
      documented: "open",
      unknown: "passes; the default of the setting is not on the page",
    },
    {
      ...fails(
        SUBJECTS,
        "A subject filter, and an event without a subject",
        { subjectBeginsWith: "orders/" },
        cloudEvent(),
      ),
      documented: "open",
      unknown: "does not pass",
    },
    onGrid("ID", { id: "7" }, "7"),
    onGrid("Subject", { subject: "orders/2" }, "orders/2"),
    onGrid("EventType", { eventType: "paid" }, "paid"),
    onGrid("DataVersion", { dataVersion: "2.0" }, "2.0"),
    onGrid("data.key1", { data: { key1: "a" } }, "a"),
    converted("eventType", "paid", true),
    converted("type", "paid", false),
    fails(
      {
        page: "https://github.com/MicrosoftDocs/azure-docs/issues/86764",
        section: "one report, 2022",
      },
      "Key `eventType`, a name of the Event Grid schema (CloudEvents)",
      all(stringIn("eventType", "shop.placed")),
    ),
    onCloudEvents("id", { id: "7" }, "7"),
    onCloudEvents("source", { source: "/shop" }, "/shop"),
    onCloudEvents("type", {}, "shop.placed"),
    onCloudEvents("specversion", {}, "1.0"),
    onCloudEvents(
      "data.appEventTypeDetail.action",
      { data: { appEventTypeDetail: { action: "Started" } } },
      "Started",
    ),
    passes(
      KEYS,
      "Key `data.key1` (custom schema)",
      all(stringIn("data.key1", "a")),
      { data: { key1: "a" } },
      "CustomEventSchema",
    ),
    passes(
      KEYS,
      "Key `Topic` (Event Grid schema)",
      all({ key: "Topic", operatorType: "StringContains", values: ["/topics/"] }),
      gridEvent(),
      "EventGridSchema",
    ),
    passes(
      CLOUD_EVENTS,
      "Key of an extension attribute (CloudEvents)",
      all(stringIn("comexampleextension1", "value")),
      cloudEvent({ comexampleextension1: "value" }),
    ),
    row(
      {
        ...CLOUD_EVENTS,
        quote: "an example of using an extension context attribute in a filter",
      },
      "The number 5 in an extension attribute, and `StringBeginsWith` with `5`",
    )
      .documented("passes: the page has this filter for this event")
      .gives(true, (stage) => {
        const key = "comexampleothervalue";
        const filter = all({ key, operatorType: "StringBeginsWith", values: ["5", "1"] });
        return decided(stage, filter, cloudEvent({ [key]: 5 }));
      }),
    {
      ...passes(
        CLOUD_EVENTS,
        "The boolean `true` in an extension attribute, and `StringIn` with `true`",
        all(stringIn("comexampleothervalue", "true")),
        cloudEvent({ comexampleothervalue: true }),
      ),
      documented: "open",
      unknown: "passes, as a number does",
    },
    fails(
      { ...LIMITATIONS, quote: "no support for escape characters in keys" },
      "A name in the data that contains a dot",
      all(stringIn("data.a.b", "c")),
      cloudEvent({ data: { "a.b": "c" } }),
    ),
    {
      ...passes(
        KEYS,
        "An array of objects",
        {
          ...all({ key: "data.list", operatorType: "IsNotNull" }),
          enableAdvancedFilteringOnArrays: true,
        },
        cloudEvent({ data: { list: [{ a: 1 }] } }),
      ),
      documented: "open",
      unknown: "passes `IsNotNull`; the documentation does not support such arrays",
    },
    passes(
      AND_OR,
      "One of several values matches",
      all(stringIn("data.colour", "red", "blue")),
      sized,
    ),
    passes(
      AND_OR,
      "All of several filters match",
      all(stringIn("data.colour", "blue"), size("NumberLessThan", 6)),
      sized,
    ),
    fails(
      AND_OR,
      "One of several filters does not match",
      all(stringIn("data.colour", "blue"), size("NumberLessThan", 5)),
      sized,
    ),
    passes(
      LIMITATIONS,
      "Two filters on the same key",
      all(size("NumberGreaterThan", 4), size("NumberLessThan", 6)),
      sized,
    ),
    passes(
      {
        ...eventGrid("event-filtering", "StringNotIn"),
        quote: "All string comparisons aren't case-sensitive",
      },
      "A string in another case",
      all(stringIn("data.colour", "BLUE")),
      sized,
    ),
  ],
};
