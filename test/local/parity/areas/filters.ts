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

const sized = (size: number, colour: string) => cloudEvent({ data: { size, colour } });
const placed = cloudEvent({ type: "shop.placed", subject: "orders/17.json" });

export const filters: Area = {
  title: "Filters",
  rows: [
    example("No included event types", { source: TYPES, filter: {}, event: placed, passes: true }),
    example("Included event type `All`", {
      source: TYPES,
      filter: { includedEventTypes: ["All"] },
      event: placed,
      passes: true,
    }),
    example("The included event type", {
      source: TYPES,
      filter: { includedEventTypes: ["shop.placed", "shop.paid"] },
      event: placed,
      passes: true,
    }),
    example("Another event type", {
      source: TYPES,
      filter: { includedEventTypes: ["shop.paid"] },
      event: placed,
      passes: false,
    }),
    example("A prefix of the event type", {
      source: SUBJECT_CASE,
      filter: { includedEventTypes: ["shop"] },
      event: placed,
      passes: false,
    }),
    example("The event type in another case", {
      source: SUBJECT_CASE,
      filter: { includedEventTypes: ["Shop.Placed"] },
      event: placed,
      passes: true,
      unknown: "passes; “an exact match” may mean the case, too",
    }),
    example("`subjectBeginsWith` with the beginning of the subject", {
      source: SUBJECTS,
      filter: { subjectBeginsWith: "orders/" },
      event: placed,
      passes: true,
    }),
    example("`subjectBeginsWith` with another text", {
      source: SUBJECTS,
      filter: { subjectBeginsWith: "returns/" },
      event: placed,
      passes: false,
    }),
    example("`subjectEndsWith` with the end of the subject", {
      source: SUBJECTS,
      filter: { subjectEndsWith: ".json" },
      event: placed,
      passes: true,
    }),
    example("`subjectEndsWith` with another text", {
      source: SUBJECTS,
      filter: { subjectEndsWith: ".txt" },
      event: placed,
      passes: false,
    }),
    example("Both subject filters, of which one does not match", {
      source: SUBJECTS,
      filter: { subjectBeginsWith: "orders/", subjectEndsWith: ".txt" },
      event: placed,
      passes: false,
    }),
    example("Empty subject filters", {
      source: SUBJECT_CASE,
      filter: { subjectBeginsWith: "", subjectEndsWith: "" },
      event: placed,
      passes: true,
    }),
    example("`subjectBeginsWith` in another case, case-sensitive", {
      source: SUBJECT_CASE,
      filter: { subjectBeginsWith: "ORDERS/", isSubjectCaseSensitive: true },
      event: placed,
      passes: false,
    }),
    example("`subjectBeginsWith` in another case, by default", {
      source: SUBJECT_CASE,
      filter: { subjectBeginsWith: "ORDERS/" },
      event: placed,
      passes: true,
      unknown: "passes; the default of the setting is not on the page",
    }),
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
    example("One of several values matches", {
      source: AND_OR,
      filter: { advancedFilters: [stringIn("data.colour", "red", "blue")] },
      event: sized(5, "blue"),
      passes: true,
    }),
    example("All of several filters match", {
      source: AND_OR,
      filter: {
        advancedFilters: [
          stringIn("data.colour", "blue"),
          { key: "data.size", operatorType: "NumberLessThan", value: 6 },
        ],
      },
      event: sized(5, "blue"),
      passes: true,
    }),
    example("One of several filters does not match", {
      source: AND_OR,
      filter: {
        advancedFilters: [
          stringIn("data.colour", "blue"),
          { key: "data.size", operatorType: "NumberLessThan", value: 6 },
        ],
      },
      event: sized(7, "blue"),
      passes: false,
    }),
    example("Two filters on the same key", {
      source: LIMITATIONS,
      filter: {
        advancedFilters: [
          { key: "data.size", operatorType: "NumberGreaterThan", value: 4 },
          { key: "data.size", operatorType: "NumberLessThan", value: 6 },
        ],
      },
      event: sized(5, "blue"),
      passes: true,
    }),
    example("A string in another case", {
      source: {
        ...eventGrid("event-filtering", "StringNotIn"),
        quote: "All string comparisons aren't case-sensitive",
      },
      filter: { advancedFilters: [stringIn("data.colour", "BLUE")] },
      event: sized(5, "blue"),
      passes: true,
    }),
  ],
};
