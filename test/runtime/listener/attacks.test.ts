import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";
import { gzipSync } from "node:zlib";
import { createListener, type Listener } from "cloud-eventgrid-binding-runtime/listener";
import { exportJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT, type SigningKey, TENANT, TestIssuer } from "../../support/issuer.js";
import { exchange, type RawResponse } from "../../support/raw-http.js";
import { anEvent, bindingFor } from "./harness.js";

/**
 * Hostile requests, as bytes on a socket. None may reach a handler, be answered with an error that
 * is not meant, or show anything of what happened inside.
 */
const PATH = "/api/events";
const handled: unknown[] = [];
let issuer: TestIssuer;
let foreign: SigningKey;
let listener: Listener;
let port: number;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  foreign = await issuer.foreignKey();
  listener = createListener(bindingFor(issuer), {
    on: { "*": (event) => void handled.push(event) },
    logger: false,
    port: 0,
    host: "127.0.0.1",
    drainLagMs: 0,
    deadlineMs: 500,
  });
  ({ port } = await listener.listen());
});

afterAll(async () => {
  await listener.close();
  await issuer.stop();
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = () => Math.floor(Date.now() / 1000);

/** A token with any header and any claims, signed with any key; or with no signature worth the name. */
function forge(
  header: Record<string, unknown>,
  claims: unknown,
  signature: KeyObject | ((text: string) => string) = issuer.key.privateKey,
): string {
  const text = `${encode({ typ: "JWT", alg: "RS256", kid: issuer.key.kid, ...header })}.${encode(claims)}`;
  const signed =
    typeof signature === "function"
      ? signature(text)
      : sign("RSA-SHA256", Buffer.from(text), signature).toString("base64url");
  return `${text}.${signed}`;
}

function post(
  body: string | Uint8Array,
  {
    authorization = [] as string[],
    headers = [] as string[],
    type = "application/cloudevents+json",
  } = {},
): (string | Uint8Array)[] {
  const lines = [
    `POST ${PATH} HTTP/1.1`,
    "Host: orders.example.com",
    ...(type === "" ? [] : [`Content-Type: ${type}`]),
    ...authorization.map((value) => `Authorization: ${value}`),
    ...headers,
    ...(headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return [`${lines.join("\r\n")}\r\n\r\n`, body];
}

const event = () => JSON.stringify(anEvent());
const withToken = (token: string) => post(event(), { authorization: [`Bearer ${token}`] });

async function expectHarmless(response: RawResponse, status: number | number[]): Promise<void> {
  expect([status].flat()).toContain(response.status);
  expect(handled).toEqual([]);
  expect(response.body).not.toMatch(/at |\.ts|\.js|node:|stack|undefined|Error:/);
  const good = await exchange(port, withToken(await issuer.token()));
  expect(good.status).toBe(200);
  expect(handled).toHaveLength(1);
  handled.length = 0;
}

describe("forged tokens", () => {
  const claims = () => issuer.claims();
  const publicPem = () =>
    createPublicKey(issuer.key.privateKey).export({ type: "spki", format: "pem" });
  const hs256 = (secret: string | Buffer) => (text: string) =>
    createHmac("sha256", secret).update(text).digest("base64url");

  it.each<[string, () => string | Promise<string>]>([
    ["alg none without a signature", () => forge({ alg: "none" }, claims(), () => "")],
    ["alg None with a signature", () => forge({ alg: "None" }, claims())],
    [
      "HS256 with the public key as secret",
      () => forge({ alg: "HS256" }, claims(), hs256(publicPem())),
    ],
    [
      "HS256 with the modulus as secret",
      () => forge({ alg: "HS256" }, claims(), hs256(String(issuer.key.jwk.n))),
    ],
    [
      "RS512",
      () =>
        forge({ alg: "RS512" }, claims(), (text) =>
          sign("RSA-SHA512", Buffer.from(text), issuer.key.privateKey).toString("base64url"),
        ),
    ],
    ["PS256", () => forge({ alg: "PS256" }, claims())],
    ["an algorithm that is an array", () => forge({ alg: ["RS256"] }, claims())],
    ["no algorithm", () => forge({ alg: undefined }, claims())],
    [
      "a key of its own, embedded",
      async () => forge({ jwk: await exportJWK(foreign.publicKey) }, claims(), foreign.privateKey),
    ],
    [
      "a key of its own by URL",
      () => forge({ jku: "https://evil.example/keys" }, claims(), foreign.privateKey),
    ],
    ["a certificate of its own", () => forge({ x5c: ["MIIB"] }, claims(), foreign.privateKey)],
    [
      "a certificate by URL",
      () => forge({ x5u: "https://evil.example/x5u" }, claims(), foreign.privateKey),
    ],
    ["a foreign key under a known ID", () => forge({}, claims(), foreign.privateKey)],
    ["no key ID", () => forge({ kid: undefined }, claims())],
    ["an empty key ID", () => forge({ kid: "" }, claims())],
    ["a key ID that is a number", () => forge({ kid: 1 }, claims())],
    ["a huge key ID", () => forge({ kid: "k".repeat(1000) }, claims())],
    ["a critical extension", () => forge({ crit: ["exp"] }, claims())],
    ["an unencoded payload", () => forge({ b64: false, crit: ["b64"] }, claims())],
    [
      "an altered claim",
      async () => {
        const [header, , signature] = (await issuer.token()).split(".");
        return `${header}.${encode({ ...claims(), exp: seconds() + 9999 })}.${signature}`;
      },
    ],
    [
      "an altered signature",
      async () => {
        const token = await issuer.token();
        return token.slice(0, -10) + (token.at(-10) === "A" ? "B" : "A") + token.slice(-9);
      },
    ],
    [
      "a signature with loose bits",
      async () => {
        const token = await issuer.token();
        const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return token.slice(0, -1) + last[last.indexOf(token.at(-1) ?? "A") + 1];
      },
    ],
    ["no signature", async () => (await issuer.token()).replace(/\.[^.]*$/, ".")],
    ["two parts", async () => (await issuer.token()).replace(/\.[^.]*$/, "")],
    ["four parts", async () => `${await issuer.token()}.x`],
    ["five parts, as if encrypted", async () => `${await issuer.token()}.x.y`],
    ["padding", async () => `${await issuer.token()}=`],
    ["claims that are an array", () => forge({}, [1])],
    ["claims that are null", () => forge({}, null)],
    ["a header that is no JSON", () => `e30x.${encode(claims())}.AAAA`],
    [
      "claims of invalid UTF-8",
      () => {
        const text = `${encode({ alg: "RS256", kid: issuer.key.kid })}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}`;
        return `${text}.${sign("RSA-SHA256", Buffer.from(text), issuer.key.privateKey).toString("base64url")}`;
      },
    ],
    ["a giant token", () => forge({}, { ...claims(), pad: "x".repeat(9000) })],
  ])("%s: 401", async (_, make) => {
    await expectHarmless(await exchange(port, withToken(await make())), 401);
  });

  it("a key ID that nobody has: judged by the issuer, or not at all", async () => {
    const token = forge({ kid: "../../etc/passwd" }, claims(), foreign.privateKey);
    await expectHarmless(await exchange(port, withToken(token)), [401, 503]);
  });
});

describe("good signatures under wrong claims", () => {
  it.each<[string, number, () => Record<string, unknown>]>([
    ["another audience", 401, () => ({ aud: "00000000-0000-0000-0000-000000000000" })],
    ["no audience", 401, () => ({ aud: undefined })],
    ["audiences as an array", 401, () => ({ aud: [CLIENT] })],
    ["an audience that is an object", 401, () => ({ aud: { toString: CLIENT } })],
    ["another tenant", 401, () => ({ tid: "00000000-0000-0000-0000-000000000000" })],
    ["no tenant", 401, () => ({ tid: undefined })],
    ["a tenant that is an array", 401, () => ({ tid: [TENANT] })],
    ["another issuer", 401, () => ({ iss: "https://sts.windows.net/00000000/" })],
    [
      "the public cloud's issuer, at a local one",
      401,
      () => ({ iss: `https://sts.windows.net/${TENANT}/` }),
    ],
    ["no issuer", 401, () => ({ iss: undefined })],
    ["an issuer that is an array", 401, () => ({ iss: [issuer.v1Issuer] })],
    ["an issuer with a slash too few", 401, () => ({ iss: issuer.v1Issuer.slice(0, -1) })],
    ["expired", 401, () => ({ exp: seconds() - 120 })],
    ["no expiry", 401, () => ({ exp: undefined })],
    ["an expiry that is a string", 401, () => ({ exp: String(seconds() + 3600) })],
    ["an expiry that is no number", 401, () => ({ exp: null })],
    ["a negative expiry", 401, () => ({ exp: -1 })],
    ["not yet valid", 401, () => ({ nbf: seconds() + 3600 })],
    ["a beginning that is a string", 401, () => ({ nbf: "0" })],
    [
      "another caller of the same tenant",
      403,
      () => ({ appid: "00000000-0000-0000-0000-000000000000" }),
    ],
    ["no caller", 403, () => ({ appid: undefined })],
    ["a caller that is an array", 403, () => ({ appid: ["4962773b-9cdb-44cf-a8bf-237846a00ab7"] })],
    [
      "a user's token for the same application",
      403,
      () => ({ appid: "04b07795-8ddb-461a-bbee-02f9e1bf7b46", scp: "user_impersonation" }),
    ],
  ])("%s: %i", async (_, status, claims) => {
    await expectHarmless(await exchange(port, withToken(await issuer.token(claims()))), status);
  });
});

describe("smuggled and malformed requests", () => {
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
    [
      "a header name with a space",
      400,
      (token) =>
        post(event(), { authorization: [`Bearer ${token}`], headers: ["Content-Length : 5"] }),
    ],
    [
      "a line folded over",
      400,
      (token) => [post(event(), { authorization: [`Bearer\r\n ${token}`] })].flat(),
    ],
    [
      "length and chunks at once",
      400,
      (token) =>
        post(event(), {
          authorization: [`Bearer ${token}`],
          headers: ["Content-Length: 10", "Transfer-Encoding: chunked"],
        }),
    ],
    [
      "two different lengths",
      400,
      (token) =>
        post(event(), {
          authorization: [`Bearer ${token}`],
          headers: ["Content-Length: 10", "Content-Length: 20"],
        }),
    ],
    [
      "a negative length",
      400,
      (token) =>
        post(event(), { authorization: [`Bearer ${token}`], headers: ["Content-Length: -1"] }),
    ],
    [
      "an unknown transfer coding",
      400,
      (token) =>
        post(event(), {
          authorization: [`Bearer ${token}`],
          headers: ["Transfer-Encoding: xchunked"],
        }),
    ],
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
      () => [`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Pad: ${"x".repeat(20_000)}\r\n\r\n`],
    ],
    ["no HTTP at all", 400, () => ["\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"]],
    ["a NUL in a header", 400, (token) => post(event(), { authorization: [`Bearer ${token}\0`] })],
    [
      "a path that walks up",
      404,
      (token) => [
        post(event(), { authorization: [`Bearer ${token}`] })
          .join("")
          .replace(PATH, "/api/events/../../admin"),
      ],
    ],
    [
      "a path of broken escapes",
      [400, 404],
      (token) => [
        post(event(), { authorization: [`Bearer ${token}`] })
          .join("")
          .replace(PATH, "/api/%zz"),
      ],
    ],
    [
      "an unknown method",
      [400, 404, 405],
      (token) => [
        post(event(), { authorization: [`Bearer ${token}`] })
          .join("")
          .replace("POST", "BREW"),
      ],
    ],
    [
      "a method of WebDAV",
      [404, 405],
      (token) => [
        post(event(), { authorization: [`Bearer ${token}`] })
          .join("")
          .replace("POST", "PROPFIND"),
      ],
    ],
    [
      "a larger length than body",
      503,
      (token) =>
        post(event(), { authorization: [`Bearer ${token}`], headers: ["Content-Length: 100000"] }),
    ],
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
    [
      "a media type of JSON",
      415,
      (token) => post(event(), { authorization: [`Bearer ${token}`], type: "application/json" }),
    ],
    [
      "a media type that only begins well",
      415,
      (token) =>
        post(event(), {
          authorization: [`Bearer ${token}`],
          type: "application/cloudevents+jsonx",
        }),
    ],
    [
      "another charset",
      415,
      (token) =>
        post(event(), {
          authorization: [`Bearer ${token}`],
          type: "application/cloudevents+json; charset=utf-16",
        }),
    ],
    [
      "a media type that is none",
      415,
      (token) => post(event(), { authorization: [`Bearer ${token}`], type: ";;;" }),
    ],
    [
      "no media type",
      415,
      (token) => post(event(), { authorization: [`Bearer ${token}`], type: "" }),
    ],
  ])("%s: %j", async (_, status, make) => {
    await expectHarmless(await exchange(port, make(await issuer.token())), status);
  });

  it("a truncated body is given up without an answer that counts", async () => {
    const parts = post(event().slice(0, 20), {
      authorization: [`Bearer ${await issuer.token()}`],
      headers: ["Content-Length: 500"],
    });
    await expectHarmless(await exchange(port, parts, { end: true }), [0, 400]);
  });

  it("a second request behind the body is judged by itself", async () => {
    const smuggled = post(event()).join("");
    const first = post("{}", { authorization: [`Bearer ${await issuer.token()}`] });
    const response = await exchange(port, [...first, smuggled]);
    await expectHarmless(response, 400);
  });
});

describe("hostile bodies of verified callers", () => {
  it.each<[string, () => string | Uint8Array]>([
    ["nothing", () => ""],
    ["no JSON", () => "{"],
    ["a number", () => "1"],
    ["a string", () => '"event"'],
    ["null", () => "null"],
    ["two documents", () => `${event()}${event()}`],
    ["a comment", () => `/* */${event()}`],
    ["a byte order mark of UTF-16", () => Buffer.from(`\ufeff${event()}`, "utf16le")],
    [
      "invalid UTF-8",
      () => Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    ],
    [
      "overlong UTF-8",
      () => Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    ],
    [
      "a lone surrogate in an attribute",
      () => '{"specversion":"1.0","id":"\\ud800","source":"/s","type":"t"}',
    ],
    [
      "a NUL in an attribute",
      () => '{"specversion":"1.0","id":"a\\u0000","source":"/s","type":"t"}',
    ],
    ["arrays nested deep", () => "[".repeat(500_000) + "]".repeat(500_000)],
    ["objects nested deep", () => '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
    [
      "data nested deep",
      () =>
        JSON.stringify(anEvent({ data: null })).replace(
          '"data":null',
          `"data":${"[".repeat(5000)}${"]".repeat(5000)}`,
        ),
    ],
    [
      "__proto__ as an attribute",
      () => '{"specversion":"1.0","id":"1","source":"/s","type":"t","__proto__":{"isAdmin":true}}',
    ],
    [
      "__proto__ in data",
      () =>
        '{"specversion":"1.0","id":"1","source":"/s","type":"t","data":{"__proto__":{"isAdmin":true}}}',
    ],
    [
      "__proto__ with escapes",
      () =>
        '{"specversion":"1.0","id":"1","source":"/s","type":"t","data":{"\\u005f\\u005fproto\\u005f\\u005f":1}}',
    ],
    [
      "constructor.prototype in data",
      () =>
        '{"specversion":"1.0","id":"1","source":"/s","type":"t","data":{"constructor":{"prototype":{}}}}',
    ],
    [
      "a constructor attribute",
      () => '{"specversion":"1.0","id":"1","source":"/s","type":"t","constructor":"x"}',
    ],
    ["another specversion", () => JSON.stringify(anEvent({ specversion: "2.0" }))],
    [
      "Event Grid's own schema",
      () =>
        JSON.stringify([
          {
            id: "1",
            eventType: "t",
            subject: "s",
            topic: "/t",
            eventTime: "2026-01-01T00:00:00Z",
            data: {},
            dataVersion: "1",
          },
        ]),
    ],
    [
      "a validation event of that schema",
      () =>
        JSON.stringify([
          {
            id: "1",
            eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
            data: { validationCode: "512d38b6" },
          },
        ]),
    ],
    [
      "attributes of wrong types",
      () => JSON.stringify(anEvent({ id: { $ne: null }, type: ["t"] })),
    ],
    ["data twice over", () => JSON.stringify(anEvent({ data_base64: "AA==" }))],
    ["an array of arrays", () => "[[]]"],
    ["an array of nulls", () => "[null,null]"],
  ])("%s: 400", async (_, body) => {
    const request = post(body(), { authorization: [`Bearer ${await issuer.token()}`] });
    await expectHarmless(await exchange(port, request), 400);
  });

  it("a batch of too many events: 413", async () => {
    const body = `[${"1,".repeat(5000)}1]`;
    const request = post(body, { authorization: [`Bearer ${await issuer.token()}`] });
    await expectHarmless(await exchange(port, request), 413);
  });

  it("a body that trickles: 503 at the deadline", async () => {
    const request = post("", {
      authorization: [`Bearer ${await issuer.token()}`],
      headers: ["Content-Length: 500"],
    });
    await expectHarmless(await exchange(port, request), 503);
  });

  it("leave no trace on any object", () => {
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });
});

describe("forged handshakes", () => {
  it.each<[string, string[]]>([
    ["another origin", ["WebHook-Request-Origin: evil.example"]],
    [
      "two origins",
      ["WebHook-Request-Origin: eventgrid.azure.net", "WebHook-Request-Origin: evil.example"],
    ],
    ["an origin with a line end", ["WebHook-Request-Origin: evil.example%0d%0aX: y"]],
    ["an origin as a URL", ["WebHook-Request-Origin: https://eventgrid.azure.net"]],
    ["an origin in another header", ["Origin: eventgrid.azure.net"]],
  ])("%s: 200 without consent", async (_, headers) => {
    const request = `OPTIONS ${PATH} HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n`;
    const response = await exchange(port, [request]);
    expect(response.head.toLowerCase()).not.toContain("webhook-allowed");
    await expectHarmless(response, 200);
  });
});
