import type { WebhookOptions } from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { onTestFinished } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { anEvent, bindingFor } from "../service.js";

/** A running Fastify app with the webhook in it; the app and its issuer end with the test. */
export async function startApp(
  prepare: (app: FastifyInstance) => void = () => {},
  options: Partial<WebhookOptions> = {},
  settings: FastifyServerOptions = {},
) {
  const issuer = await TestIssuer.start();
  const app: FastifyInstance = fastify(settings);
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
