import {
  ConfigurationError,
  createListener,
  createWebhook,
  defineEvents,
  type,
} from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
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

/** The error that createListener throws for values that may violate the types. */
function failureOf(given: object, options: object): unknown {
  try {
    Reflect.apply(createListener, undefined, [given, { logger: false, on, ...options }]);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The field and the rule of each problem that createListener reports. */
function problemsOf(options: object, given: object = binding): [string, string][] {
  const failure = failureOf(given, options);
  if (failure === undefined) return [];
  expect(failure).toBeInstanceOf(ConfigurationError);
  const { problems } = failure as ConfigurationError;
  return problems.map(({ field, rule }) => [field, rule]);
}

describe("createListener", () => {
  it.each<[object, string, string]>([
    [{ port: 99_999 }, "port", "integer-range"],
    [{ port: "9000" }, "port", "integer-range"],
    [{ host: "" }, "host", "non-empty-string"],
    [{ logger: "info" }, "logger", "logger"],
    [{ unexpectedSource: false }, "unexpectedSource", "choice"],
    [{ health: {} }, "health", "boolean"],
    [{ signals: ["SIGTERM", "SIGKILL"] }, "signals[1]", "signal"],
    [{ handshake: true }, "handshake", "type"],
    [{ handshake: { allowedOrigins: [] } }, "handshake.allowedOrigins", "empty"],
    [{ handshake: { allowedOrigins: "*" } }, "handshake.allowedOrigins", "type"],
    [{ handshake: { allowedOrigins: ["*"] } }, "handshake.allowedOrigins[0]", "host-name"],
    [
      { handshake: { allowedOrigins: ["https://eventgrid.azure.net"] } },
      "handshake.allowedOrigins[0]",
      "host-name",
    ],
    [{ authentication: { callers: [CLIENT, "x"] } }, "authentication.callers[1]", "uuid"],
    [{ authentication: { callers: [] } }, "authentication.callers", "empty"],
    [{ authentication: { audiences: "api://x" } }, "authentication.audiences", "type"],
    [{ authentication: { acceptWithoutRole: true } }, "authentication.acceptWithoutRole", "reason"],
    [{ limits: null }, "limits", "type"],
    [{ limits: { concurrentRequests: 1.5 } }, "limits.concurrentRequests", "positive-integer"],
    [{ limits: { bufferedBytes: 1_000 } }, "limits.bufferedBytes", "request-bytes"],
    [{ deadlineMs: "1" }, "deadlineMs", "delivery-timeout"],
    [{ deadlineMs: 26_000 }, "deadlineMs", "delivery-timeout"],
    [{ drainLagMs: -1 }, "drainLagMs", "number-range"],
    [{ unhandled: "drop" }, "unhandled", "choice"],
    [{ deduplication: true }, "deduplication", "deduplication-store"],
    [{ deduplication: {} }, "deduplication", "deduplication-store"],
    [
      { deduplication: { leaseMs: 0, claim: () => [], settle() {}, extend() {} } },
      "deduplication.leaseMs",
      "number-range",
    ],
    [{ deduplicationKey: "id" }, "deduplicationKey", "function"],
    [{ use: [() => {}, "tenancy"] }, "use[1]", "function"],
    [{ fetch: () => {} }, "fetch", "unknown"],
    [{ telemetry: { meterProvider: {} } }, "telemetry.meterProvider", "object"],
    [{ telemetry: { tracerProvider: {} } }, "telemetry.tracerProvider", "object"],
    [{ events: {} }, "events", "event-catalogue"],
    [{ on: undefined }, "on", "required"],
    [{ on: {} }, "on", "required"],
    [{ on: [() => {}] }, "on", "required"],
    [{ on: { "a.b": "x" } }, 'on["a.b"]', "function"],
    [{ on: { ".*": () => {} } }, 'on[".*"]', "event-type"],
    [{ on: { "*.b": () => {} } }, 'on["*.b"]', "event-type"],
    [{ drainLagMS: 5 }, "drainLagMS", "unknown"],
    [{ retries: 5 }, "retries", "unknown"],
    [{ limits: { concurentRequests: 5 } }, "limits.concurentRequests", "unknown"],
  ])("rejects the option %j", (options, field, rule) => {
    expect(problemsOf(options)).toEqual([[field, rule]]);
  });

  it("requires a handler for every type of the catalogue, and no handler for other types", () => {
    const events = defineEvents({ "a.b": type<string>(), "a.c": type<string>() });
    expect(problemsOf({ events, on: { "a.b": () => {}, "a.d": () => {} } })).toEqual([
      ['on["a.d"]', "catalogue"],
      ['on["a.c"]', "required"],
    ]);
    expect(problemsOf({ events, on: { "a.*": () => {} } })).toEqual([]);
    expect(problemsOf({ events, on: { "a.b": () => {}, "*": () => {} } })).toEqual([]);
  });

  it("requires callers in the China cloud, where Event Grid's application ID is not published", () => {
    const china = { ...binding, cloudEnvironment: "china" };
    expect(problemsOf({}, china)).toEqual([["authentication.callers", "required"]]);
  });

  it.each(["/health%7A", "/readyz"])("rejects %s, the path of a health route", (path) => {
    expect(problemsOf({ path })).toEqual([["path", "own-path"]]);
  });

  it("allows the default health paths for the webhook if there are no health routes", () => {
    expect(problemsOf({ path: "/healthz", health: false })).toEqual([]);
  });

  it("reports the problems of binding, handlers and settings together", () => {
    const invalid = { ...binding, path: "no-slash", cloudTenantId: "x" };
    const options = { on: { "a*": () => {} }, port: -1, drainLagMs: -1, health: 1 };
    expect(problemsOf(options, invalid)).toEqual([
      ["cloudTenantId", "uuid"],
      ["path", "path"],
      ['on["a*"]', "event-type"],
      ["drainLagMs", "number-range"],
      ["port", "integer-range"],
      ["health", "boolean"],
    ]);
  });

  it.each([
    ["createListener", createListener],
    ["createWebhook", createWebhook],
  ])("reports missing handlers when %s gets no options", (_, create) => {
    // @ts-expect-error: what JavaScript may leave out
    expect(() => create(binding)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field: "on" })] }),
    );
  });

  it("reports a binding that is invalid while the options are valid", () => {
    const invalid = { cloudTenantId: "nobody", handshakePort: "0", scope: "/shop" };
    const failure = failureOf({ ...invalid, eventSubscriptionName: "an order" }, {});
    expect(failure).toBeInstanceOf(ConfigurationError);
    expect(failure).toMatchObject({
      problems: [
        { field: "cloudTenantId", rule: "uuid" },
        { field: "cloudClientId", rule: "required" },
        { field: "handshakePort", rule: "port" },
        { field: "eventSubscriptionName", rule: "service-name" },
        { field: "scope", rule: "scope" },
        { field: "path", rule: "required" },
      ],
    });
  });

  it("says in its messages what is wrong, with which value, and what is expected", () => {
    const options = { port: -1, unhandled: "drop", deadlineMs: 26_000 };
    expect(failureOf(binding, { ...options, deadlineMs: 1 })).toHaveProperty(
      "message",
      [
        "The listener cannot be created:",
        '- unhandled must be one of "acknowledge", "retry", "reject", but is "drop"',
        "- port must be a whole number from 0 to 65535, but is -1",
      ].join("\n"),
    );
    expect(failureOf(binding, { deadlineMs: 26_000 })).toHaveProperty(
      "message",
      "The listener cannot be created: deadlineMs must be from 1 to 25999 milliseconds, because Event Grid waits 30 s for a response, of which fetching a signing key may take 4, but is 26000",
    );
  });
});

describe("eventGridWebhook", () => {
  it("rejects invalid options when it is registered", async () => {
    const options = { binding, on, authentication: { callers: ["x"] } };
    await expect(fastify().register(eventGridWebhook, options)).rejects.toMatchObject({
      problems: [{ field: "authentication.callers[0]", rule: "uuid" }],
    });
  });

  it("ignores unknown options that resemble none of its own, such as those of Fastify", async () => {
    const app = fastify();
    // fastify-cli passes `watch` on, among others.
    const ofFastify = { prefix: "/a", logLevel: "warn" as const, watch: true };
    const options = { binding, on, retries: 5, ...ofFastify };
    await app.register(eventGridWebhook, options);
    expect(app.eventGrid.isReady()).toBe(false);
    await app.close();
  });
});

it.each([..."#$&+,/:;=?@"])("the plugin refuses a path with %s escaped", async (character) => {
  const options = { binding, on, path: `/a${encodeURIComponent(character)}` };
  const registered = Promise.resolve(fastify().register(eventGridWebhook, options));
  await expect(registered).rejects.toMatchObject({ problems: [{ field: "path", rule: "path" }] });
});
