import { once } from "node:events";
import { connect } from "node:net";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gate, gate } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";
import { hosts, type RunningHost } from "./hosts.js";

let issuer: TestIssuer;
let authorization: string;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  authorization = `Bearer ${await issuer.token()}`;
});
afterAll(() => issuer.stop());

describe.each(Object.entries(hosts))("the webhook in %s", (name, start) => {
  const log = new LogLines();
  const handled: Record<string, unknown>[] = [];
  let held: { readonly started: Gate; readonly end: Gate };
  let host: RunningHost;

  beforeAll(async () => {
    const binding = bindingFor(issuer);
    const on = {
      "*": (event: object) => void handled.push({ ...event }),
      fail: () => Promise.reject(new Error("hunter2")),
      reject: () => Promise.reject(new RejectEvent("hunter2")),
      held: () => {
        held.started.open();
        return held.end.passed;
      },
    };
    const options = { limits: { concurrentRequests: 3, requestBytes: 100_000 } };
    const { log: logger } = fastify({ logger: { level: "info", stream: log } });
    host = await start({ binding, on, ...options }, logger);
  });
  afterAll(() => host.close());

  const post = (body: RequestInit["body"], headers: Record<string, string> = {}) =>
    host.request("/api/events", {
      method: "POST",
      body: body ?? null,
      ...(body instanceof ReadableStream && { duplex: "half" }),
      headers: {
        authorization,
        "content-type": STRUCTURED,
        "aeg-subscription-name": "ORDERS",
        "aeg-delivery-count": "1",
        ...headers,
      },
    });
  const deliver = (event: object) => post(JSON.stringify(event));
  const isFunction = name === "a route handler of Next.js" || name === "Azure Functions";
  const itOnServers = it.skipIf(isFunction);

  it("answers the handshake, and consents to Event Grid only", async () => {
    const shake = (origin: string) =>
      host.request("/api/events", {
        method: "OPTIONS",
        headers: { "webhook-request-origin": origin, "webhook-request-rate": "120" },
      });
    const response = await shake("eventgrid.azure.net");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: "POST",
      "webhook-allowed-origin": "eventgrid.azure.net",
      "webhook-allowed-rate": "*",
    });
    const other = await shake("evil.example.com");
    expect([other.status, other.headers.get("webhook-allowed-origin")]).toEqual([200, null]);
  });

  it("passes events on as they were sent, of one event, of batches and in headers", async () => {
    handled.length = 0;
    const event = anEvent({ data: { text: "naïve", n: 0 } });
    expect((await deliver(event)).status).toBe(200);
    const batch = [anEvent(), anEvent({ type: "other" })];
    expect((await post(JSON.stringify(batch))).status).toBe(200);
    const binary = await post("plain", {
      "content-type": "text/plain",
      "ce-specversion": "1.0",
      "ce-id": "b%C3%A4r",
      "ce-source": "/shop",
      "ce-type": "t",
    });
    expect(binary.status).toBe(200);
    expect(handled).toMatchObject([event, ...batch, { id: "bär", data: "plain" }]);
  });

  it("denies callers without a valid token before it looks at anything else", async () => {
    handled.length = 0;
    const statuses = [];
    for (const init of [
      { authorization: "" },
      { authorization: "Bearer x", "content-type": "text/x" },
    ]) {
      const response = await post("{", init);
      statuses.push([response.status, response.headers.get("www-authenticate")]);
      expect(await response.json()).toEqual({ message: "A valid token is required." });
    }
    expect(statuses).toEqual([
      [401, "Bearer"],
      [401, "Bearer"],
    ]);
    expect(handled).toEqual([]);
    expect(log.withMessage("request denied")[0]).toMatchObject({ reason: "scheme", status: 401 });
    expect(log.text).not.toContain(authorization.slice(-40));
  });

  it("lets anonymous callers take none of its capacity", async () => {
    held = { started: gate(), end: gate() };
    const first = deliver(anEvent({ type: "held" }));
    await held.started.passed;
    const more = [deliver(anEvent({ type: "held" })), deliver(anEvent({ type: "held" }))];
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(503);
    expect((await post("{}", { authorization: "" })).status).toBe(401);
    held.end.open();
    const responses = await Promise.all([first, ...more]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(200);
  });

  it.each<[string, number, () => Promise<Response>]>([
    ["a media type that is not CloudEvents'", 415, () => post("{}", { "content-type": "text/x" })],
    ["a body that is too large", 413, () => post("x".repeat(100_001))],
    ["a body that becomes too large", 413, () => post(streamOf("x".repeat(60_000), 2))],
    ["a body that is not JSON", 400, () => post("{")],
    ["an event whose handler fails", 503, () => deliver(anEvent({ type: "fail" }))],
    ["an event that its handler rejects", 400, () => deliver(anEvent({ type: "reject" }))],
    [
      "the notice that the subscription was deleted",
      200,
      () => post("", { "aeg-event-type": "SubscriptionDeletion" }),
    ],
  ])("answers %s with %i", async (_, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("hunter2");
  });

  it("reads a body that does not announce its length", async () => {
    handled.length = 0;
    const event = anEvent();
    expect((await post(streamOf(JSON.stringify(event), 1))).status).toBe(200);
    expect(handled).toMatchObject([event]);
  });

  it("leaves other paths and methods to the app", async () => {
    expect((await host.request("/own", {})).status).toBe(200);
    expect((await host.request("/elsewhere", { method: "POST" })).status).toBe(404);
    expect([404, 405]).toContain((await host.request("/api/events", { method: "PUT" })).status);
  });

  itOnServers("closes the connection of an anonymous caller that goes on sending", async () => {
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: ${STRUCTURED}\r\n`;
    const { status, head: answer } = await exchange(host.port ?? 0, [
      `${head}Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n`,
    ]);
    expect(status).toBe(401);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  itOnServers("serves a request that has an absolute URL, as proxies send it", async () => {
    const { status } = await exchange(host.port ?? 0, [
      "OPTIONS http://orders.example.com/api/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ]);
    expect(status).toBe(200);
  });

  itOnServers("releases the capacity of callers that disconnect", async () => {
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: ${STRUCTURED}\r\n`;
    for (let count = 0; count < 4; count += 1) {
      const before = log.withMessage("caller disconnected before the response").length;
      const socket = connect(host.port ?? 0, "127.0.0.1");
      await once(socket, "connect");
      socket.write(`${head}Authorization: ${authorization}\r\nContent-Length: 100\r\n\r\n{`);
      held = { started: gate(), end: gate() };
      // Its response shows that the server has read what was sent before it.
      expect((await deliver(anEvent())).status).toBe(200);
      socket.destroy();
      await expect
        .poll(() => log.withMessage("caller disconnected before the response").length)
        .toBe(before + 1);
    }
  });

  it("finishes deliveries in progress when it drains, and refuses new ones", async () => {
    if (host.drain === undefined) return;
    expect(host.isReady()).toBe(true);
    held = { started: gate(), end: gate() };
    const last = deliver(anEvent({ type: "held" }));
    await held.started.passed;
    const drained = host.drain();
    expect(host.isReady()).toBe(false);
    expect((await deliver(anEvent())).status).toBe(503);
    held.end.open();
    expect((await last).status).toBe(200);
    await drained;
  });
});

/** A body that arrives in chunks, without an announced length. */
function streamOf(text: string, times: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < times; at += 1) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}
