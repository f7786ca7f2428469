import { expect, it, onTestFinished } from "vitest";
import {
  basicCredentials,
  close,
  createHttpServer,
  decoded,
  isEqualText,
  listen,
  type Route,
  readBody,
  readJson,
  readJsonObject,
  requestListener,
  sendJson,
} from "../../../local/src/http/index.js";

async function serve(bodyOf: (request: Parameters<typeof readJson>[0]) => Promise<unknown>) {
  const route: Route = async (exchange) => {
    sendJson(exchange, 200, { body: await bodyOf(exchange.request) });
    return true;
  };
  const server = createHttpServer();
  const port = await listen(server, 0, "127.0.0.1");
  server.on("request", requestListener([route], "http"));
  onTestFinished(() => close(server));
  return async (body: string, contentType = "text/plain") => {
    const headers = { "content-type": contentType };
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body });
    const { body: read, error } = Object(await response.json());
    return error ?? read;
  };
}

it("a body may be as long as its limit, and is not there beyond it", async () => {
  const send = await serve(async (request) => String(await readBody(request, 4)));
  expect([await send(""), await send("1234"), await send("12345")]).toEqual([
    "",
    "1234",
    "undefined",
  ]);
  const sendJsonText = await serve((request) => readJson(request, 4));
  expect(await sendJsonText("[12]")).toEqual([12]);
  expect(await sendJsonText("[123]")).toEqual({
    code: "RequestContentTooLarge",
    message: "The request content size exceeds the maximum size of '4' bytes.",
  });
  // https://learn.microsoft.com/azure/azure-resource-manager/templates/best-practices#template-limits
  const sendTemplate = await serve((request) => readJson(request));
  expect(await sendTemplate(" ".repeat(4_194_305))).toMatchObject({
    message: expect.stringContaining("'4194304' bytes"),
  });
});

it("a body is JSON of at most 100 levels, in which only az's templates need no quotes", async () => {
  const send = await serve(readJson);
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const invalid = "The request content was invalid and could not be deserialized.";
  expect(await send('{"properties": {template : {"a": 1}}}')).toEqual({
    properties: { template: { a: 1 } },
  });
  expect(await send("")).toBeUndefined();
  expect(await send(nested(100))).toEqual(JSON.parse(nested(100)));
  expect(await send(nested(101))).toEqual({
    code: "InvalidRequestContent",
    message: `${invalid} It is nested deeper than 100 levels.`,
  });
  expect(await send('{"properties": {name: 1}}')).toEqual({
    code: "InvalidRequestContent",
    message: invalid,
  });
});

it("an object is JSON by its content type, which no page may send to another origin", async () => {
  const send = await serve(readJsonObject);
  expect(await send('{"a": 1}', "Application/JSON ; charset=utf-8")).toEqual({ a: 1 });
  expect(await send("", "application/json")).toEqual({});
  expect(await send("[]", "application/json")).toEqual({
    code: "InvalidRequestContent",
    message: "The body must be a JSON object.",
  });
  expect(await send("{}")).toMatchObject({ code: "UnsupportedMediaType" });
});

it("the parts of a request are read leniently, and credentials exactly", () => {
  const basic = (text: string) => basicCredentials(`BASIC ${Buffer.from(text).toString("base64")}`);
  expect([basic("user:pass:word"), basic("user"), basic("ü:é")]).toEqual([
    ["user", "pass:word"],
    ["user", ""],
    ["ü", "é"],
  ]);
  expect([basicCredentials(undefined), basicCredentials("Bearer dTpw")]).toEqual([[], []]);
  expect([decoded("a%20b"), decoded("50%")]).toEqual(["a b", "50%"]);
  expect([isEqualText("é", "é"), isEqualText("é", "ab"), isEqualText("a", "ab")]).toEqual([
    true,
    false,
    false,
  ]);
});
