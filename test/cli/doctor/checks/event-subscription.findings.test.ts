import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment, ENDPOINT, type Finding } from "../deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

const TENANT = "99999999-9999-4999-8999-999999999999";
const URI = "api://orders-webhook";
const application = (requestedAccessTokenVersion: 1 | 2 = 2) =>
  deployment.cloud.applications.create({
    ...{ displayName: "other", identifierUris: [URI], requestedAccessTokenVersion },
  });
/** Properties of a subscription whose tokens are for an identifier URI. */
const withUri = {
  destination: {
    endpointType: "WebHook",
    properties: { endpointBaseUrl: ENDPOINT, azureActiveDirectoryApplicationIdOrUri: URI },
  },
};

type Fields = Readonly<Record<string, string>>;
/** Prepares the deployment. @returns fields of its document */
type Arrange = () => Promise<Fields | undefined>;
const subscribed = (settings: object, fields?: Fields) => async () => {
  await deployment.subscribe({ ...settings });
  return fields;
};
const shown =
  (properties: object, fields?: () => Fields): Arrange =>
  async () => {
    deployment.showSubscription(properties);
    return fields?.();
  };

/** What the doctor says first of all, by check. */
const findings: Readonly<Record<string, Arrange>> = {
  "failed scope: the topic ": async () => ({
    scope: deployment.topic.id.replace(/orders$/, "missing"),
  }),
  'failed event-subscription: there is no event subscription "orders"': async () => undefined,
  'failed event-subscription: "orders" is in the state Failed: nothing is delivered': () =>
    deployment.subscribe({ endpointUrl: "https://unreachable.example.com/api/events" }).then(
      () => undefined,
      () => undefined,
    ),
  [`failed destination: "orders" delivers to https://other.example.com/, not to ${ENDPOINT}`]:
    subscribed({ endpointUrl: "https://other.example.com/" }),
  [`ok destination: "orders" delivers to ${ENDPOINT}; its query was not compared`]: subscribed({
    endpointUrl: `${ENDPOINT}?code=other`,
  }),
  'unknown destination: "orders" delivers as a managed identity': shown({
    ...{ destination: null, deliveryWithResourceIdentity: { ...withUri, identity: {} } },
  }),
  'failed destination: "orders" delivers without a token': subscribed({ clientId: undefined }),
  "failed destination: its tokens are from the tenant": async () => {
    await deployment.subscribe({ azureActiveDirectoryTenantId: deployment.cloud.tenantId });
    return { azureTenantId: TENANT };
  },
  "failed destination: its v1 tokens have the audience api://orders-webhook": shown(
    withUri,
    () => ({ azureClientId: application(1).clientId }),
  ),
};

describe("cloud-eventgrid doctor on event subscriptions", () => {
  it.each(Object.entries(findings))("says %s", async (text, arrange) => {
    const { out } = await deployment.doctor(["--json"], await arrange());
    const all: Finding[] = JSON.parse(out).findings;
    const said = all.map(({ status, check, message }) => `${status} ${check}: ${message}`);
    expect(said.filter((each) => each.startsWith(text))).toHaveLength(1);
  });

  it("advises what to repair before a subscription that failed is written again", async () => {
    const remedyOf = async () => (await deployment.finding("event-subscription")).remedy?.text;
    const repair = "repair what fails at the handshake, and at the writer";
    expect(await remedyOf()).toMatch(new RegExp(`^${repair}.*, then run terraform apply$`));
    deployment.showSubscription({ provisioningState: "Failed" });
    expect(await remedyOf()).toMatch(new RegExp(`^${repair}.*, then replace the subscription$`));
    deployment.showSubscription({ provisioningState: "AwaitingManualAction" });
    expect(await remedyOf()).toContain("within 10 minutes");
  });

  it("reports an unregistered resource provider", async () => {
    await deployment.subscribe();
    deployment.cloud.control.registrations.set("Microsoft.EventGrid", "Unregistered");
    const { exitCode, status, remedy } = await deployment.finding("provider");
    expect([exitCode, status]).toEqual([3, "failed"]);
    expect(remedy?.command).toContain("az provider register --namespace Microsoft.EventGrid");
  });

  it.each([
    "/providers/Microsoft.Management/managementGroups/shop/providers/Microsoft.EventGrid",
    "/subscriptions/1/resourceGroups/shop/providers/Microsoft.EventGrid/systemTopics/blobs",
  ])("finds an event subscription at %s", async (place) => {
    const id = `${place}/eventSubscriptions/orders`;
    deployment.showSubscription({}, id);
    const { out } = await deployment.run(
      ["--env", "ORDERS", "--event-subscription", id],
      deployment.environment(),
    );
    expect(out).toContain('"orders" exists and is enabled');
  });

  it.each([
    ["/topics/orders", '"orders" exists and is enabled'],
    ["/namespaces/shop/topics/orders", "that push to a webhook are not examined"],
  ])("judges the ID of an event subscription below %s", async (path, says) => {
    await deployment.subscribe();
    const id = `${deployment.topic.id.replace("/topics/orders", path)}/eventSubscriptions/orders`;
    const args = ["--env", "ORDERS", "--event-subscription", id];
    const { out } = await deployment.run(args, deployment.environment());
    expect(out).toContain(says);
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

  it.each([
    [{ state: "Disabled" }, "its resources deliver nothing"],
    [{ state: "Enabled" }, undefined],
    [{ state: "Enabled", tenantId: TENANT }, `belongs to the tenant ${TENANT}, but`],
  ])("judges an Azure subscription that is %o", async (body, expected) => {
    await deployment.subscribe();
    const { subscriptionId } = deployment.cloud;
    deployment.canned = ({ pathname }) =>
      pathname === `/subscriptions/${subscriptionId}` ? { status: 200, body } : undefined;
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

  it("reports an Azure subscription that does not exist once, and nothing that follows from it", async () => {
    const id = TENANT;
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
    const { clientId } = application();
    const properties = {
      ...{ provisioningState: "Succeeded", eventDeliverySchema: "CloudEventSchemaV1_0" },
      ...withUri,
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
