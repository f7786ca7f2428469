import { BindingConfigurationError } from "cloud-eventgrid-binding-runtime/binding";
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import {
  createListener,
  eventGridWebhook,
  ListenerConfigurationError,
  type ListenerOptions,
} from "cloud-eventgrid-binding-runtime/listener";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { CLIENT, TENANT } from "../../support/issuer.js";

const binding = {
  cloudTenantId: TENANT,
  cloudClientId: CLIENT,
  handshakePort: "9000",
  path: "/api/events",
};
const on = { "*": () => {} };

/** What createListener throws for a mistake that only untyped callers, or data, can make. */
function failureOf(...given: unknown[]): unknown {
  try {
    Reflect.apply(createListener, undefined, given);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("each setting is checked when the listener is made", () => {
  it.each([
    [
      { port: 99_999 },
      "port is 99999: it must be a whole number from 0 to 65535, 0 for a free one",
    ],
    [{ port: "9000" }, 'port is "9000": it must be a whole number'],
    [{ host: "" }, 'host is "": it must be a text that is not empty'],
    [{ handshake: { allowedOrigins: [] } }, "handshake.allowedOrigins is empty: no handshake"],
    [{ handshake: { allowedOrigins: "*" } }, 'handshake.allowedOrigins is "*": it must be a list'],
    [
      { handshake: { allowedOrigins: ["https://eventgrid.azure.net"] } },
      'handshake.allowedOrigins[0] is "https://eventgrid.azure.net": handshake.allowedOrigins must be a list of host names',
    ],
    [
      { handshake: { allowedRate: "fast" } },
      'handshake.allowedRate is "fast": it must be a positive whole number, or "*"',
    ],
    [{ handshake: { callback: "yes" } }, 'handshake.callback is "yes": it must be true or false'],
    [{ handshake: true }, "handshake is true: it must be an object of settings"],
    [{ limits: null }, "limits is null: it must be an object of settings"],
    [
      { signals: ["SIGTERM", "SIGKILL"] },
      'signals[1] is "SIGKILL": signals must be a list of signals that a process can catch',
    ],
    [{ drainLagMs: -1 }, "drainLagMs is -1: it must be a number from 0 to 2147483647"],
    [{ drainLagMs: "x" }, 'drainLagMs is "x": it must be a number from 0'],
    [{ anonymousConnections: 0 }, "anonymousConnections is 0: it must be a positive whole number"],
    [
      { authentication: { callers: [CLIENT, "x"] } },
      'authentication.callers[1] is "x": authentication.callers must be a list of UUIDs',
    ],
    [{ authentication: { audiences: "api://x" } }, 'authentication.audiences is "api://x"'],
    [
      { authentication: { acceptWithoutRole: true } },
      "authentication.acceptWithoutRole is true: it must be an object with the reason",
    ],
    [
      { authentication: { clockToleranceSeconds: 601 } },
      "authentication.clockToleranceSeconds is 601: it must be a number from 0 to 600",
    ],
    [
      { authentication: { keys: { refreshMs: Number.NaN } } },
      "authentication.keys.refreshMs is NaN",
    ],
    [
      { health: { live: "x" } },
      'health.live is "x": it must be a path such as /healthz, without *, : and escapes',
    ],
    [{ health: { ready: "/a%20b" } }, 'health.ready is "/a%20b": it must be a path'],
    [{ health: true }, "health is true: it must be false, or an object"],
    [
      { unhandled: "drop" },
      'unhandled is "drop": it must be one of "acknowledge", "retry", "reject"',
    ],
    [{ deduplication: true }, "deduplication is true: it must be a store"],
    [{ deduplication: {} }, "deduplication is an object: it must be a store"],
    ...[undefined, 0, -1, Number.NaN, 2 ** 33].map((leaseMs): [object, string] => [
      { deduplication: { leaseMs, claim: () => "done" } },
      `deduplication.leaseMs is ${leaseMs}: it must be a number from 1 to 2147483647, or Infinity`,
    ]),
    [
      { logger: "info" },
      'logger is "info": it must be a pino logger, pino\'s options, true or false',
    ],
    [{ events: {} }, "events is an object: it must be a catalogue made by defineEvents"],
    [{ onSubscriptionEnd: "x" }, 'onSubscriptionEnd is "x": it must be a function'],
    [{ fetch: "x" }, 'fetch is "x": it must be a function'],
    [{ on: { "a.b": "x" } }, 'the handler of "a.b" is "x": it must be a function'],
    [{ telemetry: { meterProvider: {} } }, "telemetry.meterProvider is an object: it must be"],
    [{ telemetry: { tracerProvider: {} } }, "telemetry.tracerProvider is an object: it must be"],
    [{ deadlineMs: "1" }, 'deadlineMs is "1": it must be a number from 1'],
    [{ limits: { bytes: 1.5 } }, "limits.bytes is 1.5: it must be a positive whole number"],
    [{ on: undefined }, "on is undefined: give a handler"],
    [{ on: { ".*": () => {} } }, '".*" is no event type'],
  ])("%j", (options, problem) => {
    const failure = failureOf(binding, { logger: false, on, ...options });
    expect(failure).toBeInstanceOf(ListenerConfigurationError);
    expect(failure).toHaveProperty("message", expect.stringContaining(problem));
  });

  it("and no options at all are a missing `on`", () => {
    for (const given of [[binding], [binding, {}]]) {
      expect(failureOf(...given)).toBeInstanceOf(ListenerConfigurationError);
    }
  });

  it("by the plugin as well", async () => {
    const app = fastify();
    const options = { binding, on, authentication: { callers: ["x"] } };
    await expect(app.register(eventGridWebhook, options)).rejects.toThrow(
      'authentication.callers[0] is "x"',
    );
  });
});

describe("an option's name that is misspelt", () => {
  const misspelt: object = {
    bindings: {},
    drainLagMS: 5,
    limits: { request: 5 },
    authentication: { keys: { refresh: 5 } },
  };
  const told = [
    "bindings is unknown: did you mean binding?",
    "drainLagMS is unknown: did you mean drainLagMs?",
    "authentication.keys.refresh is unknown: did you mean refreshMs?",
    "limits.request is unknown: did you mean requests?",
  ];

  it("is told, wherever it is", async () => {
    const register = fastify().register(eventGridWebhook, { binding, on, ...misspelt });
    await expect(register).rejects.toMatchObject({ problems: told });
  });

  it("is told of a server as well", () => {
    const server = { sinals: [], health: { readyy: "/r" } };
    expect(failureOf(binding, { on, ...server, ...misspelt })).toMatchObject({
      problems: [
        "sinals is unknown: did you mean signals?",
        ...told,
        "health.readyy is unknown: did you mean ready?",
      ],
    });
  });

  it("is none where it is like no other, such as those that Fastify itself reads", async () => {
    const app = fastify();
    // fastify-cli hands `watch` on, beside others.
    const forFastify = { prefix: "/a", logLevel: "warn" as const, watch: true };
    const options = { binding, on, retries: 5, ...forFastify };
    await app.register(eventGridWebhook, options);
    expect(app.eventGrid.isReady()).toBe(false);
    await app.close();
  });

  it("is none of a server's own, each of which may be given", () => {
    const all: Required<ListenerOptions> = {
      path: "/api/events",
      events: defineEvents({ "a.b": type() }),
      on,
      host: "127.0.0.1",
      port: 0,
      logger: false,
      health: { live: "/live", ready: "/ready" },
      signals: ["SIGTERM"],
      anonymousConnections: 5,
      handshake: { allowedOrigins: ["eventgrid.azure.net"], allowedRate: "*", callback: false },
      authentication: {
        audiences: ["api://orders"],
        callers: [CLIENT],
        acceptWithoutRole: { reason: "a test" },
        clockToleranceSeconds: 1,
        maxTokenLength: 1000,
        keys: { refreshMs: 1000, cooldownMs: 1000, maxStaleMs: 1000, timeoutMs: 1000 },
      },
      limits: {
        bodyBytes: 1,
        events: 1,
        requests: 1,
        bytes: 1,
        handlers: 1,
        handlersPerBatch: 1,
      },
      deadlineMs: 1000,
      unhandled: "reject",
      deduplication: false,
      onSubscriptionEnd: () => {},
      drainLagMs: 0,
      telemetry: {},
      fetch,
      clock: Date.now,
    };
    expect(createListener(binding, all).address).toBeUndefined();
  });
});

describe("what is wrong", () => {
  it("is told all at once: of binding, handlers and settings", () => {
    const failure = failureOf(
      { ...binding, path: "no-slash", cloudTenantId: "x" },
      {
        on: { "a*": () => {} },
        port: -1,
        drainLagMs: -1,
        limits: { requests: 0 },
        health: { live: "" },
      },
    );
    expect(failure).toBeInstanceOf(ListenerConfigurationError);
    expect(failure).toMatchObject({
      problems: [
        expect.stringContaining("cloudTenantId must be a UUID"),
        expect.stringContaining("path must be the path of a URL"),
        expect.stringContaining('"a*" is no event type'),
        "limits.requests is 0: it must be a positive whole number",
        "drainLagMs is -1: it must be a number from 0 to 2147483647",
        expect.stringContaining("port is -1"),
        expect.stringContaining("health.live is"),
      ],
    });
  });

  it("of the binding alone is a BindingConfigurationError", () => {
    expect(failureOf(undefined, { on })).toBeInstanceOf(BindingConfigurationError);
    expect(failureOf(undefined, { on })).toMatchObject({
      problems: [
        { field: "cloudTenantId" },
        { field: "cloudClientId" },
        { field: "handshakePort" },
        { field: "path" },
      ],
    });
  });
});
