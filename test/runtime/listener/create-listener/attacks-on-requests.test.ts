import { gzipSync } from "node:zlib";
import { describe, it } from "vitest";
import { exchange } from "../../../support/raw-http.js";
import { attacked, event, expectHarmless, PATH, post } from "../attack-target.js";

const target = attacked();

type Make = (token: string) => (string | Uint8Array)[];
/** A delivery with these values of `Authorization`, in which TOKEN is a valid token. */
const authorizedBy =
  (...values: string[]): Make =>
  (token) =>
    post(event(), { authorization: values.map((value) => value.replaceAll("TOKEN", token)) });
/** One without a token, and with these headers. */
const anonymous =
  (...headers: string[]): Make =>
  (token) =>
    post(event(), { headers: headers.map((header) => header.replaceAll("TOKEN", token)) });
/** One with a valid token, these headers and this body. */
const withHeaders =
  (headers: string[], body: () => string | Uint8Array = event): Make =>
  (token) =>
    post(body(), { authorization: [`Bearer ${token}`], headers });
/** One of another media type. */
const ofType =
  (type: string): Make =>
  (token) =>
    post(event(), { authorization: [`Bearer ${token}`], type });
/** One whose text is changed. */
const changed =
  (from: string, to: string): Make =>
  (token) => [authorizedBy("Bearer TOKEN")(token).join("").replace(from, to)];
const CHUNKED = ["Transfer-Encoding: chunked"];
const GZIP = ["Content-Encoding: gzip"];

describe("a smuggled or malformed request", () => {
  it.each<[string, number | number[], Make]>([
    ["two tokens, the good one first", 401, authorizedBy("Bearer TOKEN", "Bearer x")],
    ["two tokens, the good one last", 401, authorizedBy("Bearer x", "Bearer TOKEN")],
    ["the same token twice", 401, authorizedBy("Bearer TOKEN", "Bearer TOKEN")],
    ["two tokens in one header", 401, authorizedBy("Bearer TOKEN, Bearer TOKEN")],
    [
      "the token in another header",
      401,
      anonymous("X-Authorization: Bearer TOKEN", "Proxy-Authorization: Bearer TOKEN"),
    ],
    [
      "the token in the query",
      401,
      (token) => [post(event()).join("").replace(PATH, `${PATH}?access_token=${token}`)],
    ],
    ["another method by header", 401, anonymous("X-HTTP-Method-Override: OPTIONS")],
    [
      "a handshake's headers on a delivery",
      401,
      anonymous("WebHook-Request-Origin: eventgrid.azure.net"),
    ],
    [
      "headers of a trusted proxy",
      401,
      anonymous("X-Forwarded-For: 127.0.0.1", "X-MS-CLIENT-PRINCIPAL: e30="),
    ],
    ["a header name with a space", 400, withHeaders(["Content-Length : 5"])],
    ["a line folded over", 400, authorizedBy("Bearer\r\n TOKEN")],
    ["length and chunks at once", 400, withHeaders(["Content-Length: 10", ...CHUNKED])],
    ["two different lengths", 400, withHeaders(["Content-Length: 10", "Content-Length: 20"])],
    ["a negative length", 400, withHeaders(["Content-Length: -1"])],
    ["an unknown transfer coding", 400, withHeaders(["Transfer-Encoding: xchunked"])],
    ["a chunk of nonsense size", 400, withHeaders(CHUNKED, () => "zz\r\n{}\r\n0\r\n\r\n")],
    [
      "headers without end",
      [431, 400],
      () => [`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Pad: ${"x".repeat(70_000)}\r\n\r\n`],
    ],
    ["no HTTP at all", 400, () => ["\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"]],
    ["a NUL in a header", 400, authorizedBy("Bearer TOKEN\0")],
    ["a path that walks up", 404, changed(PATH, "/api/events/../../admin")],
    ["a path of broken escapes", [400, 404], changed(PATH, "/api/%zz")],
    ["an unknown method", [400, 404, 405], changed("POST", "BREW")],
    ["a method of WebDAV", 405, changed("POST", "PROPFIND")],
    ["a huge announced length", 413, withHeaders(["Content-Length: 99999999999"], () => "")],
    [
      "chunks beyond the limit",
      413,
      withHeaders(CHUNKED, () => `300000\r\n${"x".repeat(0x300000)}\r\n0\r\n\r\n`),
    ],
    ["a compressed body", 415, withHeaders(GZIP, () => gzipSync(event()))],
    ["a bomb", 415, withHeaders(GZIP, () => gzipSync("x".repeat(10_000_000)))],
    ["a media type of JSON", 415, ofType("application/json")],
    ["a media type that only begins well", 415, ofType("application/cloudevents+jsonx")],
    ["another charset", 415, ofType("application/cloudevents+json; charset=utf-16")],
    ["an invalid media type", 415, ofType(";;;")],
    ["no media type", 415, ofType("")],
  ])("gets, for %s, the status %j", async (_, status, make) => {
    await expectHarmless(
      await exchange(target().port, make(await target().issuer.token())),
      status,
    );
  });

  it("gets 400 or no response for a truncated body", async () => {
    const parts = post(event().slice(0, 20), {
      authorization: [`Bearer ${await target().issuer.token()}`],
      headers: ["Content-Length: 500"],
    });
    await expectHarmless(await exchange(target().port, parts, { end: true }), [0, 400]);
  });

  it("behind another body is judged by itself", async () => {
    const smuggled = post(event()).join("");
    const first = post("{}", { authorization: [`Bearer ${await target().issuer.token()}`] });
    const response = await exchange(target().port, [...first, smuggled]);
    await expectHarmless(response, 400);
  });
});
