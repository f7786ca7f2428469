import {
  bindingFromEnvironment,
  createListener,
  eventGridWebhook,
} from "cloud-eventgrid-binding-runtime";
import fastify from "fastify";
import { describe, expect, it } from "vitest";

const binding = bindingFromEnvironment("ORDERS", {
  direction: "input",
  env: {
    ORDERS_TENANT_ID: "11111111-1111-4111-8111-111111111111",
    ORDERS_CLIENT_ID: "33333333-3333-4333-8333-333333333333",
    ORDERS_HANDSHAKE_PORT: "9000",
    ORDERS_WEBHOOK_PATH: "/healthz",
    ORDERS_AUTHORITY_HOST: "http://127.0.0.1:9",
  },
});
const on = { "*": () => {} };

describe("a path that another route has", () => {
  it("fails the start of the app, instead of an uncaught error and a start that never ends", async () => {
    const app = fastify();
    app.post("/healthz", () => "mine");
    const start = async () => {
      await app.register(eventGridWebhook, { binding, on });
      await app.ready();
    };
    await expect(start()).rejects.toThrow(/already declared.*\/healthz/);
  });

  it("fails a second webhook at the path of the first", async () => {
    const app = fastify();
    const start = async () => {
      await app.register(eventGridWebhook, { binding, on });
      await app.register(eventGridWebhook, { binding, on });
      await app.ready();
    };
    await expect(start()).rejects.toThrow(/already declared.*\/healthz/);
  });

  it("fails listen() where it is a health route", async () => {
    const start = async () => {
      await createListener(binding, { on, port: 0, host: "127.0.0.1", logger: false }).listen();
    };
    await expect(start()).rejects.toThrow();
  });
});
