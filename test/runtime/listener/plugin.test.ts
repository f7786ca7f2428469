import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { createConnection } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { eventGridWebhook, type WebhookOptions } from "cloud-eventgrid-binding-runtime/listener";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { gate } from "../../support/gate.js";
import { TestIssuer } from "../../support/issuer.js";
import { LogLines } from "../../support/log-lines.js";
import { anEvent, bindingFor } from "./harness.js";

/** Delivers over HTTP/2. */
async function statusOf(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
) {
  const stream = session.request({
    ":method": "POST",
    ":path": "/api/events",
    "content-type": "application/cloudevents+json",
    ...headers,
  });
  stream.end(body);
  stream.resume();
  const [answer] = await once(stream, "response");
  return answer[":status"];
}

async function startApp(
  prepare: (app: FastifyInstance) => void = () => {},
  options: Partial<WebhookOptions> = {},
) {
  const issuer = await TestIssuer.start();
  const app = fastify();
  const handled: string[] = [];
  app.post("/orders", async (request) => ({ got: request.body }));
  await app.register(eventGridWebhook, {
    binding: bindingFor(issuer),
    on: { "*": (event) => void handled.push(event.id) },
    ...options,
  });
  prepare(app);
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(async () => {
    await app.close();
    await issuer.stop();
  });
  const send = async (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${origin}${path}`, { method: "POST", body, headers });
  const deliver = async (event = anEvent(), path = "/api/events") =>
    send(path, JSON.stringify(event), {
      "content-type": "application/cloudevents+json; charset=utf-8",
      authorization: `Bearer ${await issuer.token()}`,
    });
  return { app, issuer, origin, handled, send, deliver };
}

describe("inside an app of one's own", () => {
  it("serves the webhook and leaves the other routes their parsers", async () => {
    const { send, deliver, handled } = await startApp();
    expect((await deliver()).status).toBe(200);
    expect(handled).toHaveLength(1);
    const json = await send("/orders", '{"a":1}', { "content-type": "application/json" });
    expect(await json.json()).toEqual({ got: { a: 1 } });
    const cloudEvent = await send("/orders", "{}", {
      "content-type": "application/cloudevents+json",
    });
    expect(cloudEvent.status).toBe(415);
    const poisoned = await send("/orders", '{"__proto__":1}', {
      "content-type": "application/json",
    });
    expect(poisoned.status).toBe(400);
  });

  it("leaves the app its error handler, its not-found handler and its limits", async () => {
    const { send, origin } = await startApp((app) => {
      app.get("/fails", () => {
        throw new Error("mine");
      });
      app.setErrorHandler((error, _, reply) => reply.code(418).send({ mine: String(error) }));
      app.setNotFoundHandler((_, reply) => reply.code(404).send("my 404"));
    });
    expect((await fetch(`${origin}/fails`)).status).toBe(418);
    expect(await (await fetch(`${origin}/nowhere`)).text()).toBe("my 404");
    const large = JSON.stringify("x".repeat(1_200_000));
    expect((await send("/orders", large, { "content-type": "application/json" })).status).toBe(413);
    expect((await fetch(`${origin}/healthz`)).status).toBe(404);
  });

  it("takes events larger than the app's own limit", async () => {
    const { deliver } = await startApp();
    expect((await deliver(anEvent({ data: "x".repeat(1_400_000) }))).status).toBe(200);
  });

  it("runs the app's own hooks around the webhook", async () => {
    const seen: string[] = [];
    const issuer = await TestIssuer.start();
    const app = fastify();
    app.addHook("onRequest", async (request) => void seen.push(`${request.method} in`));
    app.addHook("onSend", async (_, reply) => void reply.header("x-mine", "yes"));
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on: { "*": () => {} } });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${origin}/api/events`, { method: "OPTIONS" });
    expect([response.status, response.headers.get("x-mine")]).toEqual([200, "yes"]);
    expect(seen).toEqual(["OPTIONS in"]);
    await app.close();
    await issuer.stop();
  });

  it.each([
    ["takes nothing for", "onRequest", ""],
    ["handles nothing of", "preHandler", JSON.stringify(anEvent({ id: "gone" }))],
  ] as const)("%s a caller that goes away during the app's own %s hook", async (_, hook, body) => {
    const [entered, slow] = [gate(), gate()];
    const { app, deliver, issuer, origin, handled } = await startApp(
      (app) => {
        app.addHook(hook, async ({ headers }: FastifyRequest) => {
          if (headers["x-slow"] === undefined) return;
          entered.open();
          await slow.passed;
        });
      },
      { limits: { requests: 1 } },
    );
    const gone = gate();
    app.server.once("request", (_, response) => response.once("close", gone.open));
    const socket = createConnection(Number(new URL(origin).port), "127.0.0.1");
    const length = body === "" ? 100 : body.length;
    socket.write(
      `POST /api/events HTTP/1.1\r\nHost: x\r\nX-Slow: 1\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
    await entered.passed;
    socket.destroy();
    await gone.passed;
    slow.open();
    const event = anEvent();
    expect((await deliver(event)).status).toBe(200);
    expect(handled).toEqual([event.id]);
  });

  it("takes nothing for a caller that goes away while the answer waits behind another", async () => {
    const [gone, handled] = [gate(), gate()];
    const { app, deliver, issuer, origin } = await startApp(
      (app) => {
        app.get("/slow", () => new Promise(() => {}));
      },
      { limits: { requests: 1 }, on: { "*": handled.open } },
    );
    app.server.once("request", (_, response) => response.once("close", gone.open));
    const socket = createConnection(Number(new URL(origin).port), "127.0.0.1");
    const body = JSON.stringify(anEvent());
    socket.write(
      `GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await handled.passed;
    socket.destroy();
    await gone.passed;
    expect((await deliver()).status).toBe(200);
    await app.eventGrid.drain();
  });

  it("does not show the app's own failing hooks to the caller", async () => {
    const { deliver, handled } = await startApp((app) => {
      app.addHook("preHandler", async () => {
        throw new Error("hunter2");
      });
    });
    const response = await deliver();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
    expect(handled).toEqual([]);
  });

  it("lets a delivery come again whose body an app's own hook fails to hand on", async () => {
    const { deliver, handled } = await startApp((app) => {
      app.addHook("preParsing", async () => {
        const broken = new PassThrough();
        setImmediate(() => broken.destroy(new Error("hunter2")));
        return broken;
      });
    });
    const response = await deliver();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
    expect(handled).toEqual([]);
  });

  it.each<[string, (body: string) => unknown[]]>([
    ["one text", (body) => [body]],
    ["several texts", (body) => [body.slice(0, 9), body.slice(9)]],
    ["bytes", (body) => [new TextEncoder().encode(body)]],
  ])("handles events that an app's own hook hands on as %s", async (_, chunks) => {
    const { deliver, handled } = await startApp((app) => {
      app.addHook("preParsing", async (_request, _reply, payload) =>
        Readable.from(chunks(await text(payload))),
      );
    });
    expect((await deliver(anEvent({ id: "naïve" }))).status).toBe(200);
    expect(handled).toEqual(["naïve"]);
  });

  it.each<[string, (app: FastifyInstance) => void]>([
    [
      "reads the body as something else",
      (app) => app.addHook("preParsing", async () => Readable.from([{ read: "already" }])),
    ],
    [
      "replaces the body",
      (app) =>
        app.addHook("preValidation", async (request) => {
          request.body = JSON.parse(String(request.body));
        }),
    ],
  ])("lets a delivery come again where an app's own hook %s", async (_, prepare) => {
    const { deliver, handled } = await startApp(prepare);
    expect((await deliver()).status).toBe(500);
    expect(handled).toEqual([]);
  });

  it("answers even where an app's own hook spoils the answer", async () => {
    const { deliver } = await startApp((app) => {
      app.addHook("onSend", async (_, reply) => {
        if (reply.statusCode === 200) throw new Error("hunter2");
      });
    });
    const response = await deliver();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
  });

  it("tells readiness of all its webhooks, and drains them", async () => {
    const slow = gate();
    const started = gate();
    const { app, deliver } = await startApp(() => {}, {
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    expect(app.eventGrid.isReady()).toBe(true);
    const last = deliver();
    await started.passed;
    const drained = app.eventGrid.drain();
    expect(app.eventGrid.isReady()).toBe(false);
    expect((await deliver()).status).toBe(503);
    slow.open();
    expect((await last).status).toBe(200);
    await drained;
  });

  it("is ready when all of its webhooks are", async () => {
    const [one, other] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    other.reachable = false;
    const app = fastify();
    const on = { "*": () => {} };
    app.register(eventGridWebhook, { binding: { ...bindingFor(one), path: "/one" }, on });
    app.register(eventGridWebhook, { binding: { ...bindingFor(other), path: "/other" }, on });
    await app.ready();
    expect(app.eventGrid.isReady()).toBe(false);
    other.reachable = true;
    await expect.poll(() => app.eventGrid.isReady(), { timeout: 10_000 }).toBe(true);
    await app.close();
    await Promise.all([one.stop(), other.stop()]);
  });

  it("drains with the lag that is set, which the app's end cuts short", async () => {
    const options = { drainLagMs: 600_000 };
    const { app, deliver } = await startApp(() => {}, options);
    const drained = app.eventGrid.drain();
    expect(app.eventGrid.isReady()).toBe(false);
    expect((await deliver()).status).toBe(200);
    await app.close();
    await drained;
    const { app: other } = await startApp(() => {}, options);
    await other.close();
  });

  it("finishes what is in flight though that takes longer than Fastify gives a hook", async () => {
    const issuer = await TestIssuer.start();
    const [slow, started] = [gate(), gate()];
    let isHandled = false;
    const app = fastify({ pluginTimeout: 1_000 });
    app.register(eventGridWebhook, {
      binding: bindingFor(issuer),
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
          isHandled = true;
        },
      },
    });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const last = fetch(`${origin}/api/events`, {
      method: "POST",
      body: JSON.stringify(anEvent()),
      headers: {
        "content-type": "application/cloudevents+json",
        authorization: `Bearer ${await issuer.token()}`,
      },
    });
    await started.passed;
    const closing = app.close();
    setTimeout(slow.open, 1_500);
    expect((await last).status).toBe(200);
    await closing;
    expect(isHandled).toBe(true);
    await issuer.stop();
  });

  it("keeps the query of the webhook's URL out of the app's own request log", async () => {
    const log = new LogLines();
    const issuer = await TestIssuer.start();
    const app = fastify({ logger: { level: "trace", stream: log } });
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on: { "*": () => {} } });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    for (const method of ["POST", "OPTIONS", "PUT"]) {
      await fetch(`${origin}/api/events?code=hunter2`, { method });
    }
    const asked = log.withMessage("incoming request");
    expect(asked).toMatchObject([
      { req: { method: "POST", path: "/api/events" } },
      { req: { method: "OPTIONS", path: "/api/events" } },
      { req: { method: "PUT", path: "/api/events" } },
    ]);
    expect(log.text).not.toContain("hunter2");
    await app.close();
    await issuer.stop();
  });

  it("finishes what is in flight when the app closes", async () => {
    const slow = gate();
    const started = gate();
    const { app, deliver } = await startApp(() => {}, {
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const last = deliver();
    await started.passed;
    const closing = app.close();
    slow.open();
    expect((await last).status).toBe(200);
    await closing;
  });

  it("serves several bindings side by side, and in a scope with a prefix", async () => {
    const issuer = await TestIssuer.start();
    const app = fastify();
    const reached: string[] = [];
    const options = (name: string, path: string) => ({
      binding: { ...bindingFor(issuer), path },
      on: { "*": () => void reached.push(name) },
    });
    app.register(eventGridWebhook, options("one", "/one"));
    app.register(eventGridWebhook, options("two", "/two"));
    app.register(async (scope) => scope.register(eventGridWebhook, options("three", "/three")), {
      prefix: "/below",
    });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    for (const path of ["/one", "/two", "/below/three"]) {
      const response = await fetch(`${origin}${path}`, {
        method: "POST",
        body: JSON.stringify(anEvent()),
        headers: {
          "content-type": "application/cloudevents+json",
          authorization: `Bearer ${await issuer.token()}`,
        },
      });
      expect([path, response.status]).toEqual([path, 200]);
    }
    expect(reached).toEqual(["one", "two", "three"]);
    expect(app.eventGrid.isReady()).toBe(true);
    await app.close();
    await issuer.stop();
  });

  it("works behind a proxy that speaks for its clients", async () => {
    const issuer = await TestIssuer.start();
    const app = fastify({ trustProxy: true });
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on: { "*": () => {} } });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${origin}/api/events`, {
      method: "POST",
      body: JSON.stringify(anEvent()),
      headers: {
        "content-type": "application/cloudevents+json",
        authorization: `Bearer ${await issuer.token()}`,
        "x-forwarded-for": "203.0.113.7",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "orders.example.com",
      },
    });
    expect(response.status).toBe(200);
    await app.close();
    await issuer.stop();
  });

  it("serves HTTP/2 as well", async () => {
    const issuer = await TestIssuer.start();
    const app = fastify({ http2: true });
    const handled: string[] = [];
    app.register(eventGridWebhook, {
      binding: bindingFor(issuer),
      on: { "*": (event) => void handled.push(event.id) },
    });
    const session = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
    const send = (headers: Record<string, string>, body: string) =>
      statusOf(session, headers, body);
    const authorization = `Bearer ${await issuer.token()}`;
    expect(await send({ authorization }, JSON.stringify(anEvent({ id: "h2" })))).toBe(200);
    expect(await send({}, JSON.stringify(anEvent()))).toBe(401);
    expect(await send({ authorization }, "{")).toBe(400);
    expect(handled).toEqual(["h2"]);
    session.close();
    await app.close();
    await issuer.stop();
  });

  it("ends over HTTP/2 without a warning of Node's", async () => {
    const issuer = await TestIssuer.start();
    const app = fastify({ http2: true });
    const slow = gate();
    const started = gate();
    app.register(eventGridWebhook, {
      binding: bindingFor(issuer),
      on: {
        "*": () => {
          started.open();
          return slow.passed;
        },
      },
    });
    const session = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
    const authorization = `Bearer ${await issuer.token()}`;
    const send = () => statusOf(session, { authorization }, JSON.stringify(anEvent()));
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    const inFlight = send();
    await started.passed;
    const drained = app.eventGrid.drain();
    expect(await send()).toBe(503);
    slow.open();
    expect(await inFlight).toBe(200);
    await drained;
    session.close();
    await app.close();
    process.off("warning", note);
    expect(warnings).toEqual([]);
    await issuer.stop();
  });

  it("gives the place of an HTTP/2 delivery back whose body never ends", async () => {
    const issuer = await TestIssuer.start();
    const app = fastify({ http2: true });
    app.register(eventGridWebhook, {
      binding: bindingFor(issuer),
      limits: { requests: 1 },
      deadlineMs: 100,
      on: { "*": () => {} },
    });
    const session = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
    const authorization = `Bearer ${await issuer.token()}`;
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/events",
      "content-type": "application/cloudevents+json",
      authorization,
    });
    stream.write("{");
    const [answer] = await once(stream, "response");
    expect(answer[":status"]).toBe(503);
    stream.resume();
    await once(stream, "close");
    await app.eventGrid.drain();
    session.close();
    await app.close();
    await issuer.stop();
  });
});
