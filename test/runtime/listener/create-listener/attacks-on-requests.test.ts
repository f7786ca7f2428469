import { gzipSync } from "node:zlib";
import { describe, it } from "vitest";
import { exchange } from "../../../support/raw-http.js";
import { attacked, event, expectHarmless, PATH, post } from "../attack-target.js";

const target = attacked();

/** A delivery with a valid token, and these headers besides. */
const withHeaders =
  (...headers: string[]) =>
  (token: string) =>
    post(event(), { authorization: [`Bearer ${token}`], headers });
/** One of another media type. */
const ofType = (type: string) => (token: string) =>
  post(event(), { authorization: [`Bearer ${token}`], type });
/** One whose text is changed. */
const changed = (from: string, to: string) => (token: string) => [
  withHeaders()(token).join("").replace(from, to),
];

describe("a smuggled or malformed request", () => {
  it.each<[string, number | number[], (token: string) => (string | Uint8Array)[]]>([
    [
      "two tokens, the good one first",
      401,
      (token) => post(event(), { authorization: [`Bearer ${token}`, "Bearer x"] }),
    ],
    [
      "two tokens, the good one last",
      401,
      (token) => post(event(), { authorization: ["Bearer x", `Bearer ${token}`] }),
    ],
    [
      "the same token twice",
      401,
      (token) => post(event(), { authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    ],
    [
      "two tokens in one header",
      401,
      (token) => post(event(), { authorization: [`Bearer ${token}, Bearer ${token}`] }),
    ],
    [
      "the token in another header",
      401,
      (token) =>
        post(event(), {
          headers: [`X-Authorization: Bearer ${token}`, `Proxy-Authorization: Bearer ${token}`],
        }),
    ],
    [
      "the token in the query",
      401,
      (token) => [post(event()).join("").replace(PATH, `${PATH}?access_token=${token}`)],
    ],
    [
      "another method by header",
      401,
      () => post(event(), { headers: ["X-HTTP-Method-Override: OPTIONS"] }),
    ],
    [
      "a handshake's headers on a delivery",
      401,
      () => post(event(), { headers: ["WebHook-Request-Origin: eventgrid.azure.net"] }),
    ],
    [
      "headers of a trusted proxy",
      401,
      () =>
        post(event(), { headers: ["X-Forwarded-For: 127.0.0.1", "X-MS-CLIENT-PRINCIPAL: e30="] }),
    ],
    ["a header name with a space", 400, withHeaders("Content-Length : 5")],
    [
      "a line folded over",
      400,
      (token) => [post(event(), { authorization: [`Bearer\r\n ${token}`] })].flat(),
    ],
    [
      "length and chunks at once",
      400,
      withHeaders("Content-Length: 10", "Transfer-Encoding: chunked"),
    ],
    ["two different lengths", 400, withHeaders("Content-Length: 10", "Content-Length: 20")],
    ["a negative length", 400, withHeaders("Content-Length: -1")],
    ["an unknown transfer coding", 400, withHeaders("Transfer-Encoding: xchunked")],
    [
      "a chunk of nonsense size",
      400,
      (token) =>
        post("zz\r\n{}\r\n0\r\n\r\n", {
          authorization: [`Bearer ${token}`],
          headers: ["Transfer-Encoding: chunked"],
        }),
    ],
    [
      "headers without end",
      [431, 400],
      () => [`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Pad: ${"x".repeat(70_000)}\r\n\r\n`],
    ],
    ["no HTTP at all", 400, () => ["\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"]],
    ["a NUL in a header", 400, (token) => post(event(), { authorization: [`Bearer ${token}\0`] })],
    ["a path that walks up", 404, changed(PATH, "/api/events/../../admin")],
    ["a path of broken escapes", [400, 404], changed(PATH, "/api/%zz")],
    ["an unknown method", [400, 404, 405], changed("POST", "BREW")],
    ["a method of WebDAV", 405, changed("POST", "PROPFIND")],
    [
      "a huge announced length",
      413,
      (token) =>
        post("", { authorization: [`Bearer ${token}`], headers: ["Content-Length: 99999999999"] }),
    ],
    [
      "chunks beyond the limit",
      413,
      (token) =>
        post(`300000\r\n${"x".repeat(0x300000)}\r\n0\r\n\r\n`, {
          authorization: [`Bearer ${token}`],
          headers: ["Transfer-Encoding: chunked"],
        }),
    ],
    [
      "a compressed body",
      415,
      (token) =>
        post(gzipSync(event()), {
          authorization: [`Bearer ${token}`],
          headers: ["Content-Encoding: gzip"],
        }),
    ],
    [
      "a bomb",
      415,
      (token) =>
        post(gzipSync("x".repeat(10_000_000)), {
          authorization: [`Bearer ${token}`],
          headers: ["Content-Encoding: gzip"],
        }),
    ],
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
