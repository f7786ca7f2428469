import { metrics } from "@opentelemetry/api";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { heldWork } from "../../support/gate.js";
import { TestIssuer } from "../../support/issuer.js";
import { ManualClock } from "../../support/manual-clock.js";
import { measuring } from "../../support/measuring.js";
import { exchange } from "../../support/raw-http.js";
import { anEvent, startService } from "./service.js";

describe("the metrics", () => {
  it("add up what several listeners of a process count", async () => {
    const { meterProvider, measured } = measuring();
    for (const _ of ["orders", "stock"]) {
      const on = { "shop.order.placed": () => {} };
      const { deliver } = await startService({ telemetry: { meterProvider }, on });
      await deliver(anEvent());
    }
    const { values } = await measured();
    expect(values["eventgrid.listener.deliveries"]).toEqual([["200", 2]]);
    expect(values["eventgrid.listener.events"]).toEqual([["shop.order.placed handled", 2]]);
  });

  it("count deliveries, events, handshakes, failures and key fetches by their documented names", async () => {
    const { meterProvider, measured } = measuring();
    const handler = heldWork();
    const timer = new ManualClock();
    const { deliver, url } = await startService({
      telemetry: { meterProvider },
      timer,
      on: {
        "shop.order.placed": () => {},
        "b.*": () => Promise.reject(new RejectEvent("no")),
        stuck: handler.run,
      },
    });
    const event = anEvent();
    await deliver(event);
    await deliver(event);
    await deliver(anEvent({ type: "b.x" }));
    await deliver(anEvent({ type: "unknown" }));
    const late = deliver(anEvent({ type: "stuck" }));
    await handler.started;
    timer.advance(25_000);
    await late;
    await deliver(anEvent(), { token: null });
    await fetch(url, {
      method: "OPTIONS",
      headers: { "webhook-request-origin": "eventgrid.azure.net" },
    });
    const { scope, values } = await measured();
    expect(scope).toBe("cloud-eventgrid-binding-runtime");
    expect(values).toEqual({
      "eventgrid.listener.deliveries": [
        ["200", 3],
        ["400", 1],
        ["503", 1],
      ],
      "eventgrid.listener.events": [
        ["b.* rejected", 1],
        ["none unhandled", 1],
        ["shop.order.placed duplicate", 1],
        ["shop.order.placed handled", 1],
        ["stuck timed-out", 1],
      ],
      "messaging.process.duration": [
        ["eventgrid process rejected b.*", 1],
        ["eventgrid process shop.order.placed", 1],
      ],
      "messaging.client.consumed.messages": [["eventgrid process", 3]],
      "eventgrid.listener.lag": [
        ["b.*", 1],
        ["shop.order.placed", 1],
        ["stuck", 1],
      ],
      "eventgrid.listener.handshakes": [["consented", 1]],
      "eventgrid.listener.authentication.failures": [["no-token", 1]],
      "eventgrid.listener.deliveries.in_flight": [["", 1]],
      "eventgrid.listener.key_refreshes": [
        ["v1 succeeded", 1],
        ["v2 succeeded", 1],
      ],
    });
    handler.end();
  });

  it("distinguish handshakes without consent and failed fetches of keys", async () => {
    const { meterProvider, measured } = measuring();
    const issuer = await TestIssuer.start();
    issuer.reachable = false;
    const { url, listener } = await startService({
      issuer,
      telemetry: { meterProvider },
    });
    const ask = (origin: string) =>
      fetch(url, { method: "OPTIONS", headers: { "webhook-request-origin": origin } });
    await ask("eventgrid.azure.net");
    issuer.reachable = true;
    await expect.poll(() => listener.isReady()).toBe(true);
    await ask("evil.example");
    const { values } = await measured();
    expect(values["eventgrid.listener.handshakes"]).toEqual([
      ["not-consented", 1],
      ["not-ready", 1],
    ]);
    expect(values["eventgrid.listener.key_refreshes"]?.map(([attributes]) => attributes)).toEqual([
      "v1 failed",
      "v1 succeeded",
      "v2 failed",
      "v2 succeeded",
    ]);
  });

  it("count events that deviate from CloudEvents, and requests that the HTTP parser rejects", async () => {
    const { meterProvider, measured } = measuring();
    const { deliver, port } = await startService({ telemetry: { meterProvider } });
    await deliver([anEvent(), anEvent({ time: "noon" }), anEvent({ time: "one" })]);
    await exchange(port, [`POST /api/events HTTP/1.1\r\nX: ${"x".repeat(70_000)}\r\n\r\n`]);
    const { values } = await measured();
    expect(values["eventgrid.listener.flawed_events"]).toEqual([["", 2]]);
    expect(values["eventgrid.listener.parser_errors"]).toEqual([["431 HPE_HEADER_OVERFLOW", 1]]);
  });

  it("count events of another event subscription or resource than the binding's", async () => {
    const { meterProvider, measured } = measuring();
    const scope = "/subscriptions/9a1f8c1e-6f3e-4d0b-8f0a-2f6f5f0f7f11/resourceGroups/shop";
    const binding = { eventSubscriptionName: "orders", scope };
    const { deliver } = await startService({ telemetry: { meterProvider }, binding });
    await deliver([anEvent(), anEvent(), anEvent({ source: scope })]);
    await deliver(anEvent(), { headers: { "aeg-subscription-name": "INVOICES" } });
    expect((await measured()).values["eventgrid.listener.unexpected_sources"]).toEqual([
      ["resource", 2],
      ["subscription", 1],
    ]);
  });

  it("go to the global provider that was registered before the listener was created", async () => {
    const { meterProvider, measured } = measuring();
    metrics.setGlobalMeterProvider(meterProvider);
    onTestFinished(() => metrics.disable());
    const { deliver } = await startService();
    await deliver(anEvent());
    expect((await measured()).values["eventgrid.listener.deliveries"]).toEqual([["200", 1]]);
  });

  it("record the duration of a handler that ends after the deadline, and count its event once", async () => {
    const { meterProvider, measured } = measuring();
    const handler = heldWork();
    const timer = new ManualClock();
    const { deliver } = await startService({
      telemetry: { meterProvider },
      timer,
      on: { "*": handler.run },
    });
    const event = anEvent();
    const first = deliver(event);
    await handler.started;
    timer.advance(25_000);
    expect((await first).status).toBe(503);
    expect((await measured()).values["messaging.process.duration"]).toBeUndefined();
    handler.end();
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    const { values } = await measured();
    expect(values["messaging.process.duration"]).toEqual([["eventgrid process *", 1]]);
    expect(values["eventgrid.listener.events"]).toContainEqual(["* timed-out", 1]);
    expect(values["eventgrid.listener.events"]).not.toContainEqual(["* handled", 1]);
  });
});
