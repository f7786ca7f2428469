import { getEventListeners, once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { connect, Socket } from "node:net";
import {
  ConfigurationError,
  createWebhook,
  type ListenerOptions,
  ListenerStartError,
  type WebhookOptions,
} from "cloud-eventgrid-binding-runtime";
import express from "express";
import Koa from "koa";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate, heldWork } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { startServer } from "../../../support/node-server.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";

const URL_OF_WEBHOOK = "https://orders.example.com/api/events";

/** A delivery with a valid token. */
async function delivery(issuer: TestIssuer, url = URL_OF_WEBHOOK): Promise<Request> {
  return new Request(url, {
    method: "POST",
    body: JSON.stringify(anEvent()),
    headers: { authorization: `Bearer ${await issuer.token()}`, "content-type": STRUCTURED },
  });
}

const on = { "*": () => {} };

/** A webhook with its issuer, which end with the test. */
async function startWebhook(
  options: Partial<WebhookOptions> & Pick<ListenerOptions, "logger"> = {},
  given?: TestIssuer,
) {
  const issuer = given ?? (await TestIssuer.start());
  const binding = bindingFor(issuer);
  const webhook = createWebhook(binding, { on, logger: false, ...options });
  onTestFinished(async () => {
    await webhook.close();
    await issuer.stop();
  });
  const deliver = async () => (await webhook.fetch(await delivery(issuer))).status;
  return { issuer, binding, webhook, deliver };
}

describe("createWebhook", () => {
  it("requests the signing keys at once, and its first deliveries wait for them", async () => {
    const issuer = await TestIssuer.start();
    const keys = gate();
    issuer.gate = keys.passed;
    const { webhook, deliver } = await startWebhook({}, issuer);
    await expect.poll(() => issuer.requests.length).toBeGreaterThan(0);
    expect(webhook.isReady()).toBe(false);
    const status = deliver();
    keys.open();
    expect(await status).toBe(200);
    expect([webhook.isReady(), webhook.isStuck()]).toEqual([true, false]);
  });

  it("serves several bindings by their paths", async () => {
    const reached: string[] = [];
    const handlers = (name: string) => ({ on: { "*": () => void reached.push(name) } });
    const { issuer, binding, webhook } = await startWebhook(handlers("first"));
    webhook.add({ ...binding, path: "/k%C3%A4ufe" }, handlers("second"));
    expect(() => webhook.add(binding, { on })).toThrow("another binding");
    for (const path of ["/api/events", "/k%C3%A4ufe"]) {
      const request = await delivery(issuer, `https://orders.example.com${path}?code=1`);
      expect((await webhook.fetch(request)).status).toBe(200);
    }
    expect(reached).toEqual(["first", "second"]);
    await webhook.close();
    expect(() => webhook.add({ ...binding, path: "/other" }, { on })).toThrow(ListenerStartError);
  });

  it("reports all problems of its options, the binding's included", async () => {
    const { binding } = await startWebhook();
    const { path: _, ...withoutPath } = binding;
    // @ts-expect-error: the console has no child loggers
    const create = () => createWebhook(withoutPath, { on, deadlineMs: 0, logger: console });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(/path.*deadlineMs.*logger must be a logger with debug/s);
  });

  it("drains, and refuses deliveries, when it is closed", async () => {
    const { webhook, deliver } = await startWebhook();
    expect(await deliver()).toBe(200);
    await Promise.all([webhook.close(), webhook.close()]);
    expect(await deliver()).toBe(503);
  });

  it("asks callers of a drain to close their connections", async () => {
    const { issuer, webhook } = await startWebhook({ drainLagMs: 100 });
    const handshake = new Request(URL_OF_WEBHOOK, {
      method: "OPTIONS",
      headers: { "webhook-request-origin": "eventgrid.azure.net" },
    });
    const denied = new Request(URL_OF_WEBHOOK, { method: "POST" });
    const connections = async () => {
      const requests = [await delivery(issuer), handshake, denied];
      const responses = await Promise.all(requests.map(webhook.fetch));
      return responses.map(({ headers }) => headers.get("connection"));
    };
    expect(await connections()).toEqual([null, null, null]);
    const drained = webhook.drain();
    expect(await connections()).toEqual(["close", "close", "close"]);
    await drained;
  });

  it("releases the delivery of a web request whose caller disconnects", async () => {
    const handler = heldWork();
    const { issuer, webhook, deliver } = await startWebhook({
      on: { "*": handler.run },
      limits: { concurrentRequests: 1 },
    });
    const caller = new AbortController();
    const request = new Request(await delivery(issuer), { signal: caller.signal });
    const response = webhook.fetch(request);
    await handler.started;
    caller.abort();
    expect((await response).status).toBe(503);
    handler.end();
    await expect.poll(deliver).toBe(200);
  });
});

