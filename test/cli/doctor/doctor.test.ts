import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_GRID_CLIENT_ID } from "cloud-eventgrid-local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { directoryWith } from "../temporary.js";
import { Deployment, ENDPOINT } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment[Symbol.asyncDispose]());

const tenant = () => {
  const found = deployment.cloud.directory.tenant(deployment.cloud.tenantId);
  if (!found) throw new Error("the cloud has a tenant");
  return found;
};

const eventGrid = () => tenant().servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);

/** Removes the app role from Event Grid. */
function removeEventGridsRole() {
  for (const { id, principalId } of tenant().appRoleAssignments.list()) {
    if (principalId === eventGrid()?.objectId) tenant().appRoleAssignments.delete(id);
  }
}

/** Grants the application the rights to write its subscription itself. */
function allowWriter() {
  const { cloud, application, topic } = deployment;
  const { servicePrincipal } = application;
  const role = "EventGrid EventSubscription Contributor";
  cloud.control.assignRole(role, servicePrincipal.objectId, topic.id);
  tenant().grant(servicePrincipal, servicePrincipal, "AzureEventGridSecureWebhookSubscriber");
}

/** The binding's environment, as the service has it. */
const environment = () => ({
  ORDERS_DIRECTION: "input",
  ORDERS_TENANT_ID: deployment.cloud.tenantId,
  ORDERS_CLIENT_ID: deployment.application.clientId,
  ORDERS_HANDSHAKE_PORT: "9000",
  ORDERS_WEBHOOK_PATH: "/api/events",
});

/** Runs the doctor, and returns the finding of one check. */
async function finding(check: string, ...args: Parameters<Deployment["doctor"]>) {
  const [flags = [], fields] = args;
  const { exitCode, out } = await deployment.doctor([...flags, "--json"], fields);
  expect(out).not.toContain("hush");
  const { findings } = JSON.parse(out) as {
    findings: { check: string; status: string; message: string; remedy?: string }[];
  };
  const bad = findings.filter(({ status }) => status === "failed" || status === "unknown");
  return { exitCode, bad, ...findings.find((each) => each.check === check) };
}

describe("cloud-eventgrid doctor on a healthy deployment", () => {
  it("finds nothing and exits with 0", async () => {
    allowWriter();
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    const args = ["--event-type", "shop.order.placed"];
    const { exitCode, out } = await deployment.doctor(args, {
      topicEndpoint: deployment.topic.endpoint,
      accessKey: deployment.topic.accessKey,
    });
    expect(out).toBe(`orders
  ok       provider              Microsoft.EventGrid is registered
  ok       event-subscription    "orders" exists and is enabled
  ok       destination           "orders" delivers to https://orders.example.com/api/events
  ok       handshake             ${deployment.probeUrl} consents
  ok       service-principal     the application "orders webhook" has a service principal
  ok       app-role              the application has the app role AzureEventGridSecureWebhookSubscriber
  ok       event-grid-principal  Event Grid has a service principal
  ok       app-role-assignment   Event Grid has the app role on the application
  ok       writer                the application ${deployment.application.clientId} may write the event subscription
  ok       filters               the types shop.order.placed pass
  warning  dead-letter           there is no dead-letter container: events that cannot be delivered are dropped
           → set deadLetter on the binding
  ok       deliveries            in the last 24 hours 0 events matched, 0 deliveries succeeded, 0 attempts failed
  ok       topic                 the topic "orders" exists
  ok       publisher             the access key is one of the topic's

Nothing prevents delivery.
`);
    expect(exitCode).toBe(0);
  });

  it("finds the subscription of a document by a name with hyphens", async () => {
    allowWriter();
    await deployment.subscribe({ name: "orders-hook" });
    const name = { eventSubscriptionName: "orders-hook" };
    const { exitCode, message } = await finding("event-subscription", [], name);
    expect([exitCode, message]).toEqual([0, '"orders-hook" exists and is enabled']);
  });

  it("takes the binding from Terraform's outputs", async () => {
    await deployment.subscribe();
    const { cloud, application, topic, probeUrl } = deployment;
    const outputs = {
      environment: {
        sensitive: true,
        value: {
          ORDERS_DIRECTION: "input, output",
          ORDERS_TENANT_ID: cloud.tenantId,
          ORDERS_CLIENT_ID: application.clientId,
          ORDERS_HANDSHAKE_PORT: "9000",
          ORDERS_WEBHOOK_PATH: "/api/events",
          ORDERS_TOPIC_ENDPOINT: topic.endpoint,
          ORDERS_ACCESS_KEY: topic.accessKey,
        },
      },
      orders_event_subscription_ids: {
        value: {
          archive: "/subscriptions/x/providers/Microsoft.EventGrid/eventSubscriptions/archive",
          scope: `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`,
        },
      },
    };
    const directory = directoryWith({ "outputs.json": JSON.stringify(outputs) });
    const args = ["--terraform", "outputs.json", "--probe-url", probeUrl];
    const { exitCode, out } = await deployment.run(args, {}, directory);
    expect(out).toContain("Nothing prevents delivery.");
    expect(out).not.toContain(topic.accessKey);
    expect(exitCode).toBe(0);
  });

  it("asks which binding is meant when Terraform's outputs contain several", async () => {
    const value = { ORDERS_DIRECTION: "input", RETURNS_DIRECTION: "input" };
    const directory = directoryWith({
      "outputs.json": JSON.stringify({ environment: { value } }),
    });
    const args = ["--terraform", "outputs.json"];
    const { exitCode, error } = await deployment.run(args, {}, directory);
    expect(exitCode).toBe(2);
    expect(error).toContain("several bindings (ORDERS, RETURNS): choose with --env");
  });

  it("takes the binding from the environment and finds its subscription at the scope", async () => {
    await deployment.subscribe();
    const { topic, probeUrl } = deployment;
    const args = ["--env", "ORDERS", "--scope", topic.id, "--probe-url", probeUrl];
    const { exitCode, out } = await deployment.run(args, environment());
    expect(out).toContain('"orders" exists and is enabled');
    expect(exitCode).toBe(0);
  });
});

