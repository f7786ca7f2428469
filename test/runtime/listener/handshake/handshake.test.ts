import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { createListener, systemClock } from "cloud-eventgrid-binding-runtime/listener";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { pinoTo } from "../../../support/pino.js";
import { bindingFor, type Service, startService } from "../service.js";

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
  it("consents to Event Grid's origin, without a token", async () => {
    const service = await startService();
    const headers = { "webhook-request-origin": ORIGIN, "webhook-request-rate": "120" };
    expect(await sendHandshake(service, headers)).toEqual({
      status: 200,
      allow: "POST",
      origin: ORIGIN,
      rate: "*",
    });
  });

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

  it.each([
    ["usgovernment", "eventgrid.azure.us"],
    ["china", "eventgrid.azure.cn"],
  ] as const)("knows the origin of the %s cloud", async (cloudEnvironment, origin) => {
    const { issuer } = await startService();
    const listener = createListener(
      { ...bindingFor(issuer), cloudEnvironment },
      {
        on: { "*": () => {} },
        authentication: { callers: ["99999999-9999-9999-9999-999999999999"] },
        logger: false,
        port: 0,
        host: "127.0.0.1",
        drainLagMs: 0,
      },
    );
    const { url } = await listener.listen();
    const ask = (asked: string) =>
      fetch(url, { method: "OPTIONS", headers: { "webhook-request-origin": asked } });
    expect((await ask(origin)).headers.get("webhook-allowed-origin")).toBe(origin);
    expect((await ask(ORIGIN)).headers.get("webhook-allowed-origin")).toBeNull();
    await listener.close();
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
    const issuer = await TestIssuer.start();
    const app = fastify();
    const options = { binding: bindingFor(issuer), on: { "*": () => {} }, drainLagMs: 1_000 };
    await app.register(eventGridWebhook, options);
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "webhook-request-origin": ORIGIN };
    const ask = () => fetch(`${origin}/api/events`, { method: "OPTIONS", headers });
    const drained = app.eventGrid.drain();
    expect((await ask()).headers.get("webhook-allowed-origin")).toBe(ORIGIN);
    await drained;
    const refused = await ask();
    expect([refused.status, refused.headers.get("webhook-allowed-origin")]).toEqual([503, null]);
    await app.close();
    await issuer.stop();
  });
});

/** Stands in for the hosts that callbacks point to. */
function recordingFetch() {
  const calls: string[] = [];
  const waiting: (() => void)[] = [];
  const recording: typeof fetch = async (input, init) => {
    const url = String(input);
    if (url.startsWith("http://127.0.0.1")) return fetch(input, init);
    calls.push(`${init?.method} ${url}`);
    for (const wake of waiting) wake();
    return new Response(null, { status: 200 });
  };
  const called = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { calls, recording, called };
}

describe("the handshake callback", () => {
  const callback = `https://rp-eastus.${ORIGIN}/validate?id=secret`;

  it("is not called by default", async () => {
    const { calls, recording } = recordingFetch();
    const service = await startService({ fetch: recording });
    await sendHandshake(service, {
      "webhook-request-origin": ORIGIN,
      "webhook-request-callback": callback,
    });
    await service.listener.close();
    expect(calls).toEqual([]);
  });

  it("is called after the response", async () => {
    const { calls, recording, called } = recordingFetch();
    const service = await startService({ fetch: recording, handshake: { callback: true } });
    const call = called();
    const answer = await sendHandshake(service, {
      "webhook-request-origin": ORIGIN,
      "webhook-request-callback": callback,
    });
    expect(answer.origin).toBe(ORIGIN);
    await call;
    expect(calls).toEqual([`POST ${callback}`]);
  });

  it.each([
    "https://evil.example/",
    `https://evil.example/?${ORIGIN}`,
    `https://${ORIGIN}.evil.example/`,
    `https://evil${ORIGIN}/`,
    `http://rp.${ORIGIN}/`,
    `https://${ORIGIN}@evil.example/`,
    `https://user:pass@${ORIGIN}/`,
    "https://169.254.169.254/metadata",
    "not a url",
  ])("is never called at %s", async (target) => {
    const { calls, recording, called } = recordingFetch();
    const service = await startService({ fetch: recording, handshake: { callback: true } });
    const headers = { "webhook-request-origin": ORIGIN };
    await sendHandshake(service, { ...headers, "webhook-request-callback": target });
    const call = called();
    await sendHandshake(service, { ...headers, "webhook-request-callback": callback });
    await call;
    expect(calls).toEqual([`POST ${callback}`]);
  });

  it.each([
    `https://${ORIGIN}:553/eventsubscriptions/orders/validate?id=secret`,
    `https://rp-eastus.${ORIGIN}:553/validate?id=secret`,
  ])("is called at %s, whatever the port", async (target) => {
    const { calls, recording, called } = recordingFetch();
    const service = await startService({ fetch: recording, handshake: { callback: true } });
    const call = called();
    await sendHandshake(service, {
      "webhook-request-origin": ORIGIN,
      "webhook-request-callback": target,
    });
    await call;
    expect(calls).toEqual([`POST ${target}`]);
  });

  it("is never called for an origin that is not allowed", async () => {
    const { calls, recording, called } = recordingFetch();
    const service = await startService({ fetch: recording, handshake: { callback: true } });
    await sendHandshake(service, {
      "webhook-request-origin": "evil.example",
      "webhook-request-callback": callback,
    });
    const call = called();
    const good = `${callback}2`;
    await sendHandshake(service, {
      "webhook-request-origin": ORIGIN,
      "webhook-request-callback": good,
    });
    await call;
    expect(calls).toEqual([`POST ${good}`]);
  });
});

describe("handshakes of anonymous callers", () => {
  const headers = { "webhook-request-origin": ORIGIN };
  const callback = `https://rp.${ORIGIN}/validate`;

  it.each([
    ["accepted", ORIGIN, "handshake accepted"],
    ["not accepted", "evil.example", "handshake without consent: origin not allowed"],
  ])("are logged once in 10 s when they are %s", async (_, origin, message) => {
    const log = new LogLines();
    let now = Date.now();
    const service = await startService({
      logger: pinoTo(log),
      clock: { ...systemClock, now: () => now },
    });
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
    const log = new LogLines();
    const issuer = await TestIssuer.start();
    issuer.reachable = false;
    const service = await startService({ issuer, logger: pinoTo(log) });
    for (let i = 0; i < 20; i += 1)
      expect((await sendHandshake(service, headers)).status).toBe(503);
    expect(log.withMessage("handshake refused: the listener is not ready")).toHaveLength(1);
  });

  it("cause at most four callbacks at a time", async () => {
    const log = new LogLines();
    const slow = gate();
    let called = 0;
    const service = await startService({
      logger: pinoTo(log),
      handshake: { callback: true },
      fetch: async (input, init) => {
        if (String(input).startsWith("http://127.0.0.1")) return fetch(input, init);
        called += 1;
        await slow.passed;
        return new Response(null, { status: 200 });
      },
    });
    const ask = () => sendHandshake(service, { ...headers, "webhook-request-callback": callback });
    await Promise.all(Array.from({ length: 20 }, ask));
    const tooMany = "handshake callback skipped: too many at once";
    await expect.poll(() => log.withMessage(tooMany).length).toBe(1);
    expect(called).toBe(4);
    slow.open();
    await expect.poll(() => ask().then(() => called)).toBeGreaterThan(4);
    expect(log.text).not.toContain("validate");
  });
});
