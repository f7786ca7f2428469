import { METHODS, request } from "node:http";
import { RejectEvent } from "cloud-eventgrid-binding-runtime/listener";
import { describe, expect, it } from "vitest";
import { ROLE } from "../../support/issuer.js";
import { anEvent, STRUCTURED, startService } from "./harness.js";

/** Every row of the answers that lose nothing: docs/listener.md, "What is answered". */
describe("answers", () => {
  it("handled: 200, and the handler has seen the event as it was sent", async () => {
    const { deliver, handled } = await startService();
    const event = anEvent({ data: { orderId: "17", lines: [1, null, "x"] } });
    const response = await deliver(event);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(handled.map((one) => one.event)).toEqual([event]);
  });

  it("handler failed: 503", async () => {
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

  it("handler timed out: 503, and its signal is aborted", async () => {
    let reason: unknown;
    const { deliver } = await startService({
      deadlineMs: 100,
      on: {
        "*": (_, { signal }) =>
          new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => {
              reason = signal.reason;
              resolve();
            });
          }),
      },
    });
    expect((await deliver(anEvent())).status).toBe(503);
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("start-up not finished, keys unreachable: 503 for deliveries and handshakes", async () => {
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

  it("handler rejects this event for good: 400", async () => {
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

  it("malformed envelope: 400", async () => {
    const { deliver, handled } = await startService();
    expect((await deliver(anEvent({ specversion: "9.9" }))).status).toBe(400);
    expect((await deliver("{")).status).toBe(400);
    expect(handled).toEqual([]);
  });

  it("no token: 401, with the scheme that is wanted", async () => {
    const { deliver, handled } = await startService();
    const response = await deliver(anEvent(), { token: null });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(handled).toEqual([]);
  });

  it("bad token: 401", async () => {
    const { deliver, issuer, handled } = await startService();
    const token = await issuer.token({}, { key: await issuer.foreignKey() });
    expect((await deliver(anEvent(), { token })).status).toBe(401);
    expect(handled).toEqual([]);
  });

  it("good token, another caller: 403", async () => {
    const { deliver, issuer, handled } = await startService();
    const token = await issuer.token({ appid: "99999999-9999-9999-9999-999999999999" });
    expect((await deliver(anEvent(), { token })).status).toBe(403);
    expect(handled).toEqual([]);
  });

  it("Event Grid itself, but without the role: 503", async () => {
    const { deliver, issuer, handled } = await startService();
    for (const roles of [undefined, [], ["Other"], ROLE]) {
      const token = await issuer.token({ roles });
      expect((await deliver(anEvent(), { token })).status).toBe(503);
    }
    expect(handled).toEqual([]);
  });

  it("unknown path: 404, unknown method: 405 with Allow, unknown media type: 415", async () => {
    const { deliver, url } = await startService();
    expect((await fetch(`${url}/other`, { method: "POST" })).status).toBe(404);
    const put = await fetch(url, { method: "PUT", body: "x" });
    expect(put.status).toBe(405);
    expect(put.headers.get("allow")).toBe("POST, OPTIONS");
    expect((await deliver(anEvent(), { contentType: "application/json" })).status).toBe(415);
  });

  it("any method that is neither POST nor OPTIONS: 405", async () => {
    const { url } = await startService();
    // CONNECT is no request for a path: Node closes its connection.
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

  it("body over the limit: 413", async () => {
    const { deliver, handled } = await startService({ limits: { requestBytes: 1000 } });
    expect((await deliver(anEvent({ data: "x".repeat(1000) }))).status).toBe(413);
    expect(handled).toEqual([]);
  });

  it.each([
    ["announced", (body: string) => body],
    ["unannounced", (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
  ])("body of exactly the limit: 200, one byte more: 413, %s", async (_, sent) => {
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

  it("an unhandled type: 200, 503 or 400, as configured", async () => {
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
