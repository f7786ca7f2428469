import type { Area, Row, Source } from "../../row.js";
import { BATCH, cloudEvent, SINGLE } from "../../stage.js";
import {
  CONCEPTS,
  DEAD_LETTERS,
  type Finding,
  LIMITS,
  Opened,
  open,
  RECORDINGS,
  row,
  SPECIFICATION,
  VERSION,
} from "./opened.js";

/** A publish request that is refused, with its status, code and message. */
function refused(
  input: string,
  body: unknown,
  message: string,
  { path = `orders:publish?${VERSION}`, type = SINGLE, status = 400, code = "BadRequest" } = {},
): Row {
  return row(
    RECORDINGS,
    input,
    `${status} \`${code}\`, “${message}”`,
    [status, code, message],
    async (opened) => {
      const reply = await opened.send(path, body, type ? { "content-type": type } : {});
      return [reply.status, reply.code, reply.error.message];
    },
  );
}

/** The status of publishing an event with these attributes. */
const status = (
  source: Source,
  input: string,
  finding: Finding,
  result: number,
  attributes: object,
): Row =>
  row(source, input, finding, result, async (opened) => (await opened.publish(attributes)).status);

const without = (name: string) => ({ ...cloudEvent({ data: {} }), [name]: undefined });

const IN_BINARY = {
  documented: "refused in the binary mode; open for others",
  unknown: "400",
};

const dataOf = (event: Readonly<Record<string, unknown>>) => [event.data, event.data_base64];

