import { EventEmitter } from "node:events";
import type { FastifyInstance, FastifyPluginCallback, FastifyReply } from "fastify";
import { settlesWithin } from "../../time.js";
import { LONGEST_MS } from "../../validation/index.js";
import { checkWebhook } from "../check.js";
import {
  type BodyReader,
  NodeExchange,
  type ResponseHeaders,
  warnOfHeaderLimit,
} from "../exchange.js";
import type { BoundOptions } from "../options.js";
import { answerEarly } from "../responses.js";
import { answerError, Webhook } from "../webhook.js";

/** The options of {@link eventGridWebhook}: those of the webhook, and its binding. */
export interface EventGridWebhookOptions extends BoundOptions {}

/** The decorator `app.eventGrid`, which covers all webhooks of the app. */
export interface EventGridWebhooks {
  /** Reports whether every webhook of this app accepts deliveries. */
  isReady(): boolean;
  /**
   * Drains the webhooks of this app: turns readiness off, accepts deliveries for `drainLagMs`, then
   * refuses new ones. Resolves when those in flight are finished.
   *
   * `app.close()` does the same without the lag. Call this first if a load balancer has to notice.
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

const register: FastifyPluginCallback<EventGridWebhookOptions> = (app, options, done) => {
  settle(done, () => {
    const checked = checkWebhook("plugin", options);
    if (!app.hasDecorator("eventGrid")) app.addHook("onReady", async () => checkHeaderLimit(app));
    mount(app, new Webhook(checked, app.log));
  });
};

/** Passes on the error of a plugin: Fastify itself would wait for `done` until it times out. */
function settle(done: (error?: Error) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done();
}

function mount(app: FastifyInstance, webhook: Webhook): void {
  if (!app.hasDecorator("eventGrid")) app.decorate("eventGrid", new Webhooks());
  if (app.eventGrid instanceof Webhooks) app.eventGrid.all.push(webhook);
  // A separate context: the app's other routes keep their parsers and their error handler.
  app.register((scope, _, ready) => settle(ready, () => addRoutes(scope, webhook)));
  app.addHook("onReady", async () => {
    await settlesWithin(hookTimeoutMs(app), webhook.start());
  });
  // From here on the app itself refuses every new request, and needs no lag.
  app.addHook("preClose", async () => {
    await settlesWithin(hookTimeoutMs(app), webhook.drain(true));
  });
  app.addHook("onClose", async () => {
    await webhook.drain(true);
    await webhook.stop();
  });
}

/**
 * How long a hook may wait. Fastify fails the start or the close of an app when an `onReady` or
 * `preClose` hook takes longer than `pluginTimeout`; `onClose` hooks have no timeout.
 */
function hookTimeoutMs({ initialConfig: { pluginTimeout = 10_000 } }: FastifyInstance) {
  return pluginTimeout === 0 ? LONGEST_MS : pluginTimeout * 0.8;
}

/** HTTP/2 has another limit, which is large enough. */
function checkHeaderLimit({ initialConfig, server, log }: FastifyInstance): void {
  if (initialConfig.http2 !== undefined) return;
  warnOfHeaderLimit(server, log, "create the app with http: { maxHeaderSize: 65536 }");
}

function addRoutes(app: FastifyInstance, webhook: Webhook): void {
  // As find-my-way expects it: decoded and without parameters.
  const url = decodeURI(webhook.path).replaceAll(":", "::");
  // @fastify/cors would answer the handshake with 400: it is no preflight of a browser.
  const route = { url, config: { cors: false }, logSerializers: { req: withoutQuery } };
  app.setErrorHandler((error, request, reply) => {
    // Through the reply, the app's onSend hooks would run again. If one throws, Fastify answers with
    // its message.
    reply.hijack();
    answerError(error, new NodeExchange(request.raw, reply.raw, reply.log));
  });
  // The body stays unread until the caller is authenticated.
  app.removeAllContentTypeParsers();
  // "*" would do, but Fastify finds named types faster.
  const types = ["application/cloudevents+json", "application/cloudevents-batch+json", "*"];
  app.addContentTypeParser(types, (_, payload, done) => done(null, payload));

  app.route({
    ...route,
    method: "OPTIONS",
    handler: (_, reply) => void webhook.handshake(new FastifyExchange(reply)),
  });
  app.route({
    ...route,
    method: "POST",
    handler: (_, reply) => void webhook.receive(new FastifyExchange(reply)),
  });
  app.route({
    ...route,
    method: app.supportedMethods.filter((method) => method !== "OPTIONS" && method !== "POST"),
    onRequest: (_, reply) => answerEarly(new FastifyExchange(reply), 405),
    handler: () => {},
  });
}

/** A request of a Fastify app, whose hooks may replace the body and see the response. */
class FastifyExchange extends NodeExchange {
  constructor(private readonly reply: FastifyReply) {
    super(reply.request.raw, reply.raw, reply.log);
  }

  override readBody(reader: BodyReader): void {
    const body: unknown = this.reply.request.body ?? this.request;
    if (body === this.request) {
      super.readBody(reader);
    } else if (body instanceof EventEmitter) {
      body.on("data", reader.chunk).on("end", reader.end).on("error", reader.fail);
    } else {
      reader.fail(new TypeError("a hook of the app has replaced the request body"));
    }
  }

  override respond(status: number, headers: ResponseHeaders, body?: string): void {
    const { reply } = this;
    reply.code(status).headers(headers);
    if (this.closesConnection) reply.header("connection", "close");
    reply.send(body);
  }
}

/** The query of a webhook's URL is a secret, so it stays out of the log. */
function withoutQuery({ method, url }: { method: string; url: string }) {
  return { method, path: url.split("?", 1)[0] };
}

/**
 * A Fastify plugin that serves the webhook of a binding, and adds no other route.
 *
 * Registering it fails with a `ConfigurationError` that has all problems of the binding and the options.
 *
 * @example
 * ```ts
 * await app.register(eventGridWebhook, { binding, on: { "shop.order.placed": ship } });
 * ```
 */
export const eventGridWebhook: FastifyPluginCallback<EventGridWebhookOptions> = Object.assign(
  register,
  {
    // What the package fastify-plugin would set: its decorator belongs to the app, not to a scope.
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "event-grid-webhook",
    [Symbol.for("plugin-meta")]: { name: "event-grid-webhook", fastify: "5.x" },
  },
);
