import { execFile } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { connect, Socket } from "node:net";
import { promisify } from "node:util";
import {
  ConfigurationError,
  createWebhook,
  ListenerStartError,
} from "cloud-eventgrid-binding-runtime";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { startServer } from "../../../support/node-server.js";
import { root } from "../../../support/project.js";
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

async function startIssuer(): Promise<TestIssuer> {
  const issuer = await TestIssuer.start();
  onTestFinished(() => issuer.stop());
  return issuer;
}

const on = { "*": () => {} };

describe("createWebhook", () => {
  it("requests the signing keys at once, and its first deliveries wait for them", async () => {
    const issuer = await startIssuer();
    const keys = gate();
    issuer.gate = keys.passed;
    const webhook = createWebhook(bindingFor(issuer), { on, logger: false });
    await expect.poll(() => issuer.requests.length).toBeGreaterThan(0);
    expect(webhook.isReady()).toBe(false);
    const response = webhook.fetch(await delivery(issuer));
    keys.open();
    expect((await response).status).toBe(200);
    expect([webhook.isReady(), webhook.isStuck()]).toEqual([true, false]);
    await webhook.close();
  });

  it("serves several bindings by their paths", async () => {
    const issuer = await startIssuer();
    const binding = bindingFor(issuer);
    const reached: string[] = [];
    const handlers = (name: string) => ({ on: { "*": () => void reached.push(name) } });
    const webhook = createWebhook(binding, { ...handlers("first"), logger: false });
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
    const binding = bindingFor(await startIssuer());
    const { path: _, ...withoutPath } = binding;
    // @ts-expect-error: the console has no child loggers
    const create = () => createWebhook(withoutPath, { on, deadlineMs: 0, logger: console });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(/path.*deadlineMs.*logger must be a logger with debug/s);
  });

  it("drains, and refuses deliveries, when it is closed", async () => {
    const issuer = await startIssuer();
    const webhook = createWebhook(bindingFor(issuer), { on, logger: false });
    expect((await webhook.fetch(await delivery(issuer))).status).toBe(200);
    await Promise.all([webhook.close(), webhook.close()]);
    expect((await webhook.fetch(await delivery(issuer))).status).toBe(503);
  });

  it("does not keep the process alive", async () => {
    const issuer = await startIssuer();
    const code = `
      const { createWebhook } = require("./runtime/dist/listener/index.js");
      const webhook = createWebhook(${JSON.stringify(bindingFor(issuer))}, { on: { "*": () => {} } });
      process.on("exit", () => console.log("ready", webhook.isReady()));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", code], { cwd: root });
    expect(stdout.trim().split("\n").at(-1)).toBe("ready true");
  });

  it("releases the delivery of a web request whose caller disconnects", async () => {
    const issuer = await startIssuer();
    const started = gate();
    const hold = gate();
    const webhook = createWebhook(bindingFor(issuer), {
      on: {
        "*": () => {
          started.open();
          return hold.passed;
        },
      },
      logger: false,
      limits: { concurrentRequests: 1 },
    });
    const caller = new AbortController();
    const request = new Request(await delivery(issuer), { signal: caller.signal });
    const response = webhook.fetch(request);
    await started.passed;
    caller.abort();
    expect((await response).status).toBe(503);
    hold.open();
    await expect.poll(async () => (await webhook.fetch(await delivery(issuer))).status).toBe(200);
    await webhook.close();
  });
});

describe("webhook.fetch", () => {
  it("serves a request whose URL has no host", async () => {
    const issuer = await startIssuer();
    const webhook = createWebhook(bindingFor(issuer), { on, logger: false });
    const { method, headers, body, bodyUsed } = await delivery(issuer);
    const request = { method, headers, body, bodyUsed, url: "/api/events" };
    expect((await webhook.fetch(request)).status).toBe(200);
    await webhook.close();
  });

  it("keeps nothing of a request that it has answered", async () => {
    const issuer = await startIssuer();
    const webhook = createWebhook(bindingFor(issuer), { on, logger: false });
    const delivered = await delivery(issuer);
    const anonymous = new Request(URL_OF_WEBHOOK, { method: "POST" });
    expect((await webhook.fetch(delivered)).status).toBe(200);
    expect((await webhook.fetch(anonymous)).status).toBe(401);
    // Node keeps a signal in memory while somebody listens to it.
    for (const { signal } of [delivered, anonymous]) {
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
    await webhook.close();
  });

  it("answers a request whose caller was gone before", async () => {
    const issuer = await startIssuer();
    const handled: string[] = [];
    const webhook = createWebhook(bindingFor(issuer), {
      on: { "*": ({ id }) => void handled.push(id) },
      logger: false,
    });
    const gone = new Request(await delivery(issuer), { signal: AbortSignal.abort() });
    expect((await webhook.fetch(gone)).status).toBe(503);
    await webhook.close();
    expect(handled).toEqual([]);
  });
});

describe("webhook.node", () => {
  it("settles for a caller that was gone before, so that a drain does not wait for it", async () => {
    const issuer = await startIssuer();
    const webhook = createWebhook(bindingFor(issuer), { on, logger: false });
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
    const webhook = createWebhook(bindingFor(await startIssuer()), { on, logger: false });
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
    await webhook.close();
  });
});

describe("the log of createWebhook", () => {
  it("has JSON lines on the console by default, with the errors but not their own fields", async () => {
    const issuer = await startIssuer();
    const lines: unknown[] = [];
    for (const method of ["info", "warn", "error"] as const) {
      const spy = vi.spyOn(console, method);
      spy.mockImplementation((line: string) => void lines.push(JSON.parse(line)));
      onTestFinished(() => spy.mockRestore());
    }
    const cause = Object.assign(new Error("late"), { code: "LATE" });
    const error = Object.assign(new Error("no stock", { cause }), { payload: "hunter2" });
    const webhook = createWebhook(bindingFor(issuer), { on: { "*": () => Promise.reject(error) } });
    await webhook.fetch(await delivery(issuer));
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
    await webhook.close();
  });

  it("warns of Event Grid's requests at another path, unless something else in the app serves them", async () => {
    const binding = bindingFor(await startIssuer());
    const now = vi.spyOn(Date, "now");
    onTestFinished(() => now.mockRestore());
    const lines = new LogLines();
    const { log: logger } = fastify({ logger: { level: "warn", stream: lines } });
    const webhook = createWebhook(binding, { on, logger });
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
    await Promise.all([webhook.close(), other.close()]);
  });

  it("does not warn of the header limit of an HTTP/2 server", async () => {
    const lines = new LogLines();
    const { log: logger } = fastify({ logger: { level: "warn", stream: lines } });
    const webhook = createWebhook(bindingFor(await startIssuer()), { on, logger });
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
    await webhook.close();
    server.close();
  });

  it("warns once if the server's header limit is too low for deliveries", async () => {
    const issuer = await startIssuer();
    const warnings: object[] = [];
    const log = {
      debug() {},
      info() {},
      warn: (details: object | string) => void warnings.push(Object(details)),
      error() {},
      child: () => log,
    };
    const webhook = createWebhook(bindingFor(issuer), { on, logger: log });
    const { origin } = await startServer((request, response) => {
      webhook.node(request, response);
    });
    for (let count = 0; count < 2; count += 1) {
      await fetch(`${origin}/api/events`, { method: "OPTIONS" });
    }
    expect(warnings).toEqual([{ limit: 16_384, needed: 65_536 }]);
    await webhook.close();
  });
});
