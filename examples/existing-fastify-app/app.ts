import type { RuntimeBinding } from "cloud-eventgrid-binding-runtime/binding";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { defineHandlers } from "cloud-eventgrid-binding-runtime/listener";
import fastify, { type FastifyInstance } from "fastify";
import { orders } from "./events.js";

/** An app with its own routes and the webhook. */
export function buildApp(binding: RuntimeBinding<"input">): FastifyInstance {
  const app = fastify({ logger: true, http: { maxHeaderSize: 65_536 } });
  const articles = new Map<string, string>();

  // A route that the app had before.
  app.get<{ Params: { id: string } }>("/orders/:id", (request, reply) => {
    const article = articles.get(request.params.id);
    if (article === undefined) return reply.code(404).send({ error: "no such order" });
    return reply.send({ orderId: request.params.id, article });
  });

  // The new webhook. Its body parser and error handler do not affect the other routes.
  app.register(eventGridWebhook, {
    binding,
    events: orders,
    on: defineHandlers(orders, {
      "shop.order.placed": async ({ data }, { log }) => {
        articles.set(data.orderId, data.article);
        log.info({ orderId: data.orderId }, "order taken");
      },
    }),
  });
  app.get("/readyz", (_, reply) => reply.code(app.eventGrid.isReady() ? 200 : 503).send());
  return app;
}
