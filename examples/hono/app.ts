import {
  createWebhook,
  defineEvents,
  type RuntimeBinding,
  type,
} from "cloud-eventgrid-binding-runtime";
import { Hono } from "hono";

export const shop = defineEvents({
  "shop.order.placed": type<{ orderId: string; article: string }>(),
});

/** A Hono app with a route of its own and the webhook. */
export function buildApp(binding: RuntimeBinding<"input">) {
  const articles = new Map<string, string>();
  const webhook = createWebhook(binding, {
    events: shop,
    on: { "shop.order.placed": ({ data }) => void articles.set(data.orderId, data.article) },
    logger: false,
  });
  const app = new Hono();
  app.all("/api/events", (context) => webhook.fetch(context.req.raw));
  app.get("/orders/:id", (context) => {
    const article = articles.get(context.req.param("id"));
    return article === undefined ? context.notFound() : context.json({ article });
  });
  app.get("/readyz", (context) => context.body(null, webhook.isReady() ? 200 : 503));
  return { app, webhook };
}
