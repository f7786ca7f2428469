import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import cors from "@fastify/cors";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify, { type FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { anEvent, bindingFor } from "../service.js";
import { startApp } from "./own-app.js";

describe("the plugin in an app with hooks", () => {
  it("runs the app's hooks around the webhook", async () => {
    const seen: string[] = [];
    const { origin } = await startApp((app) => {
      app.addHook("onRequest", async (request) => void seen.push(`${request.method} in`));
      app.addHook("onSend", async (_, reply) => void reply.header("x-mine", "yes"));
    });
    const response = await fetch(`${origin}/api/events`, { method: "OPTIONS" });
    expect([response.status, response.headers.get("x-mine")]).toEqual([200, "yes"]);
    expect(seen).toEqual(["OPTIONS in"]);
  });

  it.each(["before", "after"])(
    "answers the handshake if @fastify/cors comes %s it",
    async (order) => {
      const issuer = await TestIssuer.start();
      const app = fastify();
      if (order === "before") await app.register(cors);
      await app.register(eventGridWebhook, { binding: bindingFor(issuer), on: { "*": () => {} } });
      if (order === "after") await app.register(cors);
      const { statusCode, headers } = await app.inject({
        method: "OPTIONS",
        url: "/api/events",
        headers: { "webhook-request-origin": "eventgrid.azure.net" },
      });
      expect([statusCode, headers["webhook-allowed-origin"]]).toEqual([200, "eventgrid.azure.net"]);
      await app.close();
      await issuer.stop();
    },
  );

  it("does not show the error of a failing hook to the caller", async () => {
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

  it("answers 500 when a hook fails to pass the body on", async () => {
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

  it("lets other requests have their turn between reading a large batch and handling it", async () => {
    const { send, handled, issuer } = await startApp((app) => {
      app.addHook("preParsing", async (_request, _reply, payload) => {
        payload.once("end", () => setImmediate(() => handled.push("another request")));
        return payload;
      });
    });
    const data = "x".repeat(600 * 1024);
    const batch = [anEvent({ id: "a", data }), anEvent({ id: "b" })];
    const response = await send("/api/events", JSON.stringify(batch), {
      "content-type": "application/cloudevents-batch+json",
      authorization: `Bearer ${await issuer.token()}`,
    });
    expect(response.status).toBe(200);
    expect(handled).toEqual(["another request", "a", "b"]);
  });

  it.each<[string, (body: string) => unknown[]]>([
    ["one string", (body) => [body]],
    ["several strings", (body) => [body.slice(0, 9), body.slice(9)]],
    ["bytes", (body) => [new TextEncoder().encode(body)]],
  ])("reads a body that a hook passes on as %s", async (_, chunks) => {
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
      "parses the body",
      (app) => app.addHook("preParsing", async () => Readable.from([{ read: "already" }])),
    ],
    [
      "replaces the body",
      (app) =>
        app.addHook("preValidation", async (request) => {
          request.body = JSON.parse(String(request.body));
        }),
    ],
  ])("answers 500 when a hook %s", async (_, prepare) => {
    const { deliver, handled } = await startApp(prepare);
    expect((await deliver()).status).toBe(500);
    expect(handled).toEqual([]);
  });

  it.each([
    ["on the response", 200],
    ["on every response", undefined],
  ])("answers 500 when a hook fails %s", async (_, status) => {
    const { deliver } = await startApp((app) => {
      app.addHook("onSend", async (_, reply) => {
        if (reply.statusCode === (status ?? reply.statusCode)) throw new Error("hunter2");
      });
    });
    const response = await deliver();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
  });
});
