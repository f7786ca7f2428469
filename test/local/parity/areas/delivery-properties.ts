import type { DeliveryHeader } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row } from "../row.js";
import { cloudEvent } from "../stage.js";

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
    {
      source: PAGE,
      input: "10 properties",
      documented: "accepted",
      run: (stage) =>
        stage.refusalOf({ deliveryProperties: Array.from({ length: 10 }, (_, i) => header(i)) }),
      result: undefined,
    },
    {
      source: PAGE,
      input: "11 properties",
      documented: "refused",
      run: (stage) =>
        stage.refusalOf({ deliveryProperties: Array.from({ length: 11 }, (_, i) => header(i)) }),
      result: 400,
    },
    {
      source: PAGE,
      input: "A value of 4,096 bytes",
      documented: "accepted",
      run: (stage) => stage.refusalOf({ deliveryProperties: [header(1, "x".repeat(4096))] }),
      result: undefined,
    },
    {
      source: PAGE,
      input: "A value of 4,097 bytes",
      documented: "“shouldn't be greater than 4,096”; whether it is refused is open",
      unknown: "refused",
      run: (stage) => stage.refusalOf({ deliveryProperties: [header(1, "x".repeat(4097))] }),
      result: 400,
    },
    {
      source: SERVICE_BUS,
      input: "A name that begins with `aeg-`",
      documented: "not to be used; whether it is refused is open",
      unknown: "refused",
      run: (stage) =>
        stage.refusalOf({ deliveryProperties: [{ type: "static", name: "aeg-x", value: "1" }] }),
      result: 400,
    },
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
    {
      source: PAGE,
      input: "A property for a storage queue",
      documented: "not among the supported destinations, but set in the page's sample for az",
      unknown: "refused",
      run: (stage) =>
        stage.refusalOf({
          destination: { type: "StorageQueue", queue: "parity" },
          deliveryProperties: [header(1)],
        }),
      result: 400,
    },
    {
      source: { ...QUEUE, quote: "set the event to never expire" },
      input: "A message time to live of -1, for ever",
      documented: "accepted",
      run: (stage) =>
        stage.refusalOf({
          destination: { type: "StorageQueue", queue: "parity", messageTimeToLiveInSeconds: -1 },
        }),
      result: undefined,
    },
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
