import { type NamespaceRequest, VERSION } from "../../../support/namespace-client.js";
import { type Area, type Row, rowsThat, type Source } from "../../row.js";
import { BATCH, cloudEvent, SINGLE } from "../../stage.js";
import {
  CONCEPTS,
  DEAD_LETTERS,
  LIMITS,
  open,
  queue,
  RECORDINGS,
  refusal,
  request,
  SPECIFICATION,
  statusIn,
} from "./opened.js";

const BINDING: Source = {
  page: "https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md",
  section: "HTTP binding of CloudEvents, 3.1.3.2",
};

const single = (attributes: object, type = SINGLE): NamespaceRequest => ({
  body: cloudEvent({ data: {}, ...attributes }),
  headers: { "content-type": type },
});

const binary = (type: string, body: string | Uint8Array, headers = {}): NamespaceRequest => ({
  body,
  headers: {
    "content-type": type,
    ...{ "ce-id": "1", "ce-source": "/s", "ce-type": "t", "ce-specversion": "1.0" },
    ...headers,
  },
});

const events = (length: number) =>
  Array.from({ length }, (_, id) => cloudEvent({ id: `${id}`, data: {} }));

/** A row about an event that is published and received, as the text of its JSON. */
const received = rowsThat(async (stage, of: NamespaceRequest = single({})) => {
  const opened = await open(stage);
  await opened.send(of);
  return (await opened.first())?.event.json ?? "{}";
});

const dataIn = (json: string) => {
  const { data, data_base64 } = JSON.parse(json);
  return [data, data_base64];
};

/** The status of publishing an event with these attributes. */
const status = (source: Source, input: string, documented: string, result: number, of: object) =>
  request(source, input).documented(documented).with(single(of)).gives(result, statusIn);

const refused = (input: string, body: unknown, message: string, type = SINGLE): Row =>
  refusal(
    input,
    { body, headers: type ? { "content-type": type } : {} },
    400,
    "BadRequest",
    message,
  );

const IN_BINARY = "refused in the binary mode; open for others";

