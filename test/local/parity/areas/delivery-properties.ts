import type { DeliveryHeader } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row } from "../row.js";
import { cloudEvent } from "../stage.js";
import { limit } from "./limits.js";

const PAGE = eventGrid("delivery-properties", "Custom delivery properties");
const STATIC = eventGrid("delivery-properties", "Setting static header values");
const DYNAMIC = eventGrid("delivery-properties", "Setting dynamic header values");
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

/** The value of a header whose property reads the source field. */
function dynamic(input: string, sourceField: string, result: string | undefined): Row {
  return {
    source:
      result === undefined
        ? { ...DYNAMIC, quote: "Only JSON values of string, number and boolean" }
        : DYNAMIC,
    input,
    documented: result === undefined ? "not supported" : `\`${result}\``,
    run: async (stage) => {
      const property = { type: "dynamic", name: "Channel", sourceField } as const;
      const { requests } = await stage.deliver({
        subscription: { deliveryProperties: [property] },
        events: [cloudEvent({ data })],
      });
      return requests[0]?.headers.channel;
    },
    result,
  };
}

const header = (index: number, value = "x"): DeliveryHeader => ({
  type: "static",
  name: `X-${index}`,
  value,
});

const headers = (count: number) => Array.from({ length: count }, (_, index) => header(index));
const long = (bytes: number) => header(1, "x".repeat(bytes));

export const deliveryProperties: Area = {
  title: "Delivery properties",
  rows: [
    {
      source: STATIC,
      input: "A static property",
      documented: "a header with the value",
      run: async (stage) => {
        const deliveryProperties = [header(1, "fixed")];
        const { requests } = await stage.deliver({ subscription: { deliveryProperties } });
        return requests[0]?.headers["x-1"];
      },
      result: "fixed",
    },
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
    limit("10 properties", PAGE, { deliveryProperties: headers(10) }, true),
    limit("11 properties", PAGE, { deliveryProperties: headers(11) }, false),
    limit("A value of 4,096 bytes", PAGE, { deliveryProperties: [long(4096)] }, true),
    limit("A value of 4,097 bytes", PAGE, { deliveryProperties: [long(4097)] }, false, {
      documented: "“shouldn't be greater than 4,096”; whether it is refused is open",
      unknown: "refused",
    }),
    limit(
      "A name that begins with `aeg-`",
      SERVICE_BUS,
      { deliveryProperties: [{ type: "static", name: "aeg-x", value: "1" }] },
      false,
      { documented: "not to be used; whether it is refused is open", unknown: "refused" },
    ),
    {
      source: AUTHORIZATION,
      input: "`Authorization`, without protection by Entra",
      documented: "the header is set",
      run: async (stage) => {
        const property = { type: "static", name: "Authorization", value: "BEARER SlAV32" } as const;
        const { requests } = await stage.deliver({
          subscription: { deliveryProperties: [property] },
        });
        return requests[0]?.headers.authorization;
      },
      result: "BEARER SlAV32",
    },
    {
      source: AUTHORIZATION,
      input: "`Authorization`, with protection by Entra",
      documented: "not possible",
      run: (stage) => {
        const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
        const property = { type: "static", name: "Authorization", value: "x" } as const;
        return stage.refusalOf({ clientId, deliveryProperties: [property] });
      },
      result: 400,
    },
    limit(
      "A property for a storage queue",
      PAGE,
      {
        destination: { type: "StorageQueue", queue: "parity" },
        deliveryProperties: [header(1)],
      },
      false,
      {
        documented: "not among the supported destinations, but set in the page's sample for az",
        unknown: "refused",
      },
    ),
    limit(
      "A message time to live of -1, for ever",
      { ...QUEUE, quote: "set the event to never expire" },
      {
        destination: { type: "StorageQueue", queue: "parity", messageTimeToLiveInSeconds: -1 },
      },
      true,
    ),
    {
      source: DYNAMIC,
      input: "A dynamic property, with a batch of several events",
      documented: "open",
      unknown: "the value of the first event",
      run: async (stage) => {
        const { requests } = await stage.deliver({
          subscription: {
            batching: { maxEventsPerBatch: 2 },
            deliveryProperties: [{ type: "dynamic", name: "Channel", sourceField: "id" }],
          },
          events: [cloudEvent({ id: "a" }), cloudEvent({ id: "b" })],
        });
        return requests.map(({ headers }) => headers.channel);
      },
      result: ["a"],
    },
  ],
};
