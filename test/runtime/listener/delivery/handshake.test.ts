import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../runtime/src/time.js";
import { TestIssuer } from "../../../support/issuer.js";
import { startApp } from "../fastify/own-app.js";
import { type Service, startService } from "../service.js";

const ORIGIN = "eventgrid.azure.net";

async function sendHandshake({ url }: Service, headers: Record<string, string>) {
  const response = await fetch(url, { method: "OPTIONS", headers });
  return {
    status: response.status,
    allow: response.headers.get("allow"),
    origin: response.headers.get("webhook-allowed-origin"),
    rate: response.headers.get("webhook-allowed-rate"),
  };
}

describe("the handshake", () => {
  it.each([
    undefined,
    "evil.example",
    `${ORIGIN}.evil.example`,
    `${ORIGIN}, evil.example`,
    "*",
    "",
  ])("answers 200 without consent to origin %j", async (origin) => {
    const service = await startService();
    const headers = origin === undefined ? {} : { "webhook-request-origin": origin };
    expect(await sendHandshake(service, headers)).toEqual({
      status: 200,
      allow: "POST",
      origin: null,
      rate: null,
    });
  });

  it("uses the configured origins", async () => {
    const service = await startService({
      handshake: { allowedOrigins: ["Broker.Example"] },
    });
    expect(await sendHandshake(service, { "webhook-request-origin": "broker.example" })).toEqual({
      status: 200,
      allow: "POST",
      origin: "broker.example",
      rate: "*",
    });
    expect((await sendHandshake(service, { "webhook-request-origin": ORIGIN })).origin).toBeNull();
  });
});

describe("the handshake during a drain", () => {
  it("is accepted as long as deliveries are, and gets 503 afterwards", async () => {
    const { app, origin } = await startApp(() => {}, { drainLagMs: 1_000 });
    const headers = { "webhook-request-origin": ORIGIN };
    const ask = () => fetch(`${origin}/api/events`, { method: "OPTIONS", headers });
    const drained = app.eventGrid.drain();
    expect((await ask()).headers.get("webhook-allowed-origin")).toBe(ORIGIN);
    await drained;
    const refused = await ask();
    expect([refused.status, refused.headers.get("webhook-allowed-origin")]).toEqual([503, null]);
  });
});

it("consents in its response, and never calls the URL that a handshake offers", async () => {
  let called = 0;
  const service = await startService({
    fetch: (input, init) => {
      if (!String(input).startsWith("http://127.0.0.1")) called += 1;
      return fetch(input, init);
    },
  });
  const answer = await sendHandshake(service, {
    "webhook-request-origin": ORIGIN,
    "webhook-request-callback": `https://rp-eastus.${ORIGIN}/validate?id=secret`,
  });
  expect(answer.origin).toBe(ORIGIN);
  await service.listener.close();
  expect(called).toBe(0);
});

describe("handshakes of anonymous callers", () => {
  const headers = { "webhook-request-origin": ORIGIN };

  it.each([
    ["accepted", ORIGIN, "handshake accepted"],
    ["not accepted", "evil.example", "handshake without consent: origin not allowed"],
  ])("are logged once in 10 s when they are %s", async (_, origin, message) => {
    let now = Date.now();
    const service = await startService({
      clock: { ...systemClock, now: () => now },
    });
    const { log } = service;
    const ask = () => sendHandshake(service, { "webhook-request-origin": origin });
    for (let i = 0; i < 20; i += 1) await ask();
    expect(log.withMessage(message)).toMatchObject([{ origin, unlogged: 0 }]);
    now += 10_000;
    await ask();
    expect(log.withMessage(message)).toMatchObject([{ unlogged: 0 }, { origin, unlogged: 19 }]);
    // A clock that is set back does not silence the log.
    now -= 3_600_000;
    await ask();
    expect(log.withMessage(message)).toHaveLength(3);
  });

  it("are logged once in 10 s before the listener is ready", async () => {
    const issuer = await TestIssuer.start();
    issuer.reachable = false;
    const service = await startService({ issuer });
    const { log } = service;
    for (let i = 0; i < 20; i += 1)
      expect((await sendHandshake(service, headers)).status).toBe(503);
    expect(log.withMessage("handshake refused: the listener is not ready")).toHaveLength(1);
  });
});
