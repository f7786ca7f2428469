import {
  bindingFromEnvironment,
  createListener,
  eventGridWebhook,
  ListenerConfigurationError,
  type ListenerOptions,
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
});

describe("a path that webhook and health would share", () => {
  /** What createListener says of it. */
  function problemsOf(options: Partial<ListenerOptions>): unknown {
    try {
      createListener(binding, { on, logger: false, ...options });
    } catch (error) {
      return error instanceof ListenerConfigurationError ? error.problems : error;
    }
    return [];
  }
  const live = "health.live is /healthz, the webhook's path: give it one of its own";

  it("is refused when the listener is made", () => {
    expect(problemsOf({})).toEqual([live]);
    expect(problemsOf({ path: "/health%7A" })).toEqual([live]);
    expect(problemsOf({ path: "/a", health: { live: "/a" } })).toEqual([
      "health.live is /a, the webhook's path: give it one of its own",
    ]);
    expect(problemsOf({ path: "/readyz" })).toEqual([
      "health.ready is /readyz, the webhook's path: give it one of its own",
    ]);
  });

  it("is refused where both health routes have it", () => {
    expect(problemsOf({ health: { live: "/x", ready: "/x" } })).toEqual([
      "health.live and health.ready are both /x: give each one of its own",
    ]);
  });

  it("is told together with everything else that is wrong", () => {
    expect(problemsOf({ health: { ready: "/healthz" }, port: -1 })).toEqual([
      expect.stringContaining("port is -1"),
      live,
      "health.ready is /healthz, the webhook's path: give it one of its own",
      "health.live and health.ready are both /healthz: give each one of its own",
    ]);
  });

  it("is none where each has its own, or there are no health routes", () => {
    expect(problemsOf({ health: false })).toEqual([]);
    expect(problemsOf({ health: { live: "/live" } })).toEqual([]);
  });
});
