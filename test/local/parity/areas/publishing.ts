import type { InputSchema } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row, row, rowsThat, type Source } from "../row.js";
import { BATCH, cloudEvent, gridEvent, SINGLE } from "../stage.js";

const RESPONSE = eventGrid("post-to-custom-topic", "Response");
const EVENT_DATA = eventGrid("post-to-custom-topic", "Event data");
const EVENT_SCHEMA = eventGrid("event-schema", "Event properties");
const IN_ARRAY = {
  ...eventGrid("event-schema", "Azure Event Grid event schema"),
  quote: "send events to Azure Event Grid in an array",
};
const CLOUD_EVENTS = eventGrid("cloud-event-schema", "Sample event using CloudEvents schema");
const HTTP_BINDING = eventGrid(
  "cloud-event-schema",
  "CloudEvents v1.0 schema with Azure Event Grid",
);

const MEGABYTE = 1024 * 1024;

interface Publication {
  readonly schema: InputSchema;
  readonly content: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status of publishing to a topic that rows share. */
const publication = rowsThat(async (stage, of?: Publication) => {
  const { schema, content, headers = {} } = of ?? { schema: "EventGridSchema", content: [] };
  return (await stage.publish(stage.topicFor(schema), content, { headers })).status;
});

const TEXTS: Readonly<Record<number, string>> = {
  200: "200 OK",
  400: "400 Bad Request",
  413: "413 Payload Too Large",
};

const onGrid = (input: string, source: Source, content: unknown, status: number): Row =>
  publication(source, input)
    .documented(TEXTS[status] ?? "")
    .with({ schema: "EventGridSchema", content })
    .gives(status);

/** @param type the content type, by default that of the content */
const onCloudEvents = (
  input: string,
  source: Source,
  content: unknown,
  status: number,
  type?: string,
): Row =>
  publication(source, input)
    .documented(TEXTS[status] ?? "")
    .with({
      schema: "CloudEventSchemaV1_0",
      content,
      headers: type ? { "content-type": type } : {},
    })
    .gives(status);

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
    row(RESPONSE, "A valid event")
      .documented("200 OK")
      .gives([200, ""], async (stage) => {
        const topic = stage.topicFor("EventGridSchema");
        const { status, text } = await stage.publish(topic, [gridEvent()]);
        return [status, text];
      }),
    onGrid("Invalid JSON", RESPONSE, "[{", 400),
    onGrid("An object instead of an array (Event Grid schema)", IN_ARRAY, gridEvent(), 400),
    ...requiredAttributes,
    onGrid(
      "Event Grid event with a `metadataVersion` other than 1",
      EVENT_SCHEMA,
      [gridEvent({ metadataVersion: "2" })],
      400,
    ),
    onGrid(
      "Event Grid event with the ID of another topic in `topic`",
      { ...EVENT_SCHEMA, quote: "if included, must match" },
      [gridEvent({ topic: "/subscriptions/other" })],
      400,
    ),
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
    publication(HTTP_BINDING, "A CloudEvent in the binary content mode (`ce-` headers)")
      .open(
        "415, as users report for `application/json`; the page names the HTTP binding, not its modes",
      )
      .with({
        schema: "CloudEventSchemaV1_0",
        content: {},
        headers: {
          "content-type": "application/json",
          "ce-specversion": "1.0",
          "ce-id": "1",
          "ce-source": "/shop",
          "ce-type": "shop.placed",
        },
      })
      .gives(415),
    {
      ...onCloudEvents(
        "A CloudEvent as `application/json`",
        HTTP_BINDING,
        cloudEvent(),
        415,
        "application/json",
      ),
      documented: "open",
      unknown: "415, as users report",
    },
    publication(
      eventGrid("input-mappings", "Publish event to topic"),
      "A custom event without the default content type, as `curl -d` sends it",
    )
      .documented("200 OK")
      .with({
        schema: "CustomEventSchema",
        content: [{ myEventTypeField: "Created" }],
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
      .gives(200),
    onGrid("An event of 1 MB", EVENT_DATA, `[${eventOf(MEGABYTE - 2)}]`, 200),
    onGrid("An event larger than 1 MB", RESPONSE, `[${eventOf(MEGABYTE + 1025)}]`, 413),
    {
      ...onGrid(
        "Events of 1.2 MB in one array",
        EVENT_DATA,
        `[${eventOf(600_000)},${eventOf(600_000)}]`,
        200,
      ),
      documented: "413 Payload Too Large",
      differs: "200 up to 1,536,000 bytes, the limit measured on the real service",
    },
    onGrid(
      "Events of 1.6 MB in one array",
      EVENT_DATA,
      `[${eventOf(800_000)},${eventOf(800_000)}]`,
      413,
    ),
    row(RESPONSE, "An endpoint that does not exist")
      .documented("404 Not Found")
      .gives(404, async (stage) => {
        const topic = stage.topicFor("EventGridSchema");
        const endpoint = topic.endpoint.replace(topic.name, "nowhere");
        return (await stage.publish({ ...topic, accessKey: topic.accessKey, endpoint }, [])).status;
      }),
    row(RESPONSE, "The body of an error")
      .documented("`error` with `code`, `message` and `details`, a list of `code` and `message`")
      .gives([Array(4).fill("string"), Array(4).fill("string")], async (stage) => {
        const topic = stage.topicFor("EventGridSchema");
        const headers = { "aeg-sas-key": "d3Jvbmc=" };
        const answers = [
          await stage.publish(topic, [{}]),
          await stage.publish(topic, [gridEvent()], { headers }),
        ];
        return answers.map(({ error: { code, message, details } }) => {
          const [detail] = Array.isArray(details) ? details : [];
          return [code, message, detail?.code, detail?.message].map((each) => typeof each);
        });
      }),
  ],
};
