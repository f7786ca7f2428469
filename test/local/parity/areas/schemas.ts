import type { DeliverySchema, InputSchema } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row } from "../row.js";
import { cloudEvent, eventIn, gridEvent, statusOf } from "../stage.js";

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

function compatibility(inputSchema: InputSchema, deliverySchema: DeliverySchema, ok: boolean): Row {
  return {
    source: COMPATIBILITY,
    input: `Topic with ${names[inputSchema]}, subscription with ${names[deliverySchema]}`,
    documented: ok ? "supported" : "not supported",
    run: (stage) =>
      stage.subscribe(stage.topicFor(inputSchema).id, { deliverySchema }).then(
        () => true,
        (error) => statusOf(error) === undefined,
      ),
    result: ok,
  };
}

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

/** The body that a subscription with the delivery schema receives. */
async function received(
  stage: Parameters<Row["run"]>[0],
  inputSchema: InputSchema,
  deliverySchema: DeliverySchema,
  event: object,
) {
  const { requests } = await stage.deliver({
    topic: inputSchema === "CustomEventSchema" ? custom : { inputSchema },
    subscription: { deliverySchema },
    events: [event],
  });
  const [request] = requests;
  return {
    request,
    event: eventIn(request),
    isArray: Array.isArray(JSON.parse(request?.body ?? "")),
  };
}

function defaultSchema(inputSchema: InputSchema, expected: DeliverySchema, unknown?: string): Row {
  return {
    source: SUBSCRIBE,
    input: `A subscription without a delivery schema, at a topic with ${names[inputSchema]}`,
    documented: unknown ? "open" : names[expected],
    ...(unknown ? { unknown } : {}),
    run: async (stage) =>
      (await stage.subscribe(stage.topicFor(inputSchema).id)).settings.deliverySchema,
    result: expected,
  };
}

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
    defaultSchema(
      "CustomEventSchema",
      "CustomInputSchema",
      "the topic's own schema, as the documentation of az says; this page says the Event Grid schema",
    ),
    {
      source: EVENT_SCHEMA,
      input: "An Event Grid event without `topic`, `metadataVersion` and `dataVersion`, delivered",
      documented: "has the topic's resource ID, `1` and an empty string",
      run: async (stage) => {
        const { event } = await received(stage, "EventGridSchema", "EventGridSchema", gridEvent());
        const topic = String(event.topic).replace(/row-\d+$/, "NAME");
        return { topic, metadataVersion: event.metadataVersion, dataVersion: event.dataVersion };
      },
      result: {
        topic:
          "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/parity/providers/Microsoft.EventGrid/topics/NAME",
        metadataVersion: "1",
        dataVersion: "",
      },
    },
    {
      source: WEBHOOKS,
      input: "One event, delivered in the Event Grid schema",
      documented: "an array with one event",
      run: async (stage) =>
        (await received(stage, "EventGridSchema", "EventGridSchema", gridEvent())).isArray,
      result: true,
    },
    {
      source: HEADERS,
      input: "The content type of a CloudEvent",
      documented: "`application/cloudevents+json; charset=utf-8`",
      run: async (stage) => {
        const schema = "CloudEventSchemaV1_0";
        const { request } = await received(stage, schema, schema, cloudEvent());
        return request?.headers["content-type"];
      },
      result: "application/cloudevents+json; charset=utf-8",
    },
    {
      source: HEADERS,
      input: "The content type of an Event Grid event",
      documented: "`application/json; charset=utf-8`",
      run: async (stage) => {
        const schema = "EventGridSchema";
        const { request } = await received(stage, schema, schema, gridEvent());
        return request?.headers["content-type"];
      },
      result: "application/json; charset=utf-8",
    },
    {
      source: eventGrid("handler-event-hubs", "Message headers"),
      input: "The header `aeg-event-type` of an event",
      documented: "`Notification`",
      run: async (stage) => (await stage.deliver()).requests[0]?.headers["aeg-event-type"],
      result: "Notification",
    },
    {
      source: eventGrid("cloudevents-schema", "Configure for CloudEvents"),
      input: "An Event Grid event, delivered as a CloudEvent",
      documented: "`source`, `subject`, `type`, `time` and `id` have the values of the event",
      run: async (stage) => {
        const schema = "EventGridSchema";
        const { event } = await received(stage, schema, "CloudEventSchemaV1_0", gridEvent());
        const { specversion, id, subject, type, time, data } = event;
        return { specversion, id, subject, type, time, data };
      },
      result: {
        specversion: "1.0",
        id: "1",
        subject: "orders/1",
        type: "shop.placed",
        time: "2026-01-31T07:00:00Z",
        data: {},
      },
    },
    {
      source: MAPPED,
      input: "A custom event, delivered in the Event Grid schema",
      documented: "mapped attributes, default values, and the original event as `data`",
      run: async (stage) => {
        const { event } = await received(stage, "CustomEventSchema", "EventGridSchema", original);
        const { eventType, subject, dataVersion, metadataVersion, data } = event;
        return { eventType, subject, dataVersion, metadataVersion, data };
      },
      result: {
        eventType: "Created",
        subject: "DefaultSubject",
        dataVersion: "1.0",
        metadataVersion: "1",
        data: original,
      },
    },
    {
      source: MAPPED,
      input: "A custom event, delivered in the custom input schema",
      documented: "the original fields",
      run: async (stage) =>
        (await received(stage, "CustomEventSchema", "CustomInputSchema", original)).event,
      result: original,
    },
  ],
};
