import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { judgeAddress } from "../../../cli/src/doctor/checks/handshake.js";
import { Deployment, ENDPOINT } from "./deployment.js";

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
    expect(remedy?.command).toContain("az provider register --namespace Microsoft.EventGrid");
  });

  it("reports a scope that does not exist", async () => {
    const scope = deployment.topic.id.replace(/orders$/, "missing");
    const { status, message } = await deployment.finding("scope", [], { scope });
    expect(status).toBe("failed");
    expect(message).toContain("topics/missing does not exist");
  });

  it("finds an event subscription of a management group", async () => {
    const group = "/providers/Microsoft.Management/managementGroups/shop";
    const id = `${group}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    deployment.showSubscription({}, id);
    const { out } = await deployment.run(
      ["--env", "ORDERS", "--event-subscription", id],
      deployment.environment(),
    );
    expect(out).toContain('"orders" exists and is enabled');
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

  it("looks at the writer of a subscription that failed although the webhook consents", async () => {
    const url = "https://unreachable.example.com/api/events";
    await deployment.subscribe({ endpointUrl: url }).catch(() => undefined);
    const remedyOf = async (args: string[] = []) =>
      (await deployment.finding("event-subscription", args)).remedy?.text;
    const { servicePrincipal } = deployment.application;
    const id = `${deployment.topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    const unknown = ["--env", "ORDERS", "--event-subscription", id];
    const { out } = await deployment.run(
      [...unknown, "--probe-url", deployment.probeUrl],
      deployment.environment(),
    );
    expect(out).toMatch(/→ the webhook consents, so look at the writer: .*--writer <id>/);
    expect(await remedyOf(["--writer", servicePrincipal.objectId])).toContain(
      "nothing is wrong with the writer now",
    );
    const pipeline = deployment.cloud.applications.create({ displayName: "pipeline" });
    expect(await remedyOf(["--writer", pipeline.servicePrincipal.objectId])).toContain(
      "who writes the subscription lacks a role",
    );
    // Without the application, nobody knows about the writer.
    const azureClientId = "99999999-9999-4999-8999-999999999999";
    const { remedy } = await deployment.finding("event-subscription", [], { azureClientId });
    expect(remedy?.text).toContain("make the webhook answer the handshake");
    deployment.handshakeStatuses.push(404, 404);
    expect(await remedyOf()).toContain("make the webhook answer the handshake");
  });

  it.each([
    ["Disabled", {}, '"orders" is in the state Disabled: nothing is delivered'],
    ["Succeeded", { expirationTimeUtc: "2020-01-01T00:00:00Z" }, '"orders" expired at 2020-01-01'],
  ])("reports a subscription that is %s with %j", async (provisioningState, more, expected) => {
    deployment.showSubscription({ provisioningState, ...more });
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

  it("says that it does not compare the query of a URL, which Azure does not show", async () => {
    await deployment.subscribe({ endpointUrl: `${ENDPOINT}?code=other` });
    const { status, message } = await deployment.finding("destination");
    expect([status, message]).toEqual([
      "ok",
      `"orders" delivers to ${ENDPOINT}; its query was not compared`,
    ]);
    const { message: without } = await deployment.finding("destination", [], {
      subscriberEndpoint: ENDPOINT,
    });
    expect(without).toBe(`"orders" delivers to ${ENDPOINT}`);
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
    await deployment.subscribe({ azureActiveDirectoryTenantId: deployment.cloud.tenantId });
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
      "https://orders.invalid/api/events?… does not answer the handshake: the host name cannot be resolved. The host name has no address.",
    ]);
  });

  it.each([
    [302, { location: "https://login.microsoftonline.com/t/oauth2" }, "failed", "Easy Auth"],
    // Restrictions that refuse this machine may admit Event Grid.
    [403, { "x-ms-forbidden-ip": "20.1.2.3" }, "unknown", "App Service's access restrictions"],
  ])("names what answers a handshake with %i %j", async (status, headers, expected, cause) => {
    await deployment.subscribe();
    deployment.handshakeHeaders = headers;
    deployment.handshakeStatuses.push(status);
    const finding = await deployment.finding("handshake");
    expect(finding.status).toBe(expected);
    expect(finding.message).toContain(cause);
  });

  it("asks for the service's own address if a local Azure forwards the webhook's host", async () => {
    await deployment.subscribe();
    const { out } = await deployment.run(
      ["--env", "ORDERS", "--scope", deployment.topic.id],
      deployment.environment(),
    );
    expect(out).toContain("does not answer the handshake: the host name cannot be resolved");
    expect(out).toContain(
      "→ If this is a local Azure, pass the service's own address: --probe-url",
    );
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

  it.each([
    ["Disabled", "its resources deliver nothing"],
    ["Enabled", undefined],
  ])("judges an Azure subscription that is %s", async (state, expected) => {
    await deployment.subscribe();
    const { subscriptionId } = deployment.cloud;
    deployment.canned = ({ pathname }) =>
      pathname === `/subscriptions/${subscriptionId}`
        ? { status: 200, body: { state } }
        : undefined;
    const { bad } = await deployment.finding("provider");
    expect(bad.map(({ message }) => message)).toEqual(
      expected === undefined ? [] : [expect.stringContaining(expected)],
    );
  });

  it.each([
    [401, "InvalidAuthenticationTokenTenant", "belongs to another tenant", "az login --tenant"],
    [404, "SubscriptionNotFound", "does not exist, or you have no access to it", "az account show"],
  ])("names the remedy when Azure answers %i %s for the Azure subscription", async (...row) => {
    const [status, code, expected, command] = row;
    const { subscriptionId } = deployment.cloud;
    deployment.canned = ({ pathname }) =>
      pathname.startsWith(`/subscriptions/${subscriptionId}/providers/`)
        ? { status, body: { error: { code, message: "" } } }
        : undefined;
    const finding = await deployment.finding("provider");
    expect(finding.message).toContain(expected);
    expect(finding.remedy?.command).toContain(command);
  });

  it("says how to open a validation URL that nobody opened", async () => {
    deployment.showSubscription({ provisioningState: "AwaitingManualAction" });
    const { remedy } = await deployment.finding("event-subscription");
    expect(remedy?.text).toContain("within 10 minutes");
  });

  it("warns of a single attempt, and of a second subscription for the endpoint", async () => {
    await deployment.subscribe({ retryPolicy: { maxDeliveryAttempts: 1 } });
    await deployment.subscribe({
      name: "again",
      endpointUrl: ENDPOINT.replace("orders.", "ORDERS."),
    });
    const { out } = await deployment.doctor();
    expect(out).toContain('"orders" delivers an event once only');
    expect(out).toContain(`"again" delivers to ${ENDPOINT}, too`);
  });

  it("chooses the subscription whose path the listener serves, or asks", async () => {
    await deployment.subscribe({ name: "other", endpointUrl: ENDPOINT.replace("events", "other") });
    await deployment.subscribe();
    const args = ["--env", "ORDERS", "--scope", deployment.topic.id, "--no-handshake"];
    const chosen = await deployment.run(args, deployment.environment());
    expect(chosen.out).toContain('"orders" exists and is enabled');

    const environment = { ...deployment.environment(), ORDERS_WEBHOOK_PATH: "/rewritten" };
    const asked = await deployment.run(args, environment);
    expect(asked.out).toContain("2 event subscriptions deliver to the application");
    expect(asked.out).toContain("choose with --event-subscription");
  });

  it("inspects a subscription of a system topic", async () => {
    const id =
      "/subscriptions/1/resourceGroups/shop/providers/Microsoft.EventGrid/systemTopics/blobs/eventSubscriptions/orders";
    deployment.showSubscription({}, id);
    const args = ["--env", "ORDERS", "--event-subscription", id, "--no-handshake"];
    const { out } = await deployment.run(args, deployment.environment());
    expect(out).toContain('"orders" exists and is enabled');
  });

  it.each([
    ["an identifier URI with v1 tokens", 1 as const, "failed"],
    ["an identifier URI with v2 tokens", 2 as const, "ok"],
  ])("judges %s by the audience that Entra writes", async (_what, version, expected) => {
    const uri = "api://orders-webhook";
    const application = deployment.cloud.applications.create({
      displayName: "with a URI",
      identifierUris: [uri],
      requestedAccessTokenVersion: version,
    });
    await deployment.subscribe();
    const destination = {
      endpointType: "WebHook",
      properties: {
        endpointBaseUrl: ENDPOINT,
        azureActiveDirectoryTenantId: deployment.cloud.tenantId,
        azureActiveDirectoryApplicationIdOrUri: uri,
      },
    };
    deployment.showSubscription({ destination });
    const fields = { azureClientId: application.clientId };
    const { status, message } = await deployment.finding("destination", [], fields);
    expect(status).toBe(expected);
    if (expected === "failed") expect(message).toContain("answers 401");
  });

  it("tries the handshake again after a 503", async () => {
    await deployment.subscribe();
    deployment.handshakeStatuses.push(503);
    expect((await deployment.finding("handshake")).status).toBe("ok");
  });

  it.each([
    [3, "is 3 hours ahead of that of this machine"],
    [-1, "is 60 minutes behind that of this machine"],
  ])("reports a webhook's clock that is off by %i hours", async (hours, expected) => {
    await deployment.subscribe();
    const date = new Date(Date.now() + hours * 3_600_000).toUTCString();
    deployment.handshakeHeaders = { date };
    const { status, message } = await deployment.finding("handshake");
    expect(status).toBe("failed");
    expect(message).toContain(`${expected}: the listener refuses valid tokens`);
  });

  it.each(["10.1.2.3", "orders.internal"])(
    "reports a webhook at the private address %s",
    async (host) => {
      const subscriberEndpoint = `https://${host}/api/events`;
      const { status, message } = await deployment.finding("handshake", [], { subscriberEndpoint });
      expect(status).toBe("failed");
      expect(message).toContain(`Event Grid cannot reach ${host}`);
    },
  );

  it("does not know whether Event Grid reaches a name that leads to a private address from here", () => {
    const url = new URL(ENDPOINT);
    expect(judgeAddress(url, "10.1.2.3", {})).toEqual([
      expect.objectContaining({ status: "unknown", message: expect.stringContaining("10.1.2.3") }),
    ]);
    expect(judgeAddress(url, "20.1.2.3", {})).toEqual([]);
  });

  it("warns of a subscription that expires within a day", async () => {
    const expirationTimeUtc = new Date(Date.now() + 30 * 60_000).toISOString();
    deployment.showSubscription({ expirationTimeUtc });
    const { status, message } = await deployment.finding("event-subscription");
    expect([status, message]).toEqual([
      "warning",
      `"orders" exists and is enabled, but expires at ${expirationTimeUtc}`,
    ]);
  });

  it("warns of a time to live that is over before a service has restarted", async () => {
    await deployment.subscribe({ retryPolicy: { eventTimeToLiveInMinutes: 1 } });
    const { status, message } = await deployment.finding("retry-policy");
    expect(status).toBe("warning");
    expect(message).toContain('"orders" keeps events for 1 min');
  });

  it("reports an Azure subscription that does not exist once, and nothing that follows from it", async () => {
    const id = "99999999-9999-4999-8999-999999999999";
    const { bad, exitCode } = await deployment.finding("provider", [], {
      azureSubscriptionId: id,
      scope: deployment.topic.id.replace(deployment.cloud.subscriptionId, id),
      topicEndpoint: deployment.topic.endpoint,
      accessKey: deployment.topic.accessKey,
    });
    expect(exitCode).toBe(3);
    expect(bad.map(({ message }) => message)).toEqual([
      `the Azure subscription ${id} does not exist, or you have no access to it`,
    ]);
  });

  it("finds the subscription of a service whose tokens are for an identifier URI", async () => {
    const uri = "api://orders-webhook";
    const { clientId } = deployment.cloud.applications.create({
      displayName: "with a URI",
      identifierUris: [uri],
      requestedAccessTokenVersion: 2,
    });
    const properties = {
      provisioningState: "Succeeded",
      eventDeliverySchema: "CloudEventSchemaV1_0",
      destination: {
        endpointType: "WebHook",
        properties: { endpointBaseUrl: ENDPOINT, azureActiveDirectoryApplicationIdOrUri: uri },
      },
    };
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/eventSubscriptions")
        ? { status: 200, body: { value: [{ name: "orders", properties }] } }
        : undefined;
    const environment = { ...deployment.environment(), ORDERS_CLIENT_ID: clientId };
    const args = ["--env", "ORDERS", "--scope", deployment.topic.id, "--no-handshake"];
    const { out } = await deployment.run(args, environment);
    expect(out).toContain('"orders" exists and is enabled');
    expect(out).toMatch(/ok +destination +"orders" delivers to/);
  });
});
