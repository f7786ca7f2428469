import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import type { WebhookOptions } from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { heldWork } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { anEvent, bindingFor } from "../service.js";

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

/** An app with the webhook, and an HTTP/2 session. The test closes both at its end. */
async function startApp(options: Pick<WebhookOptions, "on"> & Partial<WebhookOptions>) {
  const issuer = await TestIssuer.start();
  const app = fastify({ http2: true });
  app.register(eventGridWebhook, { binding: bindingFor(issuer), ...options });
  const session = connect(await app.listen({ port: 0, host: "127.0.0.1" }));
  onTestFinished(async () => {
    session.close();
    await app.close();
    await issuer.stop();
  });
  return { app, session, authorization: `Bearer ${await issuer.token()}` };
}

describe("the plugin in an HTTP/2 app", () => {
  it("answers deliveries over HTTP/2", async () => {
    const handled: string[] = [];
    const { session, authorization } = await startApp({
      on: { "*": (event) => void handled.push(event.id) },
    });
    const send = (headers: Record<string, string>, body: string) =>
      statusOf(session, headers, body);
    expect(await send({ authorization }, JSON.stringify(anEvent({ id: "h2" })))).toBe(200);
    expect(await send({}, JSON.stringify(anEvent()))).toBe(401);
    expect(await send({ authorization }, "{")).toBe(400);
    expect(handled).toEqual(["h2"]);
  });

  it("drains without a warning from Node", async () => {
    const handler = heldWork();
    const { app, session, authorization } = await startApp({
      on: { "*": handler.run },
    });
    const send = () => statusOf(session, { authorization }, JSON.stringify(anEvent()));
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    const inFlight = send();
    await handler.started;
    const drained = app.eventGrid.drain();
    expect(await send()).toBe(503);
    handler.end();
    expect(await inFlight).toBe(200);
    await drained;
    session.close();
    await app.close();
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("releases the capacity of a delivery whose body never ends", async () => {
    const { app, session, authorization } = await startApp({
      limits: { concurrentRequests: 1 },
      deadlineMs: 100,
      on: { "*": () => {} },
    });
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
  });
});
