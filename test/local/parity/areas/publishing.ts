import { type Area, eventGrid, type Row, type Source } from "../row.js";
import { BATCH, cloudEvent, gridEvent, SINGLE } from "../stage.js";

const RESPONSE = eventGrid("post-to-custom-topic", "Response");
const EVENT_DATA = eventGrid("post-to-custom-topic", "Event data");
const EVENT_SCHEMA = eventGrid("event-schema", "Event properties");
const CLOUD_EVENTS = eventGrid("cloud-event-schema", "Sample event using CloudEvents schema");
const HTTP_BINDING: Source = {
  page: "azure/event-grid/cloud-event-schema",
  section: "CloudEvents v1.0 schema with Azure Event Grid",
};

const MEGABYTE = 1024 * 1024;

type Schema = "CloudEventSchemaV1_0" | "EventGridSchema" | "CustomEventSchema";

interface Refusal extends Partial<Pick<Row, "differs" | "unknown" | "documented">> {
  readonly source: Source;
  readonly schema: Schema;
  readonly content: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status of the answer. */
  readonly status: number;
}

const TEXTS: Readonly<Record<number, string>> = {
  200: "200 OK",
  400: "400 Bad Request",
  413: "413 Payload Too Large",
  415: "415 Unsupported Media Type",
};

function publication(input: string, refusal: Refusal): Row {
  const { schema, content, headers, status, documented, ...row } = refusal;
  return {
    ...row,
    input,
    documented: documented ?? (row.unknown ? "open" : (TEXTS[status] ?? String(status))),
    run: async (stage) =>
      (await stage.publish(stage.topicFor(schema), content, headers ? { headers } : {})).status,
    result: status,
  };
}

const onGrid = (input: string, source: Source, content: unknown, status: number) =>
  publication(input, { source, schema: "EventGridSchema", content, status });

/** @param type the content type, by default that of the content */
const onCloudEvents = (
  input: string,
  source: Source,
  content: unknown,
  status: number,
  type?: string,
) =>
  publication(input, {
    source,
    schema: "CloudEventSchemaV1_0",
    content,
    status,
    ...(type && { headers: { "content-type": type } }),
  });

/** An event of exactly this many bytes. */
function eventOf(bytes: number): string {
  const empty = JSON.stringify(gridEvent({ data: "" }));
  return empty.replace('"data":""', `"data":"${"x".repeat(bytes - empty.length)}"`);
}

const without = (name: string, event: object) =>
  Object.fromEntries(Object.entries(event).filter(([key]) => key !== name));

const requiredAttributes: readonly Row[] = [
  ...["id", "subject", "eventType", "eventTime"].map((name) =>
    onGrid(`Event Grid event without \`${name}\``, EVENT_SCHEMA, [without(name, gridEvent())], 400),
  ),
  ...["data", "dataVersion", "metadataVersion", "topic"].map((name) =>
    onGrid(
      `Event Grid event without \`${name}\``,
      EVENT_SCHEMA,
      [without(name, gridEvent({ dataVersion: "1" }))],
      200,
    ),
  ),
  ...["id", "source", "type", "specversion"].map((name) =>
    onCloudEvents(`CloudEvent without \`${name}\``, CLOUD_EVENTS, without(name, cloudEvent()), 400),
  ),
];

