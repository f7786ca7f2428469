import { createConnection } from "node:net";
import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { startApp } from "./fastify/own-app.js";
import { anEvent } from "./service.js";

describe("the webhook", () => {
  it.each([
    ["takes no capacity for", "onRequest", ""],
    ["handles nothing of", "preHandler", JSON.stringify(anEvent({ id: "gone" }))],
  ] as const)("%s a caller that disconnects during the app's %s hook", async (_, hook, body) => {
    const [entered, slow] = [gate(), gate()];
    const { app, deliver, issuer, origin, handled } = await startApp(
      (app) => {
        app.addHook(hook, async ({ headers }: FastifyRequest) => {
          if (headers["x-slow"] === undefined) return;
          entered.open();
          await slow.passed;
        });
      },
      { limits: { concurrentRequests: 1 } },
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

  it("releases the capacity of a caller that disconnects while its pipelined response waits", async () => {
    const [gone, handled] = [gate(), gate()];
    const { app, deliver, issuer, origin } = await startApp(
      (app) => {
        app.get("/slow", () => new Promise(() => {}));
      },
      { limits: { concurrentRequests: 1 }, on: { "*": handled.open } },
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

  it("releases capacity once for a caller that disconnects after the pipelined response before its own", async () => {
    const [slow, before, taken, gone, two, done] = [gate(), gate(), gate(), gate(), gate(), gate()];
    let running = 0;
    const { app, deliver, issuer, origin } = await startApp(
      (app) => {
        app.get("/slow", () => slow.passed);
        app.addHook("preParsing", async ({ method }) => {
          if (method === "POST") taken.open();
        });
      },
      {
        limits: { concurrentRequests: 2 },
        on: {
          "*": () => {
            running += 1;
            if (running === 2) two.open();
            if (running > 2) done.open();
            return done.passed;
          },
        },
      },
    );
    app.server.once("request", (_, answer) => {
      answer.once("finish", before.open);
      app.server.once("request", (_, next) => next.once("close", gone.open));
    });
    const socket = createConnection(Number(new URL(origin).port), "127.0.0.1");
    socket.write(
      `GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`,
    );
    await taken.passed;
    slow.open();
    await before.passed;
    socket.destroy();
    await gone.passed;

    const both = [deliver(), deliver()];
    await two.passed;
    expect((await deliver()).status).toBe(503);
    done.open();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    await app.eventGrid.drain();
  });
});
