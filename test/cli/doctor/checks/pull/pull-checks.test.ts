import type { NamespaceSubscription } from "cloud-eventgrid-local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directoryWith } from "../../../temporary.js";
import { Deployment } from "../../deployment.js";
import { silentReads } from "../../silent-reads.js";

const API = "2025-02-15";

let deployment: Deployment;
let namespace: ReturnType<Deployment["cloud"]["namespaces"]["create"]>;
let receiver: string;
let queue: NamespaceSubscription;

beforeEach(async () => {
  deployment = await Deployment.start();
  const { cloud, application } = deployment;
  namespace = cloud.namespaces.create({ name: "shop", resourceGroupName: "shop" });
  queue = await namespace.topics.create({ name: "orders" }).subscriptions.create({
    name: "shipping",
    filtersConfiguration: { includedEventTypes: ["shop.order.placed"] },
  });
  receiver = application.servicePrincipal.objectId;
  cloud.control.assignRole("EventGrid Data Receiver", receiver, namespace.id);
});
afterEach(() => deployment[Symbol.asyncDispose]());

function doctor(args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
  const env = {
    ORDERS_NAMESPACE_ENDPOINT: namespace.endpoint,
    ORDERS_TOPIC_NAME: "orders",
    ORDERS_SUBSCRIPTION_NAME: "shipping",
    ...more,
  };
  return deployment.run(["--env", "ORDERS", "--receiver", receiver, ...args], env);
}

/** Lines of the report without those that are fine. */
const problemsIn = (out: string) =>
  out.split("\n").filter((line) => /^ {2}(failed|warning|unknown)/.test(line));

