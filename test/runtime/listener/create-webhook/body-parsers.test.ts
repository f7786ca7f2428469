import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { HttpRequest } from "@azure/functions";
import { createWebhook, type WebhookEndpoint } from "cloud-eventgrid-binding-runtime";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { startServer } from "../../../support/node-server.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";

const express4: typeof express = createRequire(import.meta.url)("express-4");

type Deliver = (init: RequestInit & { body: string }) => Promise<number>;

/** Delivers to a Node server until the test ends. */
async function toNode(listener: RequestListener): Promise<Deliver> {
  const { origin } = await startServer(listener, { maxHeaderSize: 65_536 });
  return async (init) => (await fetch(`${origin}/api/events`, init)).status;
}

const misplaced: Readonly<Record<string, (webhook: WebhookEndpoint) => Promise<Deliver>>> = {
  "express.json() of Express 5": (webhook) =>
    toNode(
      express()
        .use(express.json({ type: "*/*" }))
        .use(webhook.node),
    ),
  "express.raw() of Express 4": (webhook) =>
    toNode(
      express4()
        .use(express4.raw({ type: "*/*" }))
        .use(webhook.node),
    ),
  "a body parser of Koa": (webhook) =>
    toNode(
      new Koa()
        .use(async ({ req }, next) => {
          for await (const _ of req);
          await next();
        })
        .use((ctx, next) => webhook.node(ctx.req, ctx.res, next))
        .callback(),
    ),
  "a middleware of Hono": async (webhook) => {
    const app = new Hono()
      .use(async (context, next) => {
        await context.req.json();
        await next();
      })
      .all("/api/events", (context) => webhook.fetch(context.req.raw));
    return async (init) => (await app.request("/api/events", init)).status;
  },
  "an Azure Function": async (webhook) => async (init) => {
    const request = new HttpRequest({
      method: "POST",
      url: "https://orders.example.com/api/events",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: { string: init.body },
    });
    await request.json();
    return (await webhook.fetch(request)).status;
  },
};

describe("a body that was read before the webhook", () => {
  it.each(Object.entries(misplaced))(
    "gets 503 and an error in the log that names the order, when %s read it",
    async (_, start) => {
      const issuer = await TestIssuer.start();
      const log = new LogLines();
      const handled: unknown[] = [];
      const { log: logger } = fastify({ logger: { stream: log } });
      const on = { "*": (event: unknown) => void handled.push(event) };
      const webhook = createWebhook(bindingFor(issuer), { on, logger });
      const deliver = await start(webhook);

      const headers = {
        authorization: `Bearer ${await issuer.token()}`,
        "content-type": STRUCTURED,
      };
      expect(await deliver({ method: "POST", headers, body: JSON.stringify(anEvent()) })).toBe(503);

      expect(handled).toEqual([]);
      expect(log.lines.filter(({ level }) => level === 50)).toMatchObject([
        {
          reason: expect.stringMatching(/before (express|request)\.json\(\)/),
          msg: "delivery refused: its body was read before the webhook",
        },
      ]);
      await webhook.close();
      await issuer.stop();
    },
  );

  it("does not happen with express.json() as it is, which reads application/json only", async () => {
    const issuer = await TestIssuer.start();
    const webhook = createWebhook(bindingFor(issuer), { on: { "*": () => {} }, logger: false });
    const deliver = await toNode(express().use(express.json()).use(webhook.node));
    const headers = {
      authorization: `Bearer ${await issuer.token()}`,
      "content-type": STRUCTURED,
    };
    expect(await deliver({ method: "POST", headers, body: JSON.stringify(anEvent()) })).toBe(200);
    await webhook.close();
    await issuer.stop();
  });
});