describe("cloud-eventgrid doctor reports", () => {
  beforeEach(allowWriter);

  it("an unregistered resource provider", async () => {
    await deployment.subscribe();
    deployment.cloud.control.registrations.set("Microsoft.EventGrid", "Unregistered");
    const { exitCode, status, remedy } = await finding("provider");
    expect([exitCode, status]).toEqual([3, "failed"]);
    expect(remedy).toContain("az provider register --namespace Microsoft.EventGrid");
  });

  it("a topic that does not exist", async () => {
    const scope = deployment.topic.id.replace(/orders$/, "missing");
    const { status, message } = await finding("scope", [], { scope });
    expect(status).toBe("failed");
    expect(message).toContain("topics/missing does not exist");
  });

  it("a missing event subscription", async () => {
    const { status, message } = await finding("event-subscription");
    expect([status, message]).toEqual(["failed", 'there is no event subscription "orders"']);
  });

  it("a subscription whose creation failed", async () => {
    const url = "https://unreachable.example.com/api/events";
    await deployment.subscribe({ endpointUrl: url }).catch(() => undefined);
    const { status, message } = await finding("event-subscription");
    expect([status, message]).toEqual([
      "failed",
      '"orders" is in the state Failed: nothing is delivered',
    ]);
  });

  it.each([
    ["Disabled", {}, '"orders" is in the state Disabled: nothing is delivered'],
    ["Succeeded", { expirationTimeUtc: "2020-01-01T00:00:00Z" }, '"orders" expired at 2020-01-01'],
  ])("a subscription that is %s with %j", async (provisioningState, more, expected) => {
    const name = "orders";
    const body = { name, properties: { provisioningState, ...more, destination: {} } };
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/eventSubscriptions/orders") ? { status: 200, body } : undefined;
    const { status, message } = await finding("event-subscription");
    expect(status).toBe("failed");
    expect(message).toContain(expected);
  });

  it("a subscription that delivers to another URL", async () => {
    await deployment.subscribe({ endpointUrl: "https://other.example.com/api/events" });
    const { status, message } = await finding("destination");
    expect([status, message]).toEqual([
      "failed",
      '"orders" delivers to https://other.example.com/api/events, not to https://orders.example.com/api/events',
    ]);
  });

  it("a subscription with the application of another binding", async () => {
    const { clientId } = deployment.cloud.applications.create({ displayName: "other" });
    await deployment.subscribe({ clientId });
    const { status, message } = await finding("destination");
    expect(status).toBe("failed");
    expect(message).toContain(`its tokens are for the application ${clientId}`);
  });

  it("a subscription without tokens", async () => {
    await deployment.subscribe({ clientId: undefined });
    expect((await finding("destination")).message).toContain("delivers without a token");
  });

  it("a subscription with tokens of another tenant", async () => {
    await deployment.subscribe();
    const { message } = await finding("destination", [], {
      azureTenantId: "99999999-9999-4999-8999-999999999999",
    });
    expect(message).toContain("but the listener expects 99999999-9999-4999-8999-999999999999");
  });

  it("a webhook that does not answer the handshake", async () => {
    await deployment.subscribe();
    const args = ["--probe-url", "https://orders.invalid/api/events?code=hush"];
    const { status, message } = await finding("handshake", args);
    expect([status, message]).toEqual([
      "failed",
      "https://orders.invalid/api/events?… does not answer the handshake: the host name cannot be resolved",
    ]);
  });

  it("a proxy of HTTPS_PROXY that does not answer", async () => {
    await deployment.subscribe();
    const url = "https://orders.example.com/api/events";
    const args = ["--env", "ORDERS", "--scope", deployment.topic.id, "--probe-url", url];
    const { out } = await deployment.run(args, {
      ...environment(),
      HTTPS_PROXY: "http://127.0.0.1:1",
    });
    expect(out).toContain(
      `${url} does not answer the handshake: the proxy 127.0.0.1:1 does not answer`,
    );
  });

  it("an application that does not exist", async () => {
    await deployment.subscribe();
    tenant().deleteApplication(deployment.application.objectId);
    expect((await finding("application")).status).toBe("failed");
  });

  it("an application without a service principal", async () => {
    await deployment.subscribe();
    tenant().deleteServicePrincipal(deployment.application.servicePrincipal.objectId);
    const { status, remedy } = await finding("service-principal");
    expect([status, remedy]).toEqual([
      "failed",
      `az ad sp create --id ${deployment.application.clientId}`,
    ]);
  });

  it("a missing service principal of Event Grid", async () => {
    await deployment.subscribe();
    tenant().deleteServicePrincipal(eventGrid()?.objectId ?? "");
    const { status, remedy } = await finding("event-grid-principal");
    expect(status).toBe("failed");
    expect(remedy).toContain(`az ad sp create --id ${EVENT_GRID_CLIENT_ID}`);
  });

  it("an application without the app role", async () => {
    const { clientId } = deployment.cloud.applications.create({ displayName: "bare", roles: [] });
    const { status, message } = await finding("app-role", [], { azureClientId: clientId });
    expect(status).toBe("failed");
    expect(message).toContain('"bare" has no app role');
  });

  it("an app role that Event Grid does not have", async () => {
    await deployment.subscribe();
    removeEventGridsRole();
    const { status, remedy } = await finding("app-role-assignment");
    expect(status).toBe("failed");
    expect(remedy).toContain(`"principalId":"${eventGrid()?.objectId}"`);
  });

  it("a writer without its role at the scope", async () => {
    await deployment.subscribe();
    const writer = deployment.cloud.applications.create({ displayName: "pipeline" });
    const { objectId } = writer.servicePrincipal;
    const { status, remedy } = await finding("writer", ["--writer", objectId]);
    expect(status).toBe("failed");
    expect(remedy).toContain('--role "EventGrid EventSubscription Contributor"');
  });

  it("a writer without the app role", async () => {
    await deployment.subscribe();
    const { objectId } = deployment.cloud.applications.create({
      displayName: "pipeline",
    }).servicePrincipal;
    deployment.cloud.control.assignRole("Contributor", objectId, deployment.topic.id);
    const { status, message } = await finding("writer", ["--writer", objectId]);
    expect(status).toBe("failed");
    expect(message).toContain("neither the app role");
  });

  it("a filter that excludes one of the binding's event types", async () => {
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    const { status, message } = await finding("filters", ["--event-type", "shop.order.paid"]);
    expect([status, message]).toEqual([
      "failed",
      "the subscription's filter excludes shop.order.paid; it includes shop.order.placed",
    ]);
  });

  describe("with a storage account", () => {
    const account = () =>
      `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    const container = () => `${account()}/blobServices/default/containers/dead`;
    beforeEach(async () => {
      const { cloud } = deployment;
      const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
      await deployment.put(group, "2021-04-01", { location: "westeurope" });
      const sku = { name: "Standard_LRS" };
      const storage = { location: "westeurope", kind: "StorageV2", sku };
      await deployment.put(account(), "2023-01-01", storage);
    });

    it("a dead-letter container that does not exist", async () => {
      const deadLetter = { storageAccountId: account(), container: "dead" };
      await deployment.subscribe({ deadLetter });
      const { status, message } = await finding("dead-letter");
      expect(status).toBe("failed");
      expect(message).toContain("containers/dead does not exist");
      await deployment.put(container(), "2023-01-01", {});
      expect((await finding("dead-letter")).status).toBe("ok");
    });

    it("an identity that may not write into the dead-letter container any more", async () => {
      const { cloud, topic } = deployment;
      await deployment.put(container(), "2023-01-01", {});
      const { identity } = (await deployment.put(topic.id, "2022-06-15", {
        location: "westeurope",
        identity: { type: "SystemAssigned" },
        properties: { inputSchema: "CloudEventSchemaV1_0" },
      })) as { identity: { principalId: string } };
      const { roleAssignments } = cloud.control;
      cloud.control.assignRole("Storage Blob Data Contributor", identity.principalId, account());
      await deployment.put(
        `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`,
        "2025-02-15",
        {
          properties: {
            eventDeliverySchema: "CloudEventSchemaV1_0",
            destination: {
              endpointType: "WebHook",
              properties: {
                endpointUrl: ENDPOINT,
                azureActiveDirectoryTenantId: cloud.tenantId,
                azureActiveDirectoryApplicationIdOrUri: deployment.application.clientId,
              },
            },
            deadLetterWithResourceIdentity: {
              identity: { type: "SystemAssigned" },
              deadLetterDestination: {
                endpointType: "StorageBlob",
                properties: { resourceId: account(), blobContainerName: "dead" },
              },
            },
          },
        },
      );
      expect((await finding("dead-letter")).status).toBe("ok");
      roleAssignments.deleteWithin(account());
      const { status, remedy } = await finding("dead-letter");
      expect(status).toBe("failed");
      expect(remedy).toContain('--role "Storage Blob Data Contributor"');
    });
  });

  it("events of the last day that were dropped", async () => {
    await deployment.subscribe();
    deployment.deliveryStatus = 400;
    await deployment.publish("1", "2", "3", "4");
    const { status, message } = await finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain(
      "4 events were dropped and 0 dead-lettered; in the last 24 hours 4 ev",
    );
  });

  it("events of the last day that were dead-lettered", async () => {
    const storageAccountId = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    await deployment.subscribe({ deadLetter: { storageAccountId, container: "dead" } });
    deployment.deliveryStatus = 413;
    await deployment.publish("1", "2");
    const { status, message } = await finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain("2 events were dead-lettered");
  });

  it("a topic that does not exist, one that expects another schema, and a wrong access key", async () => {
    await deployment.subscribe();
    const { endpoint } = deployment.topic;
    const missing = { topicEndpoint: `${endpoint}x`, accessKey: "hush" };
    expect((await finding("topic", [], missing)).message).toContain("no topic has the endpoint");

    const wrong = { topicEndpoint: endpoint, accessKey: "hush" };
    expect((await finding("publisher", [], wrong)).message).toContain("is not one of the topic's");

    const old = deployment.cloud.topics.create({ name: "old", inputSchema: "EventGridSchema" });
    const schema = { topicEndpoint: old.endpoint, accessKey: old.accessKey };
    const { bad } = await finding("topic", [], schema);
    expect(bad.map(({ message }) => message)).toEqual([
      'the topic "old" expects EventGridSchema, not CloudEvents',
    ]);
  });

  it("what it may not read as unknown, and exits with 4", async () => {
    await deployment.subscribe();
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/servicePrincipals")
        ? { status: 403, body: { error: { code: "Authorization_RequestDenied" } } }
        : undefined;
    const { exitCode, status, message } = await finding("service-principal");
    expect([exitCode, status]).toEqual([4, "unknown"]);
    expect(message).toContain("cannot be read: 403 Authorization_RequestDenied");
  });
});

describe("the documentation", () => {
  it("shows what the doctor prints for a broken deployment", async () => {
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.placed"] } });
    allowWriter();
    removeEventGridsRole();
    const value = [
      { name: { value: "MatchedEventCount" }, timeseries: [{ data: [{ total: 120 }] }] },
      { name: { value: "DeliveryAttemptFailCount" }, timeseries: [{ data: [{ total: 3480 }] }] },
      { name: { value: "DroppedEventCount" }, timeseries: [{ data: [{ total: 116 }] }] },
    ];
    deployment.canned = ({ pathname }) =>
      pathname.endsWith("/Microsoft.Insights/metrics")
        ? { status: 200, body: { value } }
        : undefined;
    const { out } = await deployment.doctor(["--event-type", "shop.order.paid"]);
    const shown = out
      .replace(deployment.probeUrl, "https://orders.example.com/api/events")
      .replace(deployment.cloud.control.origin, "https://graph.microsoft.com")
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "44444444-4444-4444-8444-444444444444");
    const page = readFileSync(join(root, "docs/command-line.md"), "utf8");
    expect(page).toContain(shown);
  });
});