/** Adds properties to what Azure shows of the namespace. */
function shownWith(more: object): void {
  const { id, name } = namespace;
  const hostname = namespace.endpoint.replace(/^https?:\/\//, "");
  const body = {
    id,
    name,
    properties: { topicsConfiguration: { hostname }, provisioningState: "Succeeded", ...more },
  };
  deployment.canned = ({ pathname }) =>
    pathname.endsWith("/Microsoft.EventGrid/namespaces")
      ? { status: 200, body: { value: [body] } }
      : undefined;
}

describe("cloud-eventgrid doctor on a pull binding", () => {
  it("finds nothing wrong with a namespace, its topic, its queue and the receiver", async () => {
    const { exitCode, out } = await doctor(["--event-type", "shop.order.placed"]);
    expect(out.replaceAll(receiver, "RECEIVER")).toBe(`ORDERS
  ok       provider              Microsoft.EventGrid is registered
  ok       namespace             the namespace "shop" exists
  ok       namespace-topic       the topic "orders" exists
  ok       event-subscription    "shipping" keeps events for its receivers
  ok       receiver              the principal RECEIVER may receive
  ok       filters               the types shop.order.placed pass
  warning  dead-letter           there is no dead-letter container: events that cannot be delivered are dropped
           → set deadLetter on the binding
  note     deliveries            the number of dropped events cannot be read: 400 InvalidRequest
           → inspect it in the Azure portal

Nothing prevents delivery.
`);
    expect(exitCode).toBe(0);
  });

  it("says so of every answer that it may not read and its verdict depends on", async () => {
    const { identity } = (await deployment.put(namespace.id, API, {
      location: "westeurope",
      identity: { type: "SystemAssigned" },
      properties: {},
    })) as { identity: { principalId: string } };
    const account = await deployment.createAccount();
    deployment.cloud.control.assignRole(
      "Storage Blob Data Contributor",
      identity.principalId,
      account,
    );
    const deadLetterDestinationWithResourceIdentity = {
      identity: { type: "SystemAssigned" },
      deadLetterDestination: {
        endpointType: "StorageBlob",
        properties: { resourceId: account, blobContainerName: "dead" },
      },
    };
    const queueSettings = { deadLetterDestinationWithResourceIdentity };
    await deployment.put(queue.id, API, {
      properties: { deliveryConfiguration: { deliveryMode: "Queue", queue: queueSettings } },
    });
    const { subscriptionId } = deployment.cloud;
    expect(await silentReads(deployment, () => doctor(["--json"]))).toEqual([
      `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid`,
    ]);
  }, 60_000);

  it("reports a namespace, a topic and an event subscription that do not exist", async () => {
    const gone = await doctor([], {
      ORDERS_NAMESPACE_ENDPOINT: "https://gone.westeurope-1.eventgrid.azure.net",
    });
    expect(gone.exitCode).toBe(3);
    expect(problemsIn(gone.out)).toEqual([
      expect.stringContaining("no namespace has the endpoint https://gone."),
    ]);
    const topic = await doctor([], { ORDERS_TOPIC_NAME: "returns" });
    expect(topic.out).toContain('the namespace "shop" has no topic "returns"');
    const name = await doctor([], { ORDERS_SUBSCRIPTION_NAME: "billing" });
    expect(name.out).toContain('the topic "orders" has no event subscription "billing"');
  });

  it("reports a receiver whose role is missing, or assigned at the topic only", async () => {
    deployment.cloud.control.roleAssignments.deleteWithin(namespace.id);
    deployment.cloud.control.assignRole(
      "EventGrid Data Receiver",
      receiver,
      `${namespace.id}/topics/orders`,
    );
    const { exitCode, out } = await doctor();
    expect(exitCode).toBe(3);
    expect(out).toContain(`may not receive from the namespace "shop"`);
    expect(out).toContain(`--role "EventGrid Data Receiver" --assignee ${receiver}`);
  });

  it("compares an access key with those of the namespace and the topic", async () => {
    const withKey = (ORDERS_ACCESS_KEY: string) =>
      doctor([], { ORDERS_RECEIVE_WITH: "accessKey", ORDERS_ACCESS_KEY });
    expect((await withKey(namespace.accessKey)).out).toContain("the access key is one of");
    const wrong = await withKey("d3Jvbmc=");
    expect(wrong.exitCode).toBe(3);
    expect(wrong.out).toContain("receiving is answered with 401");
    expect(wrong.out).not.toContain("d3Jvbmc=");
  });

  it("examines a publisher of the namespace, with a role or a key", async () => {
    const publisher = async (more: Readonly<Record<string, string>>, ...args: string[]) => {
      const env = { ORDERS_NAMESPACE_ENDPOINT: namespace.endpoint, ORDERS_TOPIC_NAME: "orders" };
      const { exitCode, out } = await deployment.run(["--env", "ORDERS", ...args], {
        ...env,
        ...more,
      });
      return { exitCode, problems: problemsIn(out), end: out.split("\n").at(-2) };
    };
    const may = "Nothing prevents publishing.";
    const key = { ORDERS_PUBLISH_WITH: "accessKey", ORDERS_ACCESS_KEY: namespace.accessKey };
    expect(await publisher(key)).toEqual({ exitCode: 0, problems: [], end: may });
    const refused = await publisher({}, "--publisher", receiver);
    expect(refused.problems).toEqual([
      expect.stringContaining('may not publish to the namespace "shop"'),
    ]);
    deployment.cloud.control.assignRole("EventGrid Data Sender", receiver, namespace.id);
    expect(await publisher({}, "--publisher", receiver)).toMatchObject({ exitCode: 0, end: may });
    const [open] = (await publisher({ ORDERS_PUBLISH_WITH: "entra" })).problems;
    expect(open).toContain("the publisher's role was not checked");
  });

  it("reports an event subscription that pushes, and warns of settings that lose events", async () => {
    const { id } = queue;
    const settings = {
      deliveryConfiguration: {
        deliveryMode: "Queue",
        queue: {
          maxDeliveryCount: 1,
          receiveLockDurationInSeconds: 60,
          eventTimeToLive: "PT1M",
        },
      },
    };
    await deployment.put(id, API, { properties: settings });
    const { out } = await doctor([], { ORDERS_RECEIVE_LOCK_SECONDS: "300" });
    expect(out).toContain('"shipping" delivers an event once only');
    expect(out).toContain('"shipping" keeps events for 1 min');
    expect(out).toContain("locks events for 60 seconds, but the receiver takes 300 for granted");
    deployment.canned = ({ pathname }) =>
      pathname === id
        ? {
            status: 200,
            body: { properties: { deliveryConfiguration: { deliveryMode: "Push" } } },
          }
        : undefined;
    expect((await doctor()).out).toContain('"shipping" pushes its events to a webhook');
  });

  it.each([
    [
      {
        publicNetworkAccess: "Disabled",
        privateEndpointConnections: [
          { properties: { privateLinkServiceConnectionState: { status: "Approved" } } },
        ],
      },
      "note",
      "through its private endpoint only",
    ],
  ])("judges the network rules %j", async (rules, status, text) => {
    shownWith(rules);
    const { out } = await doctor();
    expect(out).toMatch(new RegExp(`${status} +network .*${text}`));
  });

  it("says which condition excludes an event", async () => {
    await deployment.put(queue.id, API, {
      properties: {
        deliveryConfiguration: { deliveryMode: "Queue", queue: {} },
        filtersConfiguration: {
          filters: [{ key: "subject", operatorType: "StringBeginsWith", values: ["orders/"] }],
        },
      },
    });
    const { exitCode, out } = await doctor(["--subject", "returns/17"]);
    expect(exitCode).toBe(3);
    expect(out).toContain('does not match: subject StringBeginsWith "orders/"');
  });

  it("warns of events that were dropped", async () => {
    deployment.showMetrics({ DroppedEvents: 3 });
    expect((await doctor()).out).toContain('the namespace "shop" dropped 3 events');
  });

  it("finds the namespace by the event subscription's ID in Terraform's outputs", async () => {
    const outputs = {
      orders_subscription: { value: queue.id },
      environment: {
        value: {
          ORDERS_NAMESPACE_ENDPOINT: namespace.endpoint,
          ORDERS_TOPIC_NAME: "orders",
          ORDERS_SUBSCRIPTION_NAME: "shipping",
        },
      },
    };
    const directory = directoryWith({ "outputs.json": JSON.stringify(outputs) });
    const args = ["--terraform", "outputs.json", "--receiver", receiver];
    const env = { ARM_SUBSCRIPTION_ID: "", AZURE_SUBSCRIPTION_ID: "" };
    const { exitCode, out } = await deployment.run(args, env, directory);
    expect(out).toContain('the namespace "shop" exists');
    expect(exitCode).toBe(0);
  });
});
