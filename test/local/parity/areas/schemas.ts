import type { DeliverySchema, InputSchema } from "cloud-eventgrid-local";
import { type Area, delivery, eventGrid, type Row, row, rowsThat } from "../row.js";
import { cloudEvent, eventIn, GROUP, gridEvent, statusOf } from "../stage.js";

const COMPATIBILITY = eventGrid("event-schema-compatibility", "Input schema to output schema");
const SUBSCRIBE = eventGrid("input-mappings", "Subscribe to event grid topic");
const MAPPED = eventGrid("input-mappings", "Publish event to topic");
const HEADERS = eventGrid("cloud-event-schema", "Sample event using CloudEvents schema");
const EVENT_SCHEMA = eventGrid("event-schema", "Event properties");
const WEBHOOKS = eventGrid("delivery-and-retry", "Event Grid message delivery and retry");

const names: Readonly<Record<InputSchema | DeliverySchema, string>> = {
  CloudEventSchemaV1_0: "CloudEvents",
  EventGridSchema: "Event Grid schema",
  CustomEventSchema: "custom schema",
  CustomInputSchema: "custom input schema",
};

const compatibility = (inputSchema: InputSchema, deliverySchema: DeliverySchema, ok: boolean) =>
  row(COMPATIBILITY, `Topic with ${names[inputSchema]}, subscription with ${names[deliverySchema]}`)
    .documented(ok ? "supported" : "not supported")
    .gives(ok, (stage) =>
      stage.subscribe(stage.topicFor(inputSchema).id, { eventDeliverySchema: deliverySchema }).then(
        () => true,
        (error) => statusOf(error) === undefined,
      ),
    );

const custom = {
  inputSchema: "CustomEventSchema",
  inputSchemaMapping: {
    eventType: { sourceField: "myEventTypeField" },
    subject: { defaultValue: "DefaultSubject" },
    dataVersion: { defaultValue: "1.0" },
  },
} as const;

const original = {
  myEventTypeField: "Created",
  resource: "Users/example/Messages/1000",
  resourceData: { someDataField1: "SomeDataFieldValue" },
};

interface Conversion {
  readonly from: InputSchema;
  readonly to?: DeliverySchema;
}

/** The request that a subscription receives for an event of a schema, by default in the same. */
const received = rowsThat(async (stage, { from, to }: Conversion = { from: "EventGridSchema" }) => {
  const isCustom = from === "CustomEventSchema";
  const ofGrid = from === "EventGridSchema" ? gridEvent() : cloudEvent();
  const { requests } = await stage.deliver({
    topic: isCustom ? custom : { inputSchema: from },
    subscription: { eventDeliverySchema: to ?? (isCustom ? "CustomInputSchema" : from) },
    events: [isCustom ? original : ofGrid],
  });
  const [request] = requests;
  return { body: request?.body ?? "", headers: request?.headers, event: eventIn(request) };
});

const defaultSchema = (inputSchema: InputSchema, expected: DeliverySchema): Row =>
  row(SUBSCRIBE, `A subscription without a delivery schema, at a topic with ${names[inputSchema]}`)
    .documented(names[expected])
    .gives(
      expected,
      async (stage) =>
        (await stage.subscribe(stage.topicFor(inputSchema).id)).settings.deliverySchema,
    );

export const schemas: Area = {
  title: "Input and delivery schemas",
  rows: [
    compatibility("EventGridSchema", "EventGridSchema", true),
    compatibility("EventGridSchema", "CloudEventSchemaV1_0", true),
    compatibility("EventGridSchema", "CustomInputSchema", false),
    compatibility("CloudEventSchemaV1_0", "EventGridSchema", false),
    compatibility("CloudEventSchemaV1_0", "CloudEventSchemaV1_0", true),
    compatibility("CloudEventSchemaV1_0", "CustomInputSchema", false),
    compatibility("CustomEventSchema", "EventGridSchema", true),
    compatibility("CustomEventSchema", "CloudEventSchemaV1_0", true),
    compatibility("CustomEventSchema", "CustomInputSchema", true),
    defaultSchema("EventGridSchema", "EventGridSchema"),
    {
      ...defaultSchema("CustomEventSchema", "CustomInputSchema"),
      documented: "open",
      unknown:
        "the topic's own schema, as the documentation of az says; this page says the Event Grid schema",
    },
    received(
      EVENT_SCHEMA,
      "An Event Grid event without `topic`, `metadataVersion` and `dataVersion`, delivered",
    )
      .documented("has the topic's resource ID, `1` and an empty string")
      .gives(
        [`${GROUP}/providers/Microsoft.EventGrid/topics/NAME`, "1", ""],
        ({ event: { topic, metadataVersion, dataVersion } }) => [
          String(topic).replace(/row-\d+$/, "NAME"),
          metadataVersion,
          dataVersion,
        ],
      ),
    received(WEBHOOKS, "One event, delivered in the Event Grid schema")
      .documented("an array with one event")
      .gives(1, ({ body }) => JSON.parse(body).length),
    received(HEADERS, "The content type of a CloudEvent")
      .documented("`application/cloudevents+json; charset=utf-8`")
      .with({ from: "CloudEventSchemaV1_0" })
      .gives(
        "application/cloudevents+json; charset=utf-8",
        ({ headers }) => headers?.["content-type"],
      ),
    received(HEADERS, "The content type of an Event Grid event")
      .documented("`application/json; charset=utf-8`")
      .gives("application/json; charset=utf-8", ({ headers }) => headers?.["content-type"]),
    delivery(
      eventGrid("handler-event-hubs", "Message headers"),
      "The header `aeg-event-type` of an event",
    )
      .documented("`Notification`")
      .gives("Notification", ({ requests }) => requests[0]?.headers["aeg-event-type"]),
    received(
      eventGrid("cloudevents-schema", "Configure for CloudEvents"),
      "An Event Grid event, delivered as a CloudEvent",
    )
      .documented("`source`, `subject`, `type`, `time` and `id` have the values of the event")
      .with({ from: "EventGridSchema", to: "CloudEventSchemaV1_0" })
      .gives(
        {
          specversion: "1.0",
          id: "1",
          subject: "orders/1",
          type: "shop.placed",
          time: "2026-01-31T07:00:00Z",
          data: {},
        },
        ({ event: { specversion, id, subject, type, time, data } }) => ({
          ...{ specversion, id, subject, type, time, data },
        }),
      ),
    received(MAPPED, "A custom event, delivered in the Event Grid schema")
      .documented("mapped attributes, default values, and the original event as `data`")
      .with({ from: "CustomEventSchema", to: "EventGridSchema" })
      .gives(
        ["Created", "DefaultSubject", "1.0", "1", original],
        ({ event: { eventType, subject, dataVersion, metadataVersion, data } }) => [
          ...[eventType, subject, dataVersion, metadataVersion, data],
        ],
      ),
    received(MAPPED, "A custom event, delivered in the custom input schema")
      .documented("the original fields")
      .with({ from: "CustomEventSchema" })
      .gives(original, ({ event }) => event),
  ],
};
