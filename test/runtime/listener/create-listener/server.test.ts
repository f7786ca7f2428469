import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { createListener, ListenerStartError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpServer } from "../../../../runtime/src/listener/create-listener.js";
import { gate, heldWork } from "../../../support/gate.js";
import { CLIENT, TENANT, TestIssuer } from "../../../support/issuer.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, bindingFor, STRUCTURED, startService } from "../service.js";

const quiet = { logger: false, port: 0, host: "127.0.0.1", drainLagMs: 0 } as const;

describe("listen()", () => {
  it("serves the binding's path, the path of its subscriberEndpoint, or the path option", async () => {
    const issuer = await TestIssuer.start();
    const props = {
      cloudTenantId: TENANT,
      cloudSubscriptionId: TENANT,
      cloudClientId: CLIENT,
      subscriberEndpoint: "https://orders.example.com/a%20b/events?code=secret",
      handshakePort: "9000",
      scope: `/subscriptions/${TENANT}`,
      cloudAuthorityHost: issuer.authorityHost,
    };
    for (const [binding, path, served] of [
      [bindingFor(issuer), undefined, "/api/events"],
      [props, undefined, "/a%20b/events?code=secret"],
      [props, "/inside/:id", "/inside/:id"],
    ] as const) {
      const listener = createListener(binding, {
        ...quiet,
        on: { "*": () => {} },
        ...(path !== undefined && { path }),
      });
      const { url } = await listener.listen();
      const answer = await fetch(new URL(served, url), { method: "OPTIONS" });
      expect([served, answer.status]).toEqual([served, 200]);
      expect((await fetch(new URL("/elsewhere", url), { method: "OPTIONS" })).status).toBe(404);
      await listener.close();
    }
    await issuer.stop();
  });

  it("can be called again once the port is free", async () => {
    const { port, issuer, listener: first } = await startService();
    const options = { ...quiet, port, drainLagMs: 600_000, on: { "*": () => {} } };
    const second = createListener(bindingFor(issuer), { ...options, drainLagMs: 0 });
    const patient = createListener(bindingFor(issuer), options);
    await expect(patient.listen()).rejects.toThrow(ListenerStartError);
    await patient.close();
    await expect(second.listen()).rejects.toThrow(ListenerStartError);
    await expect(second.listen()).rejects.toThrow(ListenerStartError);
    await first.close();
    const { url } = await second.listen();
    expect((await fetch(new URL("/readyz", url))).status).toBe(200);
    expect((await fetch(url, { method: "OPTIONS" })).status).toBe(200);
    await second.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it("returns the same address when it is called twice, and has it until close()", async () => {
    const issuer = await TestIssuer.start();
    const listener = createListener(bindingFor(issuer), { ...quiet, on: { "*": () => {} } });
    const [one, other] = await Promise.all([listener.listen(), listener.listen()]);
    expect(other).toEqual(one);
    expect(await listener.listen()).toEqual(one);
    expect(one.url).toBe(`http://127.0.0.1:${one.port}/api/events`);
    expect(listener.address).toEqual(one);
    await listener.close();
    expect(listener.address).toBeUndefined();
    await issuer.stop();
  });

  it("leaves nothing open when close() is called before it resolves", async () => {
    const issuer = await TestIssuer.start();
    const listener = createListener(bindingFor(issuer), { ...quiet, on: { "*": () => {} } });
    const listening = listener.listen();
    const closing = listener.close();
    const { url } = await listening;
    await closing;
    await expect(fetch(url)).rejects.toThrow();
    await issuer.stop();
  });

  it("rejects after close()", async () => {
    const { listener } = await startService();
    await listener.close();
    await expect(listener.listen()).rejects.toThrow(
      "the listener was closed: create a new one with createListener",
    );
  });

  it("says why an address cannot be bound", async () => {
    const { issuer } = await startService();
    const lost = createListener(bindingFor(issuer), {
      ...quiet,
      host: "203.0.113.1",
      on: { "*": () => {} },
    });
    await expect(lost.listen()).rejects.toThrow(
      "cannot listen on 203.0.113.1:0: this machine does not have that address: check `host`",
    );
  });
});

describe("the health routes", () => {
  it("answer on the port of the webhook", async () => {
    const { url, issuer, listener } = await startService();
    const health = async (path: string) => (await fetch(new URL(path, url))).status;
    expect([await health("/healthz"), await health("/readyz")]).toEqual([200, 200]);
    await listener.close();
    issuer.reachable = false;
    const unready = await startService({ issuer });
    const of = async (path: string) => (await fetch(new URL(path, unready.url))).status;
    expect([await of("/healthz"), await of("/readyz")]).toEqual([200, 503]);
  });

  it("can be switched off", async () => {
    const { url } = await startService({ health: false });
    expect((await fetch(new URL("/healthz", url))).status).toBe(404);
  });

  it("report that the process must be restarted when no handler ends any more", async () => {
    const handler = heldWork();
    const timer = new ManualClock();
    const { url, deliver } = await startService({
      timer,
      limits: { concurrentHandlers: 1 },
      on: { "*": handler.run },
    });
    const alive = async () => (await fetch(new URL("/healthz", url))).status;
    const delivering = deliver(anEvent());
    await handler.started;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    timer.advance(25_001);
    expect(await alive()).toBe(503);
    handler.end();
    await expect.poll(alive).toBe(200);
  });

  it.each([
    ["requests", { concurrentRequests: 2 }],
    ["bytes", { bufferedBytes: 4_000, requestBytes: 4_000 }],
  ])(
    "report that the process must be restarted when handlers that never end hold all %s",
    async (_, limits) => {
      const stuck = gate();
      let running = 0;
      const timer = new ManualClock();
      const { url, deliver } = await startService({
        timer,
        limits,
        on: {
          "*": async () => {
            running += 1;
            await stuck.passed;
          },
        },
      });
      const alive = async () => (await fetch(new URL("/healthz", url))).status;
      const large = () => deliver(anEvent({ data: "x".repeat(1_500) }));
      const held = Promise.all([large(), large()]);
      await expect.poll(() => running).toBe(2);
      timer.advance(25_000);
      await held;
      expect(await alive()).toBe(200);
      expect((await large()).status).toBe(503);
      timer.advance(50_001);
      expect(await alive()).toBe(503);
      stuck.open();
      await expect.poll(alive).toBe(200);
      await expect.poll(async () => (await large()).status).toBe(200);
    },
  );
});

describe("close()", () => {
  it("is called by a configured signal, whose handler is removed afterwards", async () => {
    const before = process.listenerCount("SIGUSR2");
    const { listener, log } = await startService({
      signals: ["SIGUSR2"],
    });
    process.kill(process.pid, "SIGUSR2");
    await expect.poll(() => listener.address).toBeUndefined();
    expect(process.listenerCount("SIGUSR2")).toBe(before);
    expect(log.withMessage("draining before shutdown")).toMatchObject([
      { signal: "SIGUSR2", maxMs: 30_000 },
    ]);
  });

  it("ends every kept connection with a response before it resets one", async () => {
    const timer = new ManualClock();
    const { listener, issuer, url } = await startService({ timer, drainLagMs: 5_000 });
    const token = await issuer.token();
    const event = JSON.stringify(anEvent());
    const requests = [
      ["POST", url, { authorization: `Bearer ${token}`, "content-type": STRUCTURED }, event],
      ["POST", url, { authorization: "Bearer forged", "content-type": STRUCTURED }, event],
      ["OPTIONS", url, { "webhook-request-origin": "eventgrid.azure.net" }, ""],
      ["GET", new URL("/readyz", url).href, {}, ""],
      ["GET", new URL("/elsewhere", url).href, {}, ""],
    ] as const;
    const connections = requests.map(([method, target, headers, body]) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      return async () => {
        const sent = request(target, { method, headers, agent }).end(body);
        const [response] = await once(sent, "response");
        response.resume();
        await once(response, "end");
        return [sent.reusedSocket, response.statusCode, response.headers.connection];
      };
    });
    const statuses = [200, 401, 200, 200, 404];
    const first = await Promise.all(connections.map((send) => send()));
    expect(first).toEqual(statuses.map((status) => [false, status, "keep-alive"]));

    const closed = listener.close();
    const drained = await Promise.all(connections.map((send) => send()));
    const whileDraining = [200, 401, 200, 503, 404];
    expect(drained).toEqual(whileDraining.map((status) => [true, status, "close"]));
    timer.advance(5_000);
    await closed;
  });

  it("does not wait for deliveries in flight any more after a second signal", async () => {
    const handler = heldWork();
    const { listener, deliver, log } = await startService({
      signals: ["SIGUSR2"],
      on: { "*": handler.run },
    });
    const last = deliver(anEvent()).catch(() => "connection closed");
    await handler.started;
    process.kill(process.pid, "SIGUSR2");
    await expect.poll(() => log.withMessage("draining before shutdown").length).toBe(1);
    expect(listener.address).toBeDefined();
    process.kill(process.pid, "SIGUSR2");
    await expect.poll(() => listener.address).toBeUndefined();
    expect(await last).toBe("connection closed");
    const message = "shutting down without waiting for deliveries in flight";
    expect(log.withMessage(message)).toMatchObject([{ level: 40, signal: "SIGUSR2" }]);
    handler.end();
  });
});

describe("the headers of a delivery", () => {
  /** Headers as ten delivery properties of that many bytes. */
  const properties = (bytes: number) =>
    Array.from({ length: 10 }, (_, i) => `X-Property-${i}: ${"x".repeat(bytes)}\r\n`).join("");

  async function send({ port, issuer }: Awaited<ReturnType<typeof startService>>, bytes: number) {
    const body = JSON.stringify(anEvent());
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\n${properties(bytes)}Content-Length: ${body.length}\r\n\r\n`;
    return exchange(port, [head, body]);
  }

  it("may contain ten delivery properties of 4,096 bytes", async () => {
    const service = await startService();
    expect((await send(service, 4_096)).status).toBe(200);
    expect(service.handled).toHaveLength(1);
  });

  it("get 431 above 64 KiB, which is logged without the token", async () => {
    const service = await startService();
    const { log } = service;
    expect((await send(service, 8_000)).status).toBe(431);
    expect(log.withMessage("request rejected by the HTTP parser")).toMatchObject([
      { level: 40, status: 431, code: "HPE_HEADER_OVERFLOW", unlogged: 0 },
    ]);
    expect(log.text).not.toContain("Bearer");
  });
});

describe("connections without a verified request", () => {
  it("are limited to 512: the oldest is closed, those that have delivered stay open", async () => {
    const { port, issuer } = await startService();
    const token = await issuer.token();
    const trusted = connect(port, "127.0.0.1");
    const request = () => {
      const body = JSON.stringify(anEvent());
      return `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    trusted.write(request());
    const [first] = await once(trusted, "data");
    expect(String(first)).toContain("200 OK");

    const idle = Array.from({ length: 513 }, () => connect(port, "127.0.0.1"));
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    const closed = () => idle.flatMap((socket, index) => (socket.closed ? [index] : []));
    await expect.poll(closed).toEqual([0]);

    trusted.write(request());
    const [second] = await once(trusted, "data");
    expect(String(second)).toContain("200 OK");
    expect(closed()).toEqual([0]);
    for (const socket of [trusted, ...idle]) socket.destroy();
  });
});

describe("a request of an anonymous caller", () => {
  it("has 10 s for its headers and 30 s in total", () => {
    const server = httpServer(() => {});
    expect(server.headersTimeout).toBe(10_000);
    expect(server.requestTimeout).toBe(30_000);
  });
});

describe("a request with Expect: 100-continue", () => {
  it("is refused before its body is asked for, unless its caller is verified", async () => {
    const { port, issuer } = await startService();
    const body = JSON.stringify(anEvent());
    const send = (token: string) =>
      exchange(port, [
        `POST /api/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`,
        body,
      ]);
    const forged = await issuer.token({}, { key: await issuer.foreignKey() });
    expect((await send(forged)).status).toBe(401);
    const answer = await send(await issuer.token());
    expect([answer.status, answer.body]).toEqual([100, expect.stringContaining("200 OK")]);
  });
});
