import type { DeliveryAttributeMapping } from "cloud-eventgrid-local";
import { type Area, delivery, eventGrid, type Row, row } from "../row.js";
import { cloudEvent, GROUP, type Outcome } from "../stage.js";
import { limit, setting } from "./limits.js";

const PAGE = eventGrid("delivery-properties", "Custom delivery properties");
const STATIC = eventGrid("delivery-properties", "Setting static header values");
const DYNAMIC = eventGrid("delivery-properties", "Setting dynamic header values");
const NOT_DYNAMIC = { ...DYNAMIC, quote: "Only JSON values of string, number and boolean" };
const AUTHORIZATION = eventGrid(
  "delivery-properties",
  "Setting the Authorization header with a bearer token (non-normative example)",
);
const SERVICE_BUS = eventGrid("delivery-properties", "Service Bus example");
const QUEUE = eventGrid(
  "delivery-properties",
  "Configure time to live on outgoing events to Azure Storage Queues",
);

const data = { text: "a", number: 17, flag: true, object: {}, list: [1], nothing: null };

const header = (name: string, value = "x"): DeliveryAttributeMapping => ({
  type: "Static",
  name,
  properties: { value },
});
const headers = (count: number) =>
  Array.from({ length: count }, (_, index) => header(`X-${index}`));
const long = (bytes: number) => header("X-1", "x".repeat(bytes));
const reading = (sourceField: string): DeliveryAttributeMapping => ({
  type: "Dynamic",
  name: "Channel",
  properties: { sourceField },
});

/** The header `channel`, or another one, of each delivery. */
const headersOf = ({ requests }: Outcome, name = "channel") =>
  requests.map(({ headers }) => headers[name]);

/** The value of a header whose property reads the source field. */
const dynamic = (input: string, sourceField: string, result: string | undefined): Row =>
  delivery(result === undefined ? NOT_DYNAMIC : DYNAMIC, input)
    .documented(result === undefined ? "not supported" : `\`${result}\``)
    .with({
      subscription: { deliveryAttributeMappings: [reading(sourceField)] },
      events: [cloudEvent({ data })],
    })
    .gives([result], (outcome) => headersOf(outcome));

export const deliveryProperties: Area = {
  title: "Delivery properties",
  rows: [
    delivery(STATIC, "A static property")
      .documented("a header with the value")
      .with({ subscription: { deliveryAttributeMappings: [header("X-1", "fixed")] } })
      .gives(["fixed"], (outcome) => headersOf(outcome, "x-1")),
    dynamic("A dynamic property of a string", "data.text", "a"),
    dynamic("A dynamic property of a number", "data.number", "17"),
    dynamic("A dynamic property of a boolean", "data.flag", "true"),
    dynamic("A dynamic property of an object", "data.object", undefined),
    dynamic("A dynamic property of an array", "data.list", undefined),
    dynamic("A dynamic property with a JSONPath from the root", "$.data.text", "a"),
    {
      ...dynamic("A dynamic property without a value in the event", "data.missing", undefined),
      source: DYNAMIC,
      documented: "open",
      unknown: "the header is left out",
    },
    limit("10 properties", PAGE, { deliveryAttributeMappings: headers(10) }, true),
    limit("11 properties", PAGE, { deliveryAttributeMappings: headers(11) }, false),
    limit("A value of 4,096 bytes", PAGE, { deliveryAttributeMappings: [long(4096)] }, true),
    setting(PAGE, "A value of 4,097 bytes")
      .documented("“shouldn't be greater than 4,096”; whether it is refused is open")
      .unknown("refused")
      .with({ deliveryAttributeMappings: [long(4097)] })
      .gives(400),
    setting(SERVICE_BUS, "A name that begins with `aeg-`")
      .documented("not to be used; whether it is refused is open")
      .unknown("refused")
      .with({ deliveryAttributeMappings: [header("aeg-x")] })
      .gives(400),
    delivery(AUTHORIZATION, "`Authorization`, without protection by Entra")
      .documented("the header is set")
      .with({
        subscription: { deliveryAttributeMappings: [header("Authorization", "BEARER SlAV32")] },
      })
      .gives(["BEARER SlAV32"], (outcome) => headersOf(outcome, "authorization")),
    row(AUTHORIZATION, "`Authorization`, with protection by Entra")
      .documented("not possible")
      .gives(400, (stage) => {
        const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
        return stage.refusalOf({ clientId, deliveryAttributeMappings: [header("Authorization")] });
      }),
    row(PAGE, "A property for a storage queue")
      .documented("not among the supported destinations, but set in the page's sample for az")
      .unknown("refused")
      .gives(400, async (stage) => {
        const { id } = await stage.newTopic();
        const properties = {
          resourceId: `${GROUP}/providers/Microsoft.Storage/storageAccounts/parity`,
          queueName: "parity",
          deliveryAttributeMappings: headers(1),
        };
        const destination = { endpointType: "StorageQueue", properties };
        const path = `${id}/eventSubscriptions/parity`;
        return (await stage.call("PUT", path, { properties: { destination } })).status;
      }),
    setting(
      { ...QUEUE, quote: "set the event to never expire" },
      "A message time to live of -1, for ever",
    )
      .documented("accepted")
      .with({
        destination: {
          endpointType: "StorageQueue",
          properties: { queueName: "parity", queueMessageTimeToLiveInSeconds: -1 },
        },
      })
      .gives(undefined),
    delivery(DYNAMIC, "A dynamic property, with a batch of several events")
      .open("the value of the first event")
      .with({
        subscription: { maxEventsPerBatch: 2, deliveryAttributeMappings: [reading("id")] },
        events: [cloudEvent({ id: "a" }), cloudEvent({ id: "b" })],
      })
      .gives(["a"], (outcome) => headersOf(outcome)),
  ],
};
