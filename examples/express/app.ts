import {
  createWebhook,
  type RuntimeBinding,
  type WebhookEndpoint,
} from "cloud-eventgrid-binding-runtime";
import express, { type Express } from "express";
import { orders } from "./events.js";

/** An app with its own routes and the webhook. */
export function buildApp(binding: RuntimeBinding<"input">): {
  readonly app: Express;
  readonly webhook: WebhookEndpoint;
} {
  const articles = new Map<string, string>();
  const webhook = createWebhook(binding, {
    events: orders,
    on: {
      "shop.order.placed": async ({ data }, { log }) => {
        articles.set(data.orderId, data.article);
        log.info({ orderId: data.orderId }, "order taken");
      },
    },
  });

  const app = express();
  // The webhook reads its body itself, so it comes before the body parsers.
  app.use(webhook.node);
  app.use(express.json());
  app.get("/orders/:id", (request, response) => {
    const article = articles.get(request.params.id);
    if (article === undefined) response.status(404).json({ error: "no such order" });
    else response.json({ orderId: request.params.id, article });
  });
  app.get("/readyz", (_, response) => void response.sendStatus(webhook.isReady() ? 200 : 503));
  return { app, webhook };
}
