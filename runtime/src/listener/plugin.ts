import type { FastifyInstance, FastifyPluginCallback } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { LONGEST_MS } from "../setting-rules.js";
import { answerEarly } from "./answers.js";
import { isDoneWithin } from "./patience.js";
import type { WebhookOptions } from "./settings.js";
import { answerError, Webhook } from "./webhook.js";

/** What the plugin adds to the app: how its webhooks are, all together. */
export interface EventGridWebhooks {
  /** Whether every webhook of this app is ready for deliveries. */
  isReady(): boolean;
  /**
   * Ends the deliveries of this app: not ready from now on, still taking deliveries for
   * `drainLagMs`, then refusing new ones; resolves when those in flight are finished.
   *
   * `app.close()` does the same, but without the lag: a load balancer that is to notice first
   * needs this call before it.
   */
  drain(): Promise<void>;
}

declare module "fastify" {
  interface FastifyInstance {
    eventGrid: EventGridWebhooks;
  }
}

class Webhooks implements EventGridWebhooks {
  readonly all: Pick<Webhook, "isReady" | "drain">[] = [];

  isReady(): boolean {
    return this.all.every((webhook) => webhook.isReady());
  }

  async drain(): Promise<void> {
    await Promise.all(this.all.map((webhook) => webhook.drain()));
  }
}

const register: FastifyPluginCallback<WebhookOptions> = (app, options, done) => {
  settle(done, () => mount(app, new Webhook(options, app.log)));
};

/** What a plugin throws reaches nobody: Fastify would wait for it until it gives up. */
function settle(done: (error?: Error) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done();
}

/** @internal Serves a webhook in an app. */
export function mount(app: FastifyInstance, webhook: Webhook): void {
  if (!app.hasDecorator("eventGrid")) app.decorate("eventGrid", new Webhooks());
  if (app.eventGrid instanceof Webhooks) app.eventGrid.all.push(webhook);
  // A context of its own: the app's other routes keep their parsers and their error handler.
  app.register((scope, _, ready) => settle(ready, () => addRoutes(scope, webhook)));
  app.addHook("onReady", () => webhook.start());
  // The app itself refuses every new request from here on: a lag would only hold up the end.
  app.addHook("preClose", async () => {
    await isDoneWithin(preClosePatienceMs(app), webhook.drain(0));
  });
  app.addHook("onClose", async () => {
    await webhook.drain(0);
    webhook.stop();
  });
}

/**
 * How long the end of deliveries may hold up the end of their connections. Fastify fails a close
 * whose `preClose` hook takes longer than `pluginTimeout`; `onClose` hooks have all the time.
 */
function preClosePatienceMs({ initialConfig: { pluginTimeout = 10_000 } }: FastifyInstance) {
  return pluginTimeout === 0 ? LONGEST_MS : pluginTimeout * 0.8;
}

function addRoutes(app: FastifyInstance, webhook: Webhook): void {
  const url = routeOf(webhook.path);
  const logSerializers = { req: withoutQuery };
  app.decorateRequest("eventGridDelivery", null);
  app.setErrorHandler((error, request, reply) => {
    const delivery = request.eventGridDelivery;
    // With its answer given, the error is one of the app's own hooks, which spoilt that answer.
    if (delivery === null || delivery.isAnswered) answerError(error, reply);
    else webhook.fail(delivery, error);
  });
  app.removeAllContentTypeParsers();
  // The first two would do as well without being named, but Fastify finds named ones faster.
  const types = ["application/cloudevents+json", "application/cloudevents-batch+json", "*"];
  app.addContentTypeParser(types, (request, payload, done) => {
    const delivery = request.eventGridDelivery;
    if (delivery === null) done(null);
    else webhook.readBody(delivery, payload, done);
  });

  app.route({
    method: "OPTIONS",
    url,
    logSerializers,
    handler: (request, reply) => webhook.handshake(request, reply),
  });
  app.route({
    method: "POST",
    url,
    logSerializers,
    onRequest: (request, reply, next) => webhook.admit(request, reply, next),
    handler: (request) => {
      const delivery = request.eventGridDelivery;
      if (delivery === null) return;
      const body = request.body ?? Buffer.alloc(0);
      if (Buffer.isBuffer(body)) webhook.handle(delivery, body);
      else webhook.fail(delivery, new TypeError("a hook of the app has replaced the body"));
    },
  });
  app.route({
    method: app.supportedMethods.filter((method) => method !== "OPTIONS" && method !== "POST"),
    url,
    logSerializers,
    onRequest: (_, reply) => answerEarly(reply.header("allow", "POST, OPTIONS"), 405),
    handler: () => {},
  });
}

/** A path as find-my-way takes it: decoded, and without parameters. */
function routeOf(path: string): string {
  return decodeURI(path).replaceAll(":", "::");
}

/** The query of a webhook's URL is a secret: it stays out of the log. */
function withoutQuery({ method, url }: { method: string; url: string }) {
  return { method, path: url.split("?", 1)[0] };
}

/**
 * A Fastify plugin that serves the webhook of a binding, and adds no other route.
 *
 * @example
 * ```ts
 * await app.register(eventGridWebhook, { binding, on: { "shop.order.placed": ship } });
 * ```
 */
export const eventGridWebhook: FastifyPluginCallback<WebhookOptions> = fastifyPlugin(register, {
  fastify: "5.x",
  name: "event-grid-webhook",
});