export const publishing: Area = {
  title: "Namespaces: publishing",
  rows: [
    row(
      SPECIFICATION,
      "An event with the charset in its content type",
      "200 `{}`",
      [200, {}],
      async (opened) => {
        const { status, body } = await opened.publish({}, `${SINGLE}; charset=utf-8`);
        return [status, body];
      },
    ),
    row(
      SPECIFICATION,
      "A batch of two events",
      "200 `{}`, and both are received",
      [200, 2],
      async (opened) => {
        const { status } = await opened.publishAll(
          ["1", "2"].map((id) => cloudEvent({ id, data: {} })),
        );
        return [status, (await opened.queue.receive({ maxEvents: 10 })).length];
      },
    ),
    row(
      SPECIFICATION,
      "A request with `GET`",
      open("405"),
      405,
      async (opened) =>
        (await opened.send(`orders:publish?${VERSION}`, undefined, {}, "GET")).status,
    ),
    row(
      SPECIFICATION,
      "A request without `api-version`",
      open("400 `BadRequest`"),
      400,
      async (opened) => (await opened.send("orders:publish", cloudEvent({ data: {} }))).status,
    ),
    refused("An event without `source`", without("source"), "`source` attribute is required"),
    refused("An event without `data`", cloudEvent(), "'data' attribute is required"),
    refused("Binary mode without `Content-Type`", "x", "CONTENT-TYPE is not provided", {
      type: "",
    }),
    refused("An unknown topic, and an invalid body", "no JSON", "Topic 'x' is not found", {
      path: `x:publish?${VERSION}`,
      status: 404,
      code: "NotFound",
    }),
    row(
      SPECIFICATION,
      "The form of an error",
      {
        documented:
          "the header `x-ms-error-code`, and `target`, `details` and `innererror` in the body",
        differs:
          "the header `broker-errorcode`, and `code`, `message`, `timestamp_utc` and `tracking_id`, as the service was recorded",
      },
      ["BadRequest", ["code", "message", "timestamp_utc", "tracking_id"]],
      async (opened) => {
        const { code, error } = await opened.publish({ source: "" });
        return [code, Object.keys(error).sort()];
      },
    ),
    status(CONCEPTS, "An event with `data: null`", open("400, as without `data`"), 400, {
      data: null,
    }),
    status(CONCEPTS, "An event of CloudEvents 0.3", "only CloudEvents 1.0", 400, {
      specversion: "0.3",
    }),
    status(CONCEPTS, "An extension attribute with 20 characters", "accepted", 200, {
      ["a".repeat(20)]: "x",
    }),
    status(CONCEPTS, "An extension attribute with 21 characters", IN_BINARY, 400, {
      ["a".repeat(21)]: "x",
    }),
    status(CONCEPTS, "An extension attribute with an upper-case letter", IN_BINARY, 400, {
      orderId: "x",
    }),
    row(
      RECORDINGS,
      "`time` with an offset, and members of `data` in another order",
      "received in UTC, and sorted",
      '{"data":{"a":2,"b":1},"id":"1","source":"/shop","specversion":"1.0","time":"2026-01-31T07:30:00Z","type":"shop.placed"}',
      async (opened) => {
        await opened.publish({ time: "2026-01-31T00:30:00.000-07:00", data: { b: 1, a: 2 } });
        return (await opened.first())?.event.json;
      },
    ),
    row(
      RECORDINGS,
      "An event without `time` and `datacontenttype`",
      "received without them",
      ["data", "id", "source", "specversion", "type"],
      async (opened) => {
        await opened.publish();
        return Object.keys(JSON.parse((await opened.first())?.event.json ?? "{}"));
      },
    ),
    row(
      RECORDINGS,
      "Binary mode: attributes in headers, `text/xml` as the body",
      "the data is received as a string",
      ["<a/>", undefined],
      async (opened) => dataOf(await opened.publishBinary("text/xml", "<a/>")),
    ),
    row(
      RECORDINGS,
      "Binary mode, `application/customcontenttype`",
      "received as `data_base64`",
      [undefined, "AQI="],
      async (opened) =>
        dataOf(await opened.publishBinary("application/customcontenttype", new Uint8Array([1, 2]))),
    ),
    row(
      DEAD_LETTERS,
      "Binary mode, `application/vnd.shop+json`",
      {
        documented: "dead-lettered as JSON in `data`; how it is received is open",
        unknown: "as JSON in `data`",
      },
      [{ a: 1 }, undefined],
      async (opened) => dataOf(await opened.publishBinary("application/vnd.shop+json", '{"a":1}')),
    ),
    row(
      RECORDINGS,
      "Binary mode, an extension attribute `ce-count: 101`",
      'received as the string `"101"`',
      "101",
      async (opened) =>
        (await opened.publishBinary("text/plain", "x", { "ce-count": "101" })).count,
    ),
    row(
      CONCEPTS,
      "Binary mode with `ce-datacontenttype`",
      { documented: "must be absent; the status is open", unknown: "400" },
      400,
      async (opened) => {
        const headers = { "content-type": "text/plain", "ce-datacontenttype": "text/plain" };
        return (await opened.send(`orders:publish?${VERSION}`, "x", headers)).status;
      },
    ),
    row(
      RECORDINGS,
      "A structured event with `ce-` headers besides",
      "read as structured",
      "body",
      async (opened) => {
        const headers = { "content-type": SINGLE, "ce-id": "header" };
        const event = cloudEvent({ id: "body", data: {} });
        await opened.send(`orders:publish?${VERSION}`, event, headers);
        return (await opened.first())?.event.id;
      },
    ),
    status(
      LIMITS,
      "An event of more than 1 MB",
      { documented: "refused; the status is open", unknown: "413" },
      413,
      { data: "x".repeat(1024 * 1024) },
    ),
    row(
      LIMITS,
      "A batch of 1,001 events",
      { documented: "at most 1,000; the status is open", unknown: "400" },
      [200, 400],
      async (opened) => {
        const statuses: number[] = [];
        for (const length of [1000, 1001]) {
          const events = Array.from({ length }, (_, id) => cloudEvent({ id: `${id}`, data: 1 }));
          statuses.push((await opened.publishAll(events)).status);
        }
        return statuses;
      },
    ),
    row(
      LIMITS,
      "More than 1,000 events per second and throughput unit",
      {
        documented: "throttled; the status is open",
        differs: "accepted; `faults.publishing` and `faults.receiving` answer 429 on demand",
      },
      [200, 200],
      async (opened) => {
        const events = Array.from({ length: 1000 }, (_, id) =>
          cloudEvent({ id: `${id}`, data: 1 }),
        );
        return [(await opened.publishAll(events)).status, (await opened.publishAll(events)).status];
      },
    ),
    {
      source: RECORDINGS,
      input: "A publisher of basic topics sends to a namespace: `POST /api/events`",
      documented: "404",
      run: async (stage) => {
        const { namespace } = await Opened.open(stage);
        const headers = { "aeg-sas-key": namespace.accessKey, "content-type": BATCH };
        const url = `${namespace.endpoint}/api/events`;
        return (await fetch(url, { method: "POST", headers, body: "[]" })).status;
      },
      result: 404,
    },
  ],
};