describe("webhook.fetch", () => {
  it("serves a request whose URL has no host", async () => {
    const { issuer, webhook } = await startWebhook();
    const { method, headers, body, bodyUsed } = await delivery(issuer);
    const request = { method, headers, body, bodyUsed, url: "/api/events" };
    expect((await webhook.fetch(request)).status).toBe(200);
  });

  it("keeps nothing of a request that it has answered", async () => {
    const { issuer, webhook } = await startWebhook();
    const delivered = await delivery(issuer);
    const anonymous = new Request(URL_OF_WEBHOOK, { method: "POST" });
    expect((await webhook.fetch(delivered)).status).toBe(200);
    expect((await webhook.fetch(anonymous)).status).toBe(401);
    // Node keeps a signal in memory while somebody listens to it.
    for (const { signal } of [delivered, anonymous]) {
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  it("answers a request whose caller was gone before", async () => {
    const handled: string[] = [];
    const { issuer, webhook } = await startWebhook({
      on: { "*": ({ id }) => void handled.push(id) },
    });
    const gone = new Request(await delivery(issuer), { signal: AbortSignal.abort() });
    expect((await webhook.fetch(gone)).status).toBe(503);
    await webhook.close();
    expect(handled).toEqual([]);
  });
});

describe("webhook.node", () => {
  it("settles for a caller that was gone before, so that a drain does not wait for it", async () => {
    const { issuer, webhook } = await startWebhook();
    const settled = gate();
    const { port } = await startServer(async (request, response) => {
      await once(response, "close");
      await webhook.node(request, response);
      settled.open();
    });
    // Its key has to be fetched first.
    const token = await issuer.token({}, { key: await issuer.foreignKey("unknown") });
    const caller = connect(port, "127.0.0.1");
    caller.end(
      `POST /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${STRUCTURED}\r\nContent-Length: 100\r\n\r\n{`,
    );
    caller.on("error", () => {});
    await settled.passed;
    await webhook.close();
  });

  it("passes other requests on to next, and answers them itself without next", async () => {
    const { webhook } = await startWebhook();
    const { origin } = await startServer((request, response) => {
      webhook.node(request, response);
    });
    const put = await fetch(`${origin}/api/events`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await fetch(`${origin}/other`, { method: "POST" })).status).toBe(404);

    const request = Object.assign(new IncomingMessage(new Socket()), { url: "/other" });
    const response = new ServerResponse(request);
    expect(webhook.node(request, response, () => "next")).toBe("next");
    expect(response.headersSent).toBe(false);
  });
});

describe("the log of createWebhook", () => {
  it("has JSON lines on the console by default, with the errors but not their own fields", async () => {
    const lines: unknown[] = [];
    for (const method of ["info", "warn", "error"] as const) {
      const spy = vi.spyOn(console, method);
      spy.mockImplementation((line: string) => void lines.push(JSON.parse(line)));
      onTestFinished(() => spy.mockRestore());
    }
    const cause = Object.assign(new Error("late"), { code: "LATE" });
    const error = Object.assign(new Error("no stock", { cause }), { payload: "hunter2" });
    const { webhook, deliver } = await startWebhook({
      on: { "*": () => Promise.reject(error) },
      logger: undefined,
    });
    await deliver();
    const headers = { "content-type": STRUCTURED };
    await webhook.fetch(
      new Request("https://orders.example.com/typo", { method: "POST", headers }),
    );
    expect(lines).toMatchObject([
      {
        level: 50,
        time: expect.any(Number),
        err: { message: "no stock", cause: { code: "LATE" } },
      },
      { level: 40, msg: "delivery", status: 503 },
      { level: 40, msg: "no webhook at path", path: "/typo", expected: ["/api/events"] },
    ]);
    expect(JSON.stringify(lines)).not.toContain("hunter2");
  });

  it("warns of Event Grid's requests at another path, unless something else in the app serves them", async () => {
    const now = vi.spyOn(Date, "now");
    onTestFinished(() => now.mockRestore());
    const lines = new LogLines();
    const { binding, webhook } = await startWebhook({ logger: pinoTo(lines, "warn") });
    const other = createWebhook({ ...binding, path: "/other" }, { on, logger: false });
    const app = express().use(webhook.node).use(other.node);
    app.options("/cors", (_, response) => void response.sendStatus(204));
    const { origin } = await startServer(app, { maxHeaderSize: 65_536 });
    const handshake = { "webhook-request-origin": "eventgrid.azure.net" };
    const delivery = { "content-type": STRUCTURED };
    for (const [method, path, headers] of [
      ["OPTIONS", "/typo", { origin: "https://shop.example.com" }],
      ["POST", "/typo", { "content-type": "application/json" }],
      ["OPTIONS", "/other", handshake],
      ["POST", "/other", delivery],
      ["OPTIONS", "/cors", handshake],
    ] as const) {
      await fetch(`${origin}${path}`, { method, headers });
    }
    const warnings = () => lines.withMessage("no webhook at path");
    const expected = ["/api/events"];
    await expect.poll(warnings).toMatchObject([{ path: "/cors", expected }]);
    now.mockReturnValue(Date.now() + 60_000);
    await fetch(`${origin}/typo`, { method: "POST", headers: delivery });
    await expect.poll(warnings).toMatchObject([{ path: "/cors" }, { path: "/typo", expected }]);
    await other.close();
  });

  it("does not warn of the header limit of an HTTP/2 server", async () => {
    const lines = new LogLines();
    const { webhook } = await startWebhook({ logger: pinoTo(lines, "warn") });
    const app = new Koa().use(({ req, res }, next) => webhook.node(req, res, next));
    const server = createHttp2Server(app.callback());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const session = connectHttp2(
      `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    );
    const stream = session.request({ ":method": "OPTIONS", ":path": "/api/events" });
    const [answer] = await once(stream.end(), "response");
    expect(answer[":status"]).toBe(200);
    expect(lines.lines).toEqual([]);
    session.close();
    server.close();
  });

  it("warns once if the server's header limit is too low for deliveries", async () => {
    const lines = new LogLines();
    const { webhook } = await startWebhook({ logger: pinoTo(lines, "warn") });
    const { origin } = await startServer((request, response) => {
      webhook.node(request, response);
    });
    for (let count = 0; count < 2; count += 1) {
      await fetch(`${origin}/api/events`, { method: "OPTIONS" });
    }
    expect(lines.lines).toMatchObject([{ limit: 16_384, needed: 65_536 }]);
  });
});
