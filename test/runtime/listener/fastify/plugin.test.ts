import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { anEvent, bindingFor } from "../service.js";
import { startApp } from "./own-app.js";

describe("the plugin", () => {
  it("serves the webhook and leaves the parsers of other routes alone", async () => {
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

  it("leaves the app's error handler, not-found handler and limits alone", async () => {
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

  it("accepts events larger than the app's body limit", async () => {
    const { deliver } = await startApp();
    expect((await deliver(anEvent({ data: "x".repeat(1_400_000) }))).status).toBe(200);
  });

  it("keeps the query of the webhook's URL out of the app's request log", async () => {
    const log = new LogLines();
    const logger = { level: "trace", stream: log };
    const { origin } = await startApp(() => {}, {}, { logger });
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
  });

  it.each([
    [{}, [{ level: 40, limit: 16_384, needed: 65_536 }]],
    [{ http: { maxHeaderSize: 65_536 } }, []],
  ])("warns once about the header limit of an app created with %j", async (options, lines) => {
    const log = new LogLines();
    const issuer = await TestIssuer.start();
    const app = fastify({ logger: { level: "warn", stream: log }, ...options });
    const on = { "*": () => {} };
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on });
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on, path: "/other" });
    await app.ready();
    expect(log.lines.filter(({ needed }) => needed !== undefined)).toMatchObject(lines);
    await app.close();
    await issuer.stop();
  });

  it("serves several bindings, also in a scope with a prefix", async () => {
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
});