export const publishing: Area = {
  title: "Publish events",
  rows: [
    {
      source: RESPONSE,
      input: "A valid event",
      documented: "200 OK",
      run: async (stage) => {
        const { status, text } = await stage.publish(stage.topicFor("EventGridSchema"), [
          gridEvent(),
        ]);
        return { status, text };
      },
      result: { status: 200, text: "" },
    },
    onGrid("Invalid JSON", RESPONSE, "[{", 400),
    publication("An object instead of an array (Event Grid schema)", {
      source: {
        ...eventGrid("event-schema", "Azure Event Grid event schema"),
        quote: "send events to Azure Event Grid in an array",
      },
      schema: "EventGridSchema",
      content: gridEvent(),
      status: 400,
    }),
    ...requiredAttributes,
    onGrid(
      "Event Grid event with a `metadataVersion` other than 1",
      EVENT_SCHEMA,
      [gridEvent({ metadataVersion: "2" })],
      400,
    ),
    publication("Event Grid event with the ID of another topic in `topic`", {
      source: { ...EVENT_SCHEMA, quote: "if included, must match" },
      schema: "EventGridSchema",
      content: [gridEvent({ topic: "/subscriptions/other" })],
      status: 400,
    }),
    onGrid(
      "A CloudEvent sent to a topic with the Event Grid schema",
      RESPONSE,
      [cloudEvent()],
      400,
    ),
    onCloudEvents(
      "An Event Grid event sent to a topic with the CloudEvents schema",
      RESPONSE,
      gridEvent(),
      400,
    ),
    onCloudEvents(
      `One CloudEvent as \`${SINGLE}\``,
      HTTP_BINDING,
      cloudEvent(),
      200,
      `${SINGLE}; charset=utf-8`,
    ),
    onCloudEvents(
      `CloudEvents as \`${BATCH}\``,
      HTTP_BINDING,
      [cloudEvent(), cloudEvent({ id: "2" })],
      200,
      `${BATCH}; charset=utf-8`,
    ),
    onCloudEvents(`An array as \`${SINGLE}\``, HTTP_BINDING, [cloudEvent()], 400, SINGLE),
    onCloudEvents(`An object as \`${BATCH}\``, HTTP_BINDING, cloudEvent(), 400, BATCH),
    publication("A CloudEvent in the binary content mode (`ce-` headers)", {
      source: HTTP_BINDING,
      schema: "CloudEventSchemaV1_0",
      content: {},
      headers: {
        "content-type": "application/json",
        "ce-specversion": "1.0",
        "ce-id": "1",
        "ce-source": "/shop",
        "ce-type": "shop.placed",
      },
      status: 415,
      unknown:
        "415, as users report for `application/json`; the page names the HTTP binding, not its modes",
    }),
    publication("A CloudEvent as `application/json`", {
      source: HTTP_BINDING,
      schema: "CloudEventSchemaV1_0",
      content: cloudEvent(),
      headers: { "content-type": "application/json" },
      status: 415,
      unknown: "415, as users report",
    }),
    publication("A custom event without the default content type, as `curl -d` sends it", {
      source: eventGrid("input-mappings", "Publish event to topic"),
      schema: "CustomEventSchema",
      content: [{ myEventTypeField: "Created" }],
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 200,
    }),
    onGrid("An event of 1 MB", EVENT_DATA, `[${eventOf(MEGABYTE - 2)}]`, 200),
    onGrid("An event larger than 1 MB", RESPONSE, `[${eventOf(MEGABYTE + 1025)}]`, 413),
    publication("Events of 1.2 MB in one array", {
      source: EVENT_DATA,
      schema: "EventGridSchema",
      content: `[${eventOf(600_000)},${eventOf(600_000)}]`,
      status: 200,
      documented: "413 Payload Too Large",
      differs: "200 up to 1,536,000 bytes, the limit measured on the real service",
    }),
    onGrid(
      "Events of 1.6 MB in one array",
      EVENT_DATA,
      `[${eventOf(800_000)},${eventOf(800_000)}]`,
      413,
    ),
    {
      source: RESPONSE,
      input: "An endpoint that does not exist",
      documented: "404 Not Found",
      run: async (stage) => {
        const topic = stage.topicFor("EventGridSchema");
        const endpoint = topic.endpoint.replace(topic.name, "nowhere");
        return (await stage.publish({ ...topic, accessKey: topic.accessKey, endpoint }, [])).status;
      },
      result: 404,
    },
    {
      source: RESPONSE,
      input: "The body of an error",
      documented: "`error` with `code`, `message` and `details`, a list of `code` and `message`",
      run: async (stage) => {
        const topic = stage.topicFor("EventGridSchema");
        const errors = [
          (await stage.publish(topic, [{}])).error,
          (await stage.publish(topic, [gridEvent()], { headers: { "aeg-sas-key": "d3Jvbmc=" } }))
            .error,
        ];
        return errors.map(({ code, message, details }) => {
          const [detail] = Array.isArray(details) ? details : [];
          return [code, message, detail?.code, detail?.message].map((each) => typeof each);
        });
      },
      result: [
        ["string", "string", "string", "string"],
        ["string", "string", "string", "string"],
      ],
    },
  ],
};
