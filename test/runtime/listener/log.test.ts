import { inspect } from "node:util";
import type { Middleware } from "cloud-eventgrid-binding-runtime";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import type { SystemDependencies } from "../../../runtime/src/listener/dependencies.js";
import { gate } from "../../support/gate.js";
import { CLIENT, TENANT } from "../../support/issuer.js";
import { LogLines } from "../../support/log-lines.js";
import { ManualClock } from "../../support/manual-clock.js";
import { exchange } from "../../support/raw-http.js";
import { anEvent, startService } from "./service.js";

/** Problems of an event that lacks the last of the required attributes. */
function missing(count: number): string[] {
  return ["specversion", "id", "source", "type"].slice(-count).map((name) => `${name} is missing`);
}

/** A body that ends as those of `fetch` do when the connection is lost. */
function abortedBody(): ReadableStream {
  const cause = Object.assign(new Error(""), { code: "ECONNRESET" });
  return new ReadableStream({
    pull: (controller) => controller.error(new TypeError("terminated", { cause })),
  });
}

describe("the log", () => {
  it("has the first delivery at level info, the others at debug, and a summary of them", async () => {
    const { deliver, listener, log } = await startService({ logLevel: "debug" });
    log.lines.length = 0;
    await deliver(anEvent());
    await deliver([anEvent(), anEvent()]);
    await listener.close();
    expect(log.lines).toMatchObject([
      {
        level: 30,
        msg: "delivery",
        status: 200,
        subscription: "ORDERS",
        attempt: 1,
        events: 1,
        outcomes: "handled",
        ms: expect.any(Number),
      },
      { level: 20, msg: "delivery", status: 200, events: 2, outcomes: { handled: 2 } },
      { level: 30, msg: "deliveries", deliveries: 1, outcomes: { handled: 2 } },
    ]);
  });

  it("names the events that are unfinished at the deadline", async () => {
    const stuck = gate();
    const begun: string[] = [];
    const timer = new ManualClock();
    const { deliver, log } = await startService({
      timer,
      on: {
        "shop.*": async ({ id }) => {
          begun.push(id);
          if (id !== "quick") await stuck.passed;
        },
      },
    });
    const slow = { id: "slow", type: "shop.order.placed", source: "/shop" };
    for (const [body, last] of [
      [anEvent(slow), "slow"],
      [[anEvent({ id: "quick" }), anEvent({ id: "other" }), {}], "other"],
    ] as const) {
      const delivering = deliver(body);
      await expect.poll(() => begun).toContain(last);
      timer.advance(25_000);
      expect((await delivering).status).toBe(503);
    }
    expect(log.withMessage("deadline passed")).toMatchObject([
      { level: 40, unfinished: 1, events: [{ ...slow, pattern: "shop.*" }] },
      { level: 40, unfinished: 1, events: [{ id: "other", pattern: "shop.*" }] },
    ]);
    expect(log.withMessage("delivery")).toMatchObject([
      { status: 503, outcomes: "timed-out" },
      { status: 503, outcomes: { handled: 1, "timed-out": 1, malformed: 1 } },
    ]);
    stuck.open();
  });

  it("has a line when the body has not arrived at the deadline, which ends the delivery", async () => {
    const timer = new ManualClock();
    const { issuer, port, log } = await startService({ timer });
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`;
    const answering = exchange(port, [head]);
    await timer.pass(25_000);
    const answer = await answering;
    expect([answer.status, /^connection: close/im.test(answer.head)]).toEqual([503, true]);
    expect(log.withMessage("deadline passed")).toMatchObject([
      { level: 40, unfinished: "the body has not arrived" },
    ]);
  });

  it.each([
    [
      "an object",
      { card: "4111 1111" },
      "Error",
      "thrown object that is not an Error, with the keys: card",
    ],
    ["an error", new TypeError("no stock"), "TypeError", "no stock"],
  ])(
    "shows %s that a handler threw, without the values of an object",
    async (_, thrown, type, message) => {
      const { deliver, log } = await startService({
        on: {
          "*": () => {
            throw thrown;
          },
        },
      });
      expect((await deliver(anEvent())).status).toBe(503);
      expect(log.withMessage("handler failed")).toMatchObject([{ err: { type, message } }]);
      expect(log.text).not.toContain("4111 1111");
    },
  );

  it("cuts long event IDs short, also in the lines of handlers", async () => {
    const { deliver, log } = await startService({
      on: {
        "*": (_, context) => {
          context.log.warn("out of stock");
          throw new Error("no stock");
        },
      },
    });
    expect((await deliver(anEvent({ id: "i".repeat(100_000) }))).status).toBe(503);
    for (const message of ["out of stock", "handler failed"]) {
      expect(log.withMessage(message)).toMatchObject([{ event: { id: `${"i".repeat(512)}…` } }]);
    }
    expect(log.text.length).toBeLessThan(10_000);
  });

  it("shows of a handler's context neither the token nor the payload, however it is printed", async () => {
    const printed: unknown[] = [];
    const add: Middleware<{ tenant: string }> = (_event, _context, next) => next({ tenant: "a" });
    const { deliver } = await startService({
      use: [add],
      on: {
        "*": (_, context) => {
          printed.push(inspect(context, { depth: 9 }));
          for (const shown of [context, Object.getPrototypeOf(context), { ...context }])
            printed.push(JSON.stringify(shown));
        },
      },
    });
    expect((await deliver(anEvent({ data: "4111 1111" }))).status).toBe(200);
    expect(printed).toHaveLength(4);
    expect(printed[0]).toMatch(/batchSize: 1,\s+[\s\S]*tenant: 'a'/);
    for (const text of printed) expect(text).not.toMatch(/Bearer|4111 1111/);
  });

  it("goes to the service's own logger, with the event in each line of a handler", async () => {
    const log = new LogLines();
    const own = fastify({ logger: { level: "info", stream: log } }).log;
    const { deliver } = await startService({
      logger: own.child({ service: "shop" }),
      on: { "*": (_, context) => context.log.info({ orderId: "17" }, "shipped") },
    });
    await deliver(anEvent({ id: "e-1" }));
    expect(log.withMessage("shipped")).toMatchObject([
      {
        service: "shop",
        orderId: "17",
        event: { id: "e-1", type: "shop.order.placed", source: "/shop" },
      },
    ]);
  });

  it.each(["structured", "binary"])("lists at most ten problems of a %s event", async (mode) => {
    const { deliver, log } = await startService();
    const names = Array.from({ length: 12 }, (_, index) => `no_name_${index}`);
    const malformed = Object.fromEntries(names.map((name) => [name, 1]));
    const headers = Object.fromEntries(names.map((name) => [`ce-${name}`, "%zz"]));
    const answer =
      mode === "structured"
        ? await deliver(anEvent({ ...malformed, id: 1 }))
        : await deliver("1", {
            contentType: "application/json",
            headers: { "ce-specversion": "1.0", ...headers },
          });
    expect(answer.status).toBe(400);
    const [line] = log.withMessage("not a CloudEvent");
    expect(line?.problems).toHaveLength(10);
  });

  it.each([
    ["alone", [{}], { index: 0, problems: missing(4) }],
    ["among others", [anEvent(), { specversion: "1.0" }], { index: 1, problems: missing(3) }],
    [
      "among other malformed ones",
      [3, anEvent(), {}],
      {
        malformed: 2,
        events: [
          { index: 0, problems: ["an event must be a JSON object"] },
          { index: 2, problems: missing(4) },
        ],
      },
    ],
  ])("says which event of a delivery is malformed: one %s", async (_, batch, said) => {
    const { deliver, log } = await startService();
    expect((await deliver(batch)).status).toBe(400);
    expect(log.withMessage("not a CloudEvent")).toMatchObject([{ level: 40, ...said }]);
  });

  it("has one line for a batch with any number of malformed events", async () => {
    const { deliver, log } = await startService();
    log.lines.length = 0;
    expect((await deliver(Array.from({ length: 5_000 }, () => ({})))).status).toBe(400);
    expect(log.lines).toMatchObject([
      { malformed: 5_000, events: Array.from({ length: 10 }, (_, index) => ({ index })) },
      { msg: "delivery", outcomes: { malformed: 5_000 } },
    ]);
  });

  it("says why a request was denied, once in 10 s", async () => {
    const { deliver, issuer, log } = await startService();
    const token = await issuer.token({ aud: "someone-else" });
    for (let i = 0; i < 5; i += 1) await deliver(anEvent(), { token });
    expect(log.withMessage("request denied")).toMatchObject([
      {
        level: 40,
        reason: "audience",
        detail: `the token's aud is "someone-else", expected "${CLIENT}" (cloudClientId, authentication.audiences)`,
        status: 401,
      },
    ]);
  });

  it.each([
    [
      { iss: "https://sts.example/" },
      `the token's iss is "https://sts.example/", expected "ISSUER/${TENANT}/" or "ISSUER/${TENANT}/v2.0" (cloudTenantId, cloudEnvironment, cloudAuthorityHost)`,
    ],
    [{ tid: "t" }, `the token's tid is "t", expected "${TENANT}" (cloudTenantId)`],
    [
      { tid: "t".repeat(3_000) },
      `the token's tid is "${"t".repeat(99)}…, expected "${TENANT}" (cloudTenantId)`,
    ],
    [{ exp: 1 }, "the token's exp is 1, 1970-01-01T00:00:01.000Z"],
    [{ exp: "soon" }, `the token's exp is "soon"`],
    [{ nbf: 1e12 }, "the token's nbf is 1000000000000, +033658-09-27T01:46:40.000Z"],
    [{ nbf: 1e300 }, "the token's nbf is 1e+300"],
    [
      { appid: "a" },
      `the caller is "a", expected "4962773b-9cdb-44cf-a8bf-237846a00ab7" (Event Grid, authentication.callers)`,
    ],
  ])("says what was expected instead of %j", async (claims, detail) => {
    const { deliver, issuer, log } = await startService();
    await deliver(anEvent(), { token: await issuer.token(claims) });
    expect(log.withMessage("request denied")).toMatchObject([
      { detail: detail.replaceAll("ISSUER", issuer.authorityHost) },
    ]);
  });

  it.each<[string, Partial<SystemDependencies>, string]>([
    [
      "does not answer",
      { fetch: () => new Promise(() => {}), keyTimeoutMs: 50 },
      "METADATA could not be fetched: not done within 50 ms",
    ],
    [
      "is unreachable",
      { fetch: () => fetch("http://127.0.0.1:1") },
      "METADATA could not be fetched: bad port",
    ],
    [
      "breaks off its response",
      { fetch: async () => new Response(abortedBody()) },
      "METADATA could not be fetched: ECONNRESET",
    ],
    [
      "answers 500",
      { fetch: async () => new Response("", { status: 500 }) },
      "METADATA answered 500",
    ],
    [
      "answers with HTML",
      { fetch: async () => new Response("<html>") },
      "METADATA did not answer with a JSON object",
    ],
  ])("has one line for an issuer that %s", async (_, options, reason) => {
    const { issuer, log } = await startService({ ...options });
    const metadata = `${issuer.authorityHost}/${TENANT}/.well-known/openid-configuration`;
    const [line] = log.withMessage("signing keys could not be fetched");
    expect(line).toMatchObject({ reason: reason.replace("METADATA", metadata), version: "v1" });
    expect(log.text).not.toContain("stack");
  });

  it("has a line when the signing keys are there after a failure", async () => {
    let isAway = true;
    const { listener, log } = await startService({
      fetch: (...request) => (isAway ? Promise.reject(new Error("away")) : fetch(...request)),
    });
    expect(listener.isReady()).toBe(false);
    isAway = false;
    await expect.poll(() => listener.isReady()).toBe(true);
    await expect
      .poll(() => log.withMessage("signing keys fetched").map(({ version }) => version))
      .toEqual(expect.arrayContaining(["v1", "v2"]));
  });

  it("has the stack of an error that is not the network's", async () => {
    const { issuer, log } = await startService({
      fetch: () => Promise.reject(new TypeError("x is not a function")),
    });
    const metadataUrl = `${issuer.authorityHost}/${TENANT}/.well-known/openid-configuration`;
    const [line] = log.withMessage("signing keys could not be fetched");
    expect(line).toMatchObject({
      metadataUrl,
      err: { message: "x is not a function", stack: expect.stringContaining("log.test.ts") },
    });
  });

  it("contains no token, no payload and no query of the webhook's URL", async () => {
    const { issuer, url, log } = await startService({
      logLevel: "trace",
      on: {
        "*": () => {
          throw new Error("failed");
        },
      },
    });
    const good = await issuer.token();
    const forged = await issuer.token({}, { key: await issuer.foreignKey() });
    const bodies = [
      JSON.stringify(anEvent({ data: { card: "hunter2" } })),
      JSON.stringify(anEvent({ id: "", data: { card: "hunter2" } })),
      '{"card":"hunter2"',
    ];
    for (const token of [good, forged]) {
      for (const body of bodies) {
        await fetch(`${url}?code=hunter2`, {
          method: "POST",
          body,
          headers: {
            "content-type": "application/cloudevents+json",
            authorization: `Bearer ${token}`,
          },
        });
      }
    }
    await fetch(`${url}/nowhere?code=hunter2`);
    expect(log.lines.length).toBeGreaterThan(5);
    for (const secret of ["hunter2", good.slice(-40), forged.slice(-40), "Bearer "]) {
      expect(log.text).not.toContain(secret);
    }
  });

  it("shows at most 100 characters of an origin or a claim", async () => {
    const { url, issuer, deliver, log } = await startService();
    const long = "x".repeat(500);
    await fetch(url, { method: "OPTIONS", headers: { "webhook-request-origin": long } });
    await deliver(anEvent(), { token: await issuer.token({ aud: long }) });
    const shown = log.lines.filter(({ msg }) => /origin not allowed|request denied/.test(msg));
    expect(shown).toHaveLength(2);
    for (const line of shown) expect(JSON.stringify(line)).toMatch(/[^x]x{90,100}[^x]/);
  });
});
