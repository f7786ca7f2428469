import type { EventFilter, FilterCondition, InputSchema } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row, type Source } from "../row.js";
import { cloudEvent, gridEvent } from "../stage.js";
import { decided } from "./advanced-filters.js";

const TYPES = eventGrid("event-filtering", "Event type filtering");
const SUBJECTS = eventGrid("event-filtering", "Subject filtering");
const KEYS = eventGrid("event-filtering", "Key");
const AND_OR = eventGrid("event-filtering", "OR and AND");
const CLOUD_EVENTS = eventGrid("event-filtering", "CloudEvents");
const LIMITATIONS = eventGrid("event-filtering", "Limitations");
const SUBJECT_CASE: Source = {
  page: "azure/event-grid/subscription-creation-schema",
  section: "filter object",
};

interface Example {
  readonly source: Source;
  readonly filter: EventFilter;
  readonly event: object;
  readonly passes: boolean;
  readonly schema?: InputSchema;
  readonly unknown?: string;
}

function example(input: string, { schema, filter, event, passes, ...row }: Example): Row {
  return {
    ...row,
    input,
    documented: row.unknown ? "open" : passes ? "passes" : "does not pass",
    run: (stage) => stage.passes(schema ?? "CloudEventSchemaV1_0", filter, event),
    result: passes,
  };
}

const stringIn = (key: string, ...values: string[]): FilterCondition => ({
  key,
  operatorType: "StringIn",
  values,
});

function key(schema: InputSchema, name: string, event: object, value: string): Row {
  const names = {
    CloudEventSchemaV1_0: "CloudEvents",
    EventGridSchema: "Event Grid schema",
    CustomEventSchema: "custom schema",
  };
  return example(`Key \`${name}\` (${names[schema]})`, {
    source: KEYS,
    schema,
    filter: { advancedFilters: [stringIn(name, value)] },
    event,
    passes: true,
  });
}

const sized = cloudEvent({ data: { size: 5, colour: "blue" } });
const sizeBelow = (value: number): FilterCondition => ({
  key: "data.size",
  operatorType: "NumberLessThan",
  value,
});
const placed = cloudEvent({ type: "shop.placed", subject: "orders/17.json" });

/** Whether {@link placed} passes a filter. */
const onPlaced = (
  source: Source,
  input: string,
  filter: EventFilter,
  passes: boolean,
  unknown?: string,
) => example(input, { source, filter, event: placed, passes, ...(unknown && { unknown }) });

/** Whether an event with a size of 5 and the colour blue passes advanced filters. */
const onSized = (
  source: Source,
  input: string,
  advancedFilters: readonly FilterCondition[],
  passes: boolean,
) => example(input, { source, filter: { advancedFilters }, event: sized, passes });

