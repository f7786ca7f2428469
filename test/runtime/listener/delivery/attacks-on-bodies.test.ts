import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { exchange } from "../../../support/raw-http.js";
import { attacked, event, expectHarmless, post, takeHandled } from "../attack-target.js";
import { anEvent } from "../service.js";

const target = attacked();

/** An event with further members, as text that JavaScript would not write. */
const raw = (members: string) =>
  `{"specversion":"1.0","id":"1","source":"/s","type":"t",${members}}`;

describe("a verified caller with a hostile body", () => {
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
    ["arrays nested deep", () => "[".repeat(500_000) + "]".repeat(500_000)],
    ["objects nested deep", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    [
      "data nested deep",
      () =>
        JSON.stringify(anEvent({ data: null })).replace(
          '"data":null',
          `"data":${"[".repeat(5000)}${"]".repeat(5000)}`,
        ),
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
    ["an array of arrays", () => "[[]]"],
    ["an array of nulls", () => "[null,null]"],
  ])("gets 400 for %s", async (_, body) => {
    const request = post(body(), { authorization: [`Bearer ${await target().issuer.token()}`] });
    await expectHarmless(await exchange(target().port, request), 400);
  });

  it.each<[string, () => string]>([
    [
      "a lone surrogate in an attribute",
      () => '{"specversion":"1.0","id":"\\ud800","source":"/s","type":"t"}',
    ],
    [
      "a NUL in an attribute",
      () => '{"specversion":"1.0","id":"a\\u0000","source":"/s","type":"t"}',
    ],
    ["__proto__ as an attribute", () => raw('"__proto__":{"isAdmin":true}')],
    ["__proto__ in data", () => raw('"data":{"__proto__":{"isAdmin":true}}')],
    ["__proto__ with escapes", () => raw('"data":{"\\u005f\\u005fproto\\u005f\\u005f":1}')],
    ["constructor.prototype in data", () => raw('"data":{"constructor":{"prototype":{}}}')],
    ["a constructor attribute", () => raw('"constructor":"x"')],
    ["data twice over", () => JSON.stringify(anEvent({ data_base64: "AA==" }))],
  ])("has its event handled without harm: %s", async (_, body) => {
    const unique = body().replace('"id":"1"', `"id":"${randomUUID()}"`);
    const request = post(unique, { authorization: [`Bearer ${await target().issuer.token()}`] });
    expect((await exchange(target().port, request)).status).toBe(200);
    const [event] = takeHandled();
    expect(JSON.stringify(event)).not.toMatch(/__proto__|prototype/);
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });

  it.each([
    ["one event too many", `[${"1,".repeat(5000)}1]`],
    ["690,000 elements in 2 MB", `[${"{},".repeat(689_999)}{}]`],
  ])("gets 413 for a batch of %s", async (_, body) => {
    const request = post(body, { authorization: [`Bearer ${await target().issuer.token()}`] });
    await expectHarmless(await exchange(target().port, request), 413);
  });
});
