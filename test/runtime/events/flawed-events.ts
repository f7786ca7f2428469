/** An event with one flaw, as it occurs in Microsoft's samples or as topics accept it. */
interface FlawedEvent {
  readonly flaw: string;
  /** The event as JSON. */
  readonly sent: string;
  /** The event that a handler receives, if it is not the one that was sent. */
  readonly received?: object;
}

const minimal = { specversion: "1.0", id: "1", source: "/shop", type: "placed" };
const flawed = (change: object, flaw: string): FlawedEvent => ({
  flaw,
  sent: JSON.stringify({ ...minimal, ...change }),
});
const cleaned = (data: string, flaw: string, clean: unknown): FlawedEvent => ({
  flaw,
  sent: `{${JSON.stringify(minimal).slice(1, -1)},"data":${data}}`,
  received: { ...minimal, data: clean },
});
const decoded = (change: object, flaw: string, received: object): FlawedEvent => ({
  ...flawed(change, flaw),
  received: { ...minimal, ...received },
});

const TIME = "2026-01-01T00:00:00Z";
const NAME = "is not a valid attribute name: extensions have lower-case letters and digits only";

/** One event for each kind of flaw. */
export const flawedEvents: readonly FlawedEvent[] = [
  {
    // The published sample of LifecyclePolicyCompleted has a time without offset.
    flaw: 'time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is "2022-05-26T00:00:40.1880331"',
    sent: JSON.stringify({
      source: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a",
      subject: "BlobDataManagement/LifeCycleManagement/SummaryReport",
      type: "Microsoft.Storage.LifecyclePolicyCompleted",
      time: "2022-05-26T00:00:40.1880331",
      id: "00000000-0000-0000-0000-000000000000",
      data: { scheduleTime: "2022/05/24 22:57:29.3260160" },
      specversion: "1.0",
    }),
  },
  {
    // The published sample of ImportRDBCompleted has the event time of another schema.
    flaw: `"eventTime" ${NAME}`,
    sent: JSON.stringify({
      id: "9b87886d-21a5-4af5-8e3e-10c4b8dac73b",
      source: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/Redis/c",
      subject: "ImportRDBCompleted",
      type: "Microsoft.Cache.ImportRDBCompleted",
      data: {
        name: "ImportRDBCompleted",
        timestamp: "2020-12-09T21:50:19.9995668+00:00",
        status: "Succeeded",
      },
      eventTime: "2020-12-09T21:50:19.9995668+00:00",
      specversion: "1.0",
    }),
  },
  flawed({ time: 0 }, "time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is 0"),
  flawed(
    { time: "2026-01-01 00:00:00Z" },
    'time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is "2026-01-01 00:00:00Z"',
  ),
  flawed({ source: "the shop" }, 'source must be a URI reference, but is "the shop"'),
  flawed({ source: "/half%2" }, 'source must be a URI reference, but is "/half%2"'),
  flawed({ id: "a\u0000b" }, "id contains characters that CloudEvents does not allow"),
  flawed({ type: "a\uffffb" }, "type contains characters that CloudEvents does not allow"),
  flawed({ subject: {} }, "subject must be a string, but is {}"),
  flawed({ dataschema: "" }, "dataschema is empty"),
  flawed({ dataschema: "<x>" }, 'dataschema must be a URI reference, but is "<x>"'),
  flawed({ datacontenttype: "json" }, 'datacontenttype must be a media type, but is "json"'),
  flawed({ ext: 1.5 }, "extension ext must be a 32-bit integer, but is 1.5"),
  flawed({ ext: 2 ** 31 }, "extension ext must be a 32-bit integer, but is 2147483648"),
  flawed({ ext: { a: 1 } }, "extension ext must be a string, a boolean or an integer"),
  flawed({ partitionKey: "x" }, `"partitionKey" ${NAME}`),
  flawed({ "data-x": "x" }, `"data-x" ${NAME}`),
  flawed({ constructor: "x" }, `"constructor" ${NAME}`),
  decoded({ data_base64: "AAE" }, "data_base64 is not padded standard base64", {
    data: new Uint8Array([0, 1]),
  }),
  decoded({ data_base64: "AAH_" }, "data_base64 is not padded standard base64", {
    data: new Uint8Array([0, 1, 255]),
  }),
  flawed({ data_base64: "?" }, "data_base64 is not base64: it was not decoded"),
  flawed({ data_base64: 5 }, "data_base64 is not base64: it was not decoded"),
  decoded(
    { data: 1, data_base64: "AA==" },
    "data and data_base64 exclude each other: data_base64 was ignored",
    { data: 1 },
  ),
  cleaned('{"__proto__":{"x":1},"y":2}', 'the key "__proto__" was removed', { y: 2 }),
  {
    flaw: 'the key "__proto__" was removed',
    // The rules of its other attributes hold for their own values.
    sent: `{"__proto__":{},${JSON.stringify({ ...minimal, time: TIME }).slice(1)}`,
    received: { ...minimal, time: TIME },
  },
  cleaned('[{"\\u005f_proto__":1}]', 'the key "__proto__" was removed', [{}]),
  cleaned(
    '[{"constructor":{"prototype":{"x":1},"y":2}}]',
    'the key "constructor.prototype" was removed',
    [{ constructor: { y: 2 } }],
  ),
];