export const filters: Area = {
  title: "Filters",
  rows: [
    onPlaced(TYPES, "No included event types", {}, true),
    onPlaced(TYPES, "Included event type `All`", { includedEventTypes: ["All"] }, true),
    onPlaced(
      TYPES,
      "The included event type",
      { includedEventTypes: ["shop.placed", "shop.paid"] },
      true,
    ),
    onPlaced(TYPES, "Another event type", { includedEventTypes: ["shop.paid"] }, false),
    onPlaced(SUBJECT_CASE, "A prefix of the event type", { includedEventTypes: ["shop"] }, false),
    onPlaced(
      SUBJECT_CASE,
      "The event type in another case",
      { includedEventTypes: ["Shop.Placed"] },
      true,
      "passes; “an exact match” may mean the case, too",
    ),
    onPlaced(
      SUBJECTS,
      "`subjectBeginsWith` with the beginning of the subject",
      { subjectBeginsWith: "orders/" },
      true,
    ),
    onPlaced(
      SUBJECTS,
      "`subjectBeginsWith` with another text",
      { subjectBeginsWith: "returns/" },
      false,
    ),
    onPlaced(
      SUBJECTS,
      "`subjectEndsWith` with the end of the subject",
      { subjectEndsWith: ".json" },
      true,
    ),
    onPlaced(SUBJECTS, "`subjectEndsWith` with another text", { subjectEndsWith: ".txt" }, false),
    onPlaced(
      SUBJECTS,
      "Both subject filters, of which one does not match",
      { subjectBeginsWith: "orders/", subjectEndsWith: ".txt" },
      false,
    ),
    onPlaced(
      SUBJECT_CASE,
      "Empty subject filters",
      { subjectBeginsWith: "", subjectEndsWith: "" },
      true,
    ),
    onPlaced(
      SUBJECT_CASE,
      "`subjectBeginsWith` in another case, case-sensitive",
      { subjectBeginsWith: "ORDERS/", isSubjectCaseSensitive: true },
      false,
    ),
    onPlaced(
      SUBJECT_CASE,
      "`subjectBeginsWith` in another case, by default",
      { subjectBeginsWith: "ORDERS/" },
      true,
      "passes; the default of the setting is not on the page",
    ),
    example("A subject filter, and an event without a subject", {
      source: SUBJECTS,
      filter: { subjectBeginsWith: "orders/" },
      event: cloudEvent(),
      passes: false,
      unknown: "does not pass",
    }),
    key("EventGridSchema", "ID", gridEvent({ id: "7" }), "7"),
    key("EventGridSchema", "Subject", gridEvent({ subject: "orders/2" }), "orders/2"),
    key("EventGridSchema", "EventType", gridEvent({ eventType: "paid" }), "paid"),
    key("EventGridSchema", "DataVersion", gridEvent({ dataVersion: "2.0" }), "2.0"),
    key("EventGridSchema", "data.key1", gridEvent({ data: { key1: "a" } }), "a"),
    key("CloudEventSchemaV1_0", "id", cloudEvent({ id: "7" }), "7"),
    key("CloudEventSchemaV1_0", "source", cloudEvent({ source: "/shop" }), "/shop"),
    key("CloudEventSchemaV1_0", "type", cloudEvent(), "shop.placed"),
    key("CloudEventSchemaV1_0", "specversion", cloudEvent(), "1.0"),
    key(
      "CloudEventSchemaV1_0",
      "data.appEventTypeDetail.action",
      cloudEvent({ data: { appEventTypeDetail: { action: "Started" } } }),
      "Started",
    ),
    key("CustomEventSchema", "data.key1", { data: { key1: "a" } }, "a"),
    example("Key `Topic` (Event Grid schema)", {
      source: KEYS,
      schema: "EventGridSchema",
      filter: {
        advancedFilters: [{ key: "Topic", operatorType: "StringContains", values: ["/topics/"] }],
      },
      event: gridEvent(),
      passes: true,
    }),
    example("Key of an extension attribute (CloudEvents)", {
      source: CLOUD_EVENTS,
      filter: { advancedFilters: [stringIn("comexampleextension1", "value")] },
      event: cloudEvent({ comexampleextension1: "value" }),
      passes: true,
    }),
    {
      source: {
        ...CLOUD_EVENTS,
        quote: "an example of using an extension context attribute in a filter",
      },
      input: "The number 5 in an extension attribute, and `StringBeginsWith` with `5`",
      documented: "passes: the page has this filter for this event",
      run: (stage) =>
        decided(
          stage,
          {
            advancedFilters: [
              { key: "comexampleothervalue", operatorType: "StringBeginsWith", values: ["5", "1"] },
            ],
          },
          cloudEvent({ comexampleothervalue: 5 }),
        ),
      result: true,
    },
    example("A name in the data that contains a dot", {
      source: { ...LIMITATIONS, quote: "no support for escape characters in keys" },
      filter: { advancedFilters: [stringIn("data.a.b", "c")] },
      event: cloudEvent({ data: { "a.b": "c" } }),
      passes: false,
    }),
    example("An array of objects", {
      source: KEYS,
      filter: {
        advancedFilters: [{ key: "data.list", operatorType: "IsNotNull" }],
        enableAdvancedFilteringOnArrays: true,
      },
      event: cloudEvent({ data: { list: [{ a: 1 }] } }),
      passes: true,
      unknown: "passes `IsNotNull`; the documentation does not support such arrays",
    }),
    onSized(
      AND_OR,
      "One of several values matches",
      [stringIn("data.colour", "red", "blue")],
      true,
    ),
    onSized(
      AND_OR,
      "All of several filters match",
      [stringIn("data.colour", "blue"), sizeBelow(6)],
      true,
    ),
    onSized(
      AND_OR,
      "One of several filters does not match",
      [stringIn("data.colour", "blue"), sizeBelow(5)],
      false,
    ),
    onSized(
      LIMITATIONS,
      "Two filters on the same key",
      [{ key: "data.size", operatorType: "NumberGreaterThan", value: 4 }, sizeBelow(6)],
      true,
    ),
    onSized(
      {
        ...eventGrid("event-filtering", "StringNotIn"),
        quote: "All string comparisons aren't case-sensitive",
      },
      "A string in another case",
      [stringIn("data.colour", "BLUE")],
      true,
    ),
  ],
};