export const publishing: Area = {
  title: "Namespaces: publishing",
  rows: [
    request(SPECIFICATION, "An event with the charset in its content type")
      .documented("200 `{}`")
      .with(single({}, `${SINGLE}; charset=utf-8`))
      .gives([200, {}], ({ status, body }) => [status, body]),
    queue(SPECIFICATION, "A batch of two events")
      .documented("200 `{}`, and both are received")
      .gives([200, 2], async (opened) => {
        const { status } = await opened.publishAll(events(2));
        return [status, (await opened.queue.receive({ maxEvents: 10 })).length];
      }),
    request(SPECIFICATION, "A request with `GET`")
      .open("405")
      .with({ method: "GET" })
      .gives(405, statusIn),
    request(SPECIFICATION, "A request without `api-version`")
      .open("400 `BadRequest`")
      .with({ path: "orders:publish", body: cloudEvent({ data: {} }) })
      .gives(400, statusIn),
    refused(
      "An event without `source`",
      cloudEvent({ data: {}, source: undefined }),
      "`source` attribute is required",
    ),
    refused("An event without `data`", cloudEvent(), "'data' attribute is required"),
    refused("Binary mode without `Content-Type`", "x", "CONTENT-TYPE is not provided", ""),
    refusal(
      "An unknown topic, and an invalid body",
      { path: `x:publish?${VERSION}`, body: "no JSON", headers: { "content-type": SINGLE } },
      404,
      "NotFound",
      "Topic 'x' is not found",
    ),
    request(SPECIFICATION, "The form of an error")
      .documented(
        "the header `x-ms-error-code`, and `target`, `details` and `innererror` in the body",
      )
      .differs(
        "the header `broker-errorcode`, and `code`, `message`, `timestamp_utc` and `tracking_id`, as the service was recorded",
      )
      .with(single({ source: "" }))
      .gives(
        ["BadRequest", ["code", "message", "timestamp_utc", "tracking_id"]],
        ({ code, error }) => [code, Object.keys(error).sort()],
      ),
    request(CONCEPTS, "An event with `data: null`")
      .open("400, as without `data`")
      .with(single({ data: null }))
      .gives(400, statusIn),
    status(CONCEPTS, "An event of CloudEvents 0.3", "only CloudEvents 1.0", 400, {
      specversion: "0.3",
    }),
    status(CONCEPTS, "An extension attribute with 20 characters", "accepted", 200, {
      ["a".repeat(20)]: "x",
    }),
    {
      ...status(CONCEPTS, "An extension attribute with 21 characters", IN_BINARY, 400, {
        ["a".repeat(21)]: "x",
      }),
      unknown: "400",
    },
    {
      ...status(CONCEPTS, "An extension attribute with an upper-case letter", IN_BINARY, 400, {
        orderId: "x",
      }),
      unknown: "400",
    },
    received(RECORDINGS, "`time` with an offset, and members of `data` in another order")
      .documented("received in UTC, and sorted")
      .with(single({ time: "2026-01-31T00:30:00.000-07:00", data: { b: 1, a: 2 } }))
      .gives(
        '{"data":{"a":2,"b":1},"id":"1","source":"/shop","specversion":"1.0","time":"2026-01-31T07:30:00Z","type":"shop.placed"}',
      ),
    received(RECORDINGS, "An event without `time` and `datacontenttype`")
      .documented("received without them")
      .gives(["data", "id", "source", "specversion", "type"], (json) =>
        Object.keys(JSON.parse(json)),
      ),
    received(RECORDINGS, "Binary mode: attributes in headers, `text/xml` as the body")
      .documented("the data is received as a string")
      .with(binary("text/xml", "<a/>"))
      .gives(["<a/>", undefined], dataIn),
    received(RECORDINGS, "Binary mode, `application/customcontenttype`")
      .documented("received as `data_base64`")
      .with(binary("application/customcontenttype", new Uint8Array([1, 2])))
      .gives([undefined, "AQI="], dataIn),
    received(DEAD_LETTERS, "Binary mode, `application/vnd.shop+json`")
      .documented("dead-lettered as JSON in `data`; how it is received is open")
      .unknown("as JSON in `data`")
      .with(binary("application/vnd.shop+json", '{"a":1}'))
      .gives([{ a: 1 }, undefined], dataIn),
    received(RECORDINGS, "Binary mode, an extension attribute `ce-count: 101`")
      .documented('received as the string `"101"`')
      .with(binary("text/plain", "x", { "ce-count": "101" }))
      .gives("101", (json) => JSON.parse(json).count),
    request(CONCEPTS, "Binary mode with `ce-datacontenttype`")
      .documented("must be absent; the status is open")
      .unknown("400")
      .with(binary("text/plain", "x", { "ce-datacontenttype": "text/plain" }))
      .gives(400, statusIn),
    request(BINDING, "Binary mode, a header that is not UTF-8 when it is decoded")
      .documented("rejected")
      .with(binary("text/plain", "x", { "ce-subject": "%C0%A0" }))
      .gives(400, statusIn),
    received(RECORDINGS, "A structured event with `ce-` headers besides")
      .documented("read as structured")
      .with({
        body: cloudEvent({ id: "body", data: {} }),
        headers: { "content-type": SINGLE, "ce-id": "header" },
      })
      .gives("body", (json) => JSON.parse(json).id),
    request(LIMITS, "An event of more than 1 MB")
      .documented("refused; the status is open")
      .unknown("413")
      .with(single({ data: "x".repeat(1024 * 1024) }))
      .gives(413, statusIn),
    queue(LIMITS, "A batch of 1,001 events")
      .documented("at most 1,000; the status is open")
      .unknown("400")
      .gives([200, 400], async (opened) => {
        const allowed = await opened.publishAll(events(1000));
        return [allowed.status, (await opened.publishAll(events(1001))).status];
      }),
    queue(LIMITS, "More than 1,000 events per second and throughput unit")
      .documented("throttled; the status is open")
      .differs("accepted; `faults.publishing` and `faults.receiving` answer 429 on demand")
      .gives([200, 200], async (opened) => {
        const first = await opened.publishAll(events(1000));
        return [first.status, (await opened.publishAll(events(1000))).status];
      }),
    queue(RECORDINGS, "A publisher of basic topics sends to a namespace: `POST /api/events`")
      .documented("404")
      .gives(404, async ({ namespace }) => {
        const headers = { "aeg-sas-key": namespace.accessKey, "content-type": BATCH };
        const url = `${namespace.endpoint}/api/events`;
        return (await fetch(url, { method: "POST", headers, body: "[]" })).status;
      }),
  ],
};
