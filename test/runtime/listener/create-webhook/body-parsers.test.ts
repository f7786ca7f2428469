import type { RequestListener } from "node:http";
import { HttpRequest } from "@azure/functions";
import { createWebhook, type WebhookEndpoint } from "cloud-eventgrid-binding-runtime";
import express from "express";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { startServer } from "../../../support/node-server.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";

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

/** What becomes of a delivery to a webhook that is mounted like this. */
async function deliverTo(mount: (webhook: WebhookEndpoint) => Promise<Deliver>) {
  const issuer = await TestIssuer.start();
  const log = new LogLines();
  const handled: unknown[] = [];
  const on = { "*": (event: unknown) => void handled.push(event) };
  const webhook = createWebhook(bindingFor(issuer), { on, logger: pinoTo(log) });
  const deliver = await mount(webhook);
  const authorization = `Bearer ${await issuer.token()}`;
  const headers = { authorization, "content-type": STRUCTURED };
  const status = await deliver({ method: "POST", headers, body: JSON.stringify(anEvent()) });
  await webhook.close();
  await issuer.stop();
  return { status, handled, log };
}

describe("a body that was read before the webhook", () => {
  it.each(Object.entries(misplaced))(
    "gets 503 and an error in the log that names the order, when %s read it",
    async (_, mount) => {
      const { status, handled, log } = await deliverTo(mount);
      expect([status, handled]).toEqual([503, []]);
      expect(log.lines.filter(({ level }) => level === 50)).toMatchObject([
        {
          reason: expect.stringMatching(/before (express|request)\.json\(\)/),
          msg: "delivery refused: its body was read before the webhook",
        },
      ]);
    },
  );

  it("does not happen with express.json() as it is, which reads application/json only", async () => {
    const { status } = await deliverTo((webhook) =>
      toNode(express().use(express.json()).use(webhook.node)),
    );
    expect(status).toBe(200);
  });
});
