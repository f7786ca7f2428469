import { METHODS, request } from "node:http";
import { RejectEvent } from "cloud-eventgrid-binding-runtime/handlers";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ROLE } from "../../support/issuer.js";
import { ManualClock } from "../../support/manual-clock.js";
import { anEvent, STRUCTURED, startService } from "./service.js";

/** Every row of the table of responses in docs/listener.md. */
describe("the webhook", () => {
  it("answers 200 when the handler, which gets the event as it was sent, has returned", async () => {
    const { deliver, handled } = await startService();
    const event = anEvent({ data: { orderId: "17", lines: [1, null, "x"] } });
    const response = await deliver(event);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(handled.map((one) => one.event)).toEqual([event]);
  });

  it("answers 503 when the handler throws, without its message", async () => {
    const { deliver } = await startService({
      on: {
        "*": () => {
          throw new Error("database password is hunter2");
        },
      },
    });
    const response = await deliver(anEvent());
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("hunter2");
  });

  it("answers 503 at the deadline, and aborts the handler's signal", async () => {
    let reason: unknown;
    const started = gate();
    const timer = new ManualClock();
    const { deliver } = await startService({
      timer,
      on: {
        "*": (_, { signal }) =>
          new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => {
              reason = signal.reason;
              resolve();
            });
            started.open();
          }),
      },
    });
    const delivering = deliver(anEvent());
    await started.passed;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("answers 503 to deliveries and handshakes when the signing keys cannot be fetched", async () => {
    const { issuer, listener, deliver, url } = await startService();
    await listener.close();
    issuer.reachable = false;
    const late = await startService({ issuer });
    expect(late.listener.isReady()).toBe(false);
    expect((await late.deliver(anEvent())).status).toBe(503);
    const handshake = await fetch(late.url, {
      method: "OPTIONS",
      headers: { "webhook-request-origin": "eventgrid.azure.net" },
    });
    expect(handshake.status).toBe(503);
    expect(handshake.headers.get("webhook-allowed-origin")).toBeNull();
    expect([typeof deliver, typeof url]).toEqual(["function", "string"]);
  });

  it("answers 400 when the handler rejects the event, without its message", async () => {
    const { deliver } = await startService({
      on: {
        "*": () => {
          throw new RejectEvent("no such article");
        },
      },
    });
    const response = await deliver(anEvent());
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("article");
  });

  it("answers 400 to a malformed envelope", async () => {
    const { deliver, handled } = await startService();
    expect((await deliver(anEvent({ specversion: "9.9" }))).status).toBe(400);
    expect((await deliver("{")).status).toBe(400);
    expect(handled).toEqual([]);
  });

  it("answers 401 to a request without a token, and names the scheme", async () => {
    const { deliver, handled } = await startService();
    const response = await deliver(anEvent(), { token: null });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(handled).toEqual([]);
  });

  it("answers 401 to a token with an invalid signature", async () => {
    const { deliver, issuer, handled } = await startService();
    const token = await issuer.token({}, { key: await issuer.foreignKey() });
    expect((await deliver(anEvent(), { token })).status).toBe(401);
    expect(handled).toEqual([]);
  });

  it("answers 403 to a valid token of another caller", async () => {
    const { deliver, issuer, handled } = await startService();
    const token = await issuer.token({ appid: "99999999-9999-9999-9999-999999999999" });
    expect((await deliver(anEvent(), { token })).status).toBe(403);
    expect(handled).toEqual([]);
  });

  it("answers 503 to Event Grid's token without the role", async () => {
    const { deliver, issuer, handled } = await startService();
    for (const roles of [undefined, [], ["Other"], ROLE]) {
      const token = await issuer.token({ roles });
      expect((await deliver(anEvent(), { token })).status).toBe(503);
    }
    expect(handled).toEqual([]);
  });

  it("answers 404 to an unknown path, 405 with Allow to another method, 415 to another media type", async () => {
    const { deliver, url } = await startService();
    expect((await fetch(`${url}/other`, { method: "POST" })).status).toBe(404);
    const put = await fetch(url, { method: "PUT", body: "x" });
    expect(put.status).toBe(405);
    expect(put.headers.get("allow")).toBe("POST, OPTIONS");
    expect((await deliver(anEvent(), { contentType: "application/json" })).status).toBe(415);
  });

  it("answers 405 to every method except POST and OPTIONS", async () => {
    const { url } = await startService();
    // CONNECT does not request a path: Node closes its connection.
    const others = METHODS.filter((method) => !["POST", "OPTIONS", "CONNECT"].includes(method));
    for (const method of others) {
      const status = await new Promise((resolve, reject) => {
        const asked = request(url, { method }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject).end();
      });
      expect([method, status]).toEqual([method, 405]);
    }
  });

  it("answers 413 to a body over the limit", async () => {
    const { deliver, handled } = await startService({ limits: { requestBytes: 1000 } });
    expect((await deliver(anEvent({ data: "x".repeat(1000) }))).status).toBe(413);
    expect(handled).toEqual([]);
  });

  it.each([
    ["with Content-Length", (body: string) => body],
    ["in chunks", (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
  ])("accepts a body of exactly the limit, sent %s", async (_, sent) => {
    const event = JSON.stringify(anEvent());
    const { url, issuer, ids } = await startService({ limits: { requestBytes: event.length } });
    const headers = {
      "content-type": STRUCTURED,
      authorization: `Bearer ${await issuer.token()}`,
    };
    const send = (body: string) =>
      fetch(url, { method: "POST", headers, body: sent(body), duplex: "half" });
    expect((await send(`${event} `)).status).toBe(413);
    expect((await send(event)).status).toBe(200);
    expect(ids()).toHaveLength(1);
  });

  it("answers 200, 503 or 400 to a type without a handler, as configured", async () => {
    const on = { "shop.order.cancelled": () => {} };
    for (const [unhandled, status] of [
      ["acknowledge", 200],
      ["retry", 503],
      ["reject", 400],
    ] as const) {
      const { deliver } = await startService({ on, unhandled });
      expect((await deliver(anEvent())).status).toBe(status);
    }
  });
});
