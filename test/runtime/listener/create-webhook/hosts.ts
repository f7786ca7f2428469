import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { HttpRequest, HttpResponse } from "@azure/functions";
import { serve } from "@hono/node-server";
import {
  createListener,
  createWebhook,
  type WebhookEndpoint,
} from "cloud-eventgrid-binding-runtime";
import {
  type EventGridWebhookOptions,
  eventGridWebhook,
} from "cloud-eventgrid-binding-runtime/fastify";
import express from "express";
import fastify, { type FastifyBaseLogger } from "fastify";
import { Hono } from "hono";
import Koa from "koa";

/** The webhook in a running server. Apart from it, the server answers `GET /own` with 200. */
export interface RunningHost {
  request(path: string, init: RequestInit): Promise<Response>;
  /** Missing where no server of ours accepts connections. */
  readonly port?: number;
  isReady(): boolean;
  /** Missing where draining is part of closing. */
  drain?(): Promise<void>;
  close(): Promise<void>;
}

type Start = (options: EventGridWebhookOptions, logger: FastifyBaseLogger) => Promise<RunningHost>;

const express4: typeof express = createRequire(import.meta.url)("express-4");

/** Serves a webhook with Node's HTTP server. */
function onNode(listenerOf: (webhook: WebhookEndpoint) => RequestListener): Start {
  return async ({ binding, ...options }, logger) => {
    const webhook = createWebhook(binding, { ...options, events: undefined, logger });
    const server = createServer({ maxHeaderSize: 65_536 }, listenerOf(webhook));
    await once(server.listen(0, "127.0.0.1"), "listening");
    return {
      ...served(webhook, portOf(server.address())),
      close: () => closeServer(webhook, server),
    };
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function served(webhook: WebhookEndpoint, port: number) {
  return {
    port,
    request: (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    isReady: () => webhook.isReady(),
    drain: () => webhook.drain(),
  };
}

async function closeServer(webhook: WebhookEndpoint, server: { close(done: () => void): unknown }) {
  await webhook.close();
  if ("closeAllConnections" in server && typeof server.closeAllConnections === "function") {
    server.closeAllConnections();
  }
  await new Promise<void>((resolve) => server.close(resolve));
}

/** Serves a webhook without a server, as platforms call the functions that they are given. */
function asFunction(
  callerOf: (webhook: WebhookEndpoint) => (request: Request) => Promise<Response>,
): Start {
  return async ({ binding, ...options }, logger) => {
    const webhook = createWebhook(binding, { ...options, events: undefined, logger });
    const call = callerOf(webhook);
    return {
      request: (path, init) =>
        call(new Request(`https://orders.example.com${path}`, { duplex: "half", ...init })),
      isReady: () => webhook.isReady(),
      drain: () => webhook.drain(),
      close: () => webhook.close(),
    };
  };
}

export const hosts: Readonly<Record<string, Start>> = {
  createListener: async ({ binding, ...options }, logger) => {
    const listener = createListener(binding, {
      ...options,
      events: undefined,
      host: "127.0.0.1",
      port: 0,
      logger,
      drainLagMs: 0,
    });
    const { port } = await listener.listen();
    return {
      port,
      request: (path, init) =>
        fetch(`http://127.0.0.1:${port}${path === "/own" ? "/healthz" : path}`, init),
      isReady: () => listener.isReady(),
      close: () => listener.close(),
    };
  },
  "the Fastify plugin": async (options, loggerInstance) => {
    const app = fastify({ loggerInstance, http: { maxHeaderSize: 65_536 } });
    app.get("/own", async () => "own");
    await app.register(eventGridWebhook, options);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const port = portOf(app.server.address());
    return {
      port,
      request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
      isReady: () => app.eventGrid.isReady(),
      drain: () => app.eventGrid.drain(),
      close: () => app.close(),
    };
  },
  "node:http": onNode((webhook) => (request, response) => {
    if (request.url === "/own") response.end("own");
    else webhook.node(request, response);
  }),
  "Express 5": onNode((webhook) =>
    express()
      .use(webhook.node)
      .use(express.json())
      .get("/own", (_, response) => void response.send("own")),
  ),
  "Express 4": onNode((webhook) =>
    express4()
      .use("/api", webhook.node)
      .use(express4.json())
      .get("/own", (_, response) => void response.send("own")),
  ),
  "Koa 3": onNode((webhook) => {
    const app = new Koa();
    app.silent = true;
    return app
      .use((ctx, next) => webhook.node(ctx.req, ctx.res, next))
      .use((ctx) => {
        if (ctx.path === "/own") ctx.body = "own";
      })
      .callback();
  }),
  "Hono on Node": async ({ binding, ...options }, logger) => {
    const webhook = createWebhook(binding, { ...options, events: undefined, logger });
    const app = new Hono()
      .get("/own", (context) => context.text("own"))
      .all("/api/events", (context) => webhook.fetch(context.req.raw));
    const server = serve({
      fetch: app.fetch,
      port: 0,
      hostname: "127.0.0.1",
      serverOptions: { maxHeaderSize: 65_536 },
    });
    await once(server, "listening");
    return {
      ...served(webhook, portOf(server.address())),
      close: () => closeServer(webhook, server),
    };
  },
  "a route handler of Next.js": asFunction((webhook) => {
    const route: Readonly<Record<string, WebhookEndpoint["fetch"]>> = {
      POST: webhook.fetch,
      OPTIONS: webhook.fetch,
    };
    return async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/own") return new Response("own");
      if (pathname !== "/api/events") return new Response(null, { status: 404 });
      return route[request.method]?.(request) ?? new Response(null, { status: 405 });
    };
  }),
  "Azure Functions": asFunction((webhook) => async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/own") return new Response("own");
    const { method, url, headers } = request;
    const bytes = new Uint8Array(await request.arrayBuffer());
    const called = new HttpRequest({
      method,
      url,
      headers: Object.fromEntries(headers),
      ...(bytes.length > 0 && { body: { bytes } }),
    });
    // What the platform makes of a handler's result.
    const {
      status,
      headers: responseHeaders,
      body,
    } = new HttpResponse(await webhook.fetch(called));
    return new Response(body, { status, headers: responseHeaders });
  }),
};
