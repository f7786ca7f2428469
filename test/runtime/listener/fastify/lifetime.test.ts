import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { heldWork } from "../../../support/gate.js";
import { TestIssuer } from "../../../support/issuer.js";
import { bindingFor } from "../service.js";
import { startApp } from "./own-app.js";

describe("app.ready()", () => {
  it("does not fail because the signing keys take longer than Fastify's pluginTimeout", async () => {
    const issuer = await TestIssuer.start();
    issuer.gate = new Promise(() => {});
    const app = fastify({ pluginTimeout: 3_000 });
    app.register(eventGridWebhook, { binding: bindingFor(issuer), on: { "*": () => {} } });
    await app.ready();
    expect(app.eventGrid.isReady()).toBe(false);
    await app.close();
    await issuer.stop();
  });
});

describe("app.eventGrid and app.close()", () => {
  it("report that the app is ready when all of its webhooks are", async () => {
    const [one, other] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    other.reachable = false;
    const app = fastify();
    const on = { "*": () => {} };
    app.register(eventGridWebhook, { binding: { ...bindingFor(one), path: "/one" }, on });
    app.register(eventGridWebhook, { binding: { ...bindingFor(other), path: "/other" }, on });
    await app.ready();
    expect(app.eventGrid.isReady()).toBe(false);
    other.reachable = true;
    await expect.poll(() => app.eventGrid.isReady()).toBe(true);
    await app.close();
    await Promise.all([one.stop(), other.stop()]);
  });

  it("drain with the configured lag, which closing the app ends", async () => {
    const options = { drainLagMs: 600_000 };
    const { app, deliver } = await startApp(() => {}, options);
    const drained = app.eventGrid.drain();
    expect(app.eventGrid.isReady()).toBe(false);
    expect((await deliver()).status).toBe(200);
    await app.close();
    await drained;
    const { app: other } = await startApp(() => {}, options);
    await other.close();
  });

  it("finish deliveries in flight that take longer than Fastify's pluginTimeout", async () => {
    const handler = heldWork();
    const on = { "*": handler.run };
    const { app, deliver } = await startApp(() => {}, { on }, { pluginTimeout: 20_000 });
    const last = deliver();
    await handler.started;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const closing = app.close();
    await vi.advanceTimersByTimeAsync(21_000);
    vi.useRealTimers();
    handler.end();
    expect((await last).status).toBe(200);
    await closing;
  });
});
