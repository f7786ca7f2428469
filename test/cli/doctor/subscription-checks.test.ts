import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on event subscriptions", () => {
  it("reports an unregistered resource provider", async () => {
    await deployment.subscribe();
    deployment.cloud.control.registrations.set("Microsoft.EventGrid", "Unregistered");
    const { exitCode, status, remedy } = await deployment.finding("provider");
    expect([exitCode, status]).toEqual([3, "failed"]);
    expect(remedy).toContain("az provider register --namespace Microsoft.EventGrid");
  });

  it("reports a scope that does not exist", async () => {
    const scope = deployment.topic.id.replace(/orders$/, "missing");
    const { status, message } = await deployment.finding("scope", [], { scope });
    expect(status).toBe("failed");
    expect(message).toContain("topics/missing does not exist");
  });

  it("reports a missing event subscription", async () => {
    const { status, message } = await deployment.finding("event-subscription");
    expect([status, message]).toEqual(["failed", 'there is no event subscription "orders"']);
  });

  it("reports a subscription whose creation failed", async () => {
    const url = "https://unreachable.example.com/api/events";
    await deployment.subscribe({ endpointUrl: url }).catch(() => undefined);
    const { status, message } = await deployment.finding("event-subscription");
    expect([status, message]).toEqual([
      "failed",
      '"orders" is in the state Failed: nothing is delivered',
    ]);
  });

  it.each([
    ["Disabled", {}, '"orders" is in the state Disabled: nothing is delivered'],
    ["Succeeded", { expirationTimeUtc: "2020-01-01T00:00:00Z" }, '"orders" expired at 2020-01-01'],
  ])("reports a subscription that is %s with %j", async (provisioningState, more, expected) => {
    const name = "orders";
    const body = { name, properties: { provisioningState, ...more, destination: {} } };
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/eventSubscriptions/orders") ? { status: 200, body } : undefined;
    const { status, message } = await deployment.finding("event-subscription");
    expect(status).toBe("failed");
    expect(message).toContain(expected);
  });

  it("reports a subscription that delivers to another URL", async () => {
    await deployment.subscribe({ endpointUrl: "https://other.example.com/api/events" });
    const { status, message } = await deployment.finding("destination");
    expect([status, message]).toEqual([
      "failed",
      '"orders" delivers to https://other.example.com/api/events, not to https://orders.example.com/api/events',
    ]);
  });

  it("reports a subscription with the application of another binding", async () => {
    const { clientId } = deployment.cloud.applications.create({ displayName: "other" });
    await deployment.subscribe({ clientId });
    const { status, message } = await deployment.finding("destination");
    expect(status).toBe("failed");
    expect(message).toContain(`its tokens are for the application ${clientId}`);
  });

  it("reports a subscription without tokens", async () => {
    await deployment.subscribe({ clientId: undefined });
    expect((await deployment.finding("destination")).message).toContain("delivers without a token");
  });

  it("reports a subscription with tokens of another tenant", async () => {
    await deployment.subscribe();
    const { message } = await deployment.finding("destination", [], {
      azureTenantId: "99999999-9999-4999-8999-999999999999",
    });
    expect(message).toContain("but the listener expects 99999999-9999-4999-8999-999999999999");
  });

  it("reports a webhook that does not answer the handshake", async () => {
    await deployment.subscribe();
    const args = ["--probe-url", "https://orders.invalid/api/events?code=hush"];
    const { status, message } = await deployment.finding("handshake", args);
    expect([status, message]).toEqual([
      "failed",
      "https://orders.invalid/api/events?… does not answer the handshake: the host name cannot be resolved",
    ]);
  });

  it("reports a proxy of HTTPS_PROXY that does not answer", async () => {
    await deployment.subscribe();
    const url = "https://orders.example.com/api/events";
    const args = ["--env", "ORDERS", "--scope", deployment.topic.id, "--probe-url", url];
    const { out } = await deployment.run(args, {
      ...deployment.environment(),
      HTTPS_PROXY: "http://127.0.0.1:1",
    });
    expect(out).toContain(
      `${url} does not answer the handshake: the proxy 127.0.0.1:1 does not answer`,
    );
  });

  it("reports a filter that excludes one of the binding's event types", async () => {
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    const { status, message } = await deployment.finding("filters", [
      "--event-type",
      "shop.order.paid",
    ]);
    expect([status, message]).toEqual([
      "failed",
      "the subscription's filter excludes shop.order.paid; it includes shop.order.placed",
    ]);
  });
});
