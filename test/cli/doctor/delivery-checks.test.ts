import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deadLettersTo } from "../../local/support/dead-letters.js";
import { Deployment } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on deliveries and topics", () => {
  describe("a storage account for dead letters", () => {
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

    it("reports a dead-letter container that does not exist", async () => {
      await deployment.subscribe(deadLettersTo("dead", account()));
      const { status, message } = await deployment.finding("dead-letter");
      expect(status).toBe("failed");
      expect(message).toContain("containers/dead does not exist");
      await deployment.put(container(), "2023-01-01", {});
      expect((await deployment.finding("dead-letter")).status).toBe("ok");
    });

    it("reports an account that refuses keys, if dead letters are written without an identity", async () => {
      await deployment.put(container(), "2023-01-01", {});
      await deployment.subscribe(deadLettersTo("dead", account()));
      const body = { id: account(), properties: { allowSharedKeyAccess: false } };
      deployment.canned = ({ pathname }) =>
        pathname === account() ? { status: 200, body } : undefined;
      const { status, message } = await deployment.finding("dead-letter");
      expect([status, message]).toEqual(["failed", expect.stringContaining("refuses access keys")]);
    });

    it.each([
      ["None", "without identity", "failed"],
      ["None", "with its own identity", "failed"],
      ["Logging, AzureServices", "with its own identity", "ok"],
      ["Logging, AzureServices", "without identity", "warning"],
      ["AzureServices", "with a user-assigned identity", "failed"],
      ["None", "with its own identity, which a rule admits", "ok"],
      ["AzureServices", "outside of the account's perimeter", "unknown"],
    ])("judges a firewall with the bypass %s for a topic %s", async (bypass, how, expected) => {
      const { topic } = deployment;
      await deployment.put(container(), "2023-01-01", {});
      const resourceAccessRules = how.endsWith("a rule admits") ? [{ resourceId: topic.id }] : [];
      const networkAcls = { defaultAction: "Deny", bypass, resourceAccessRules };
      const publicNetworkAccess = how.endsWith("perimeter") ? "SecuredByPerimeter" : "Enabled";
      const body = { id: account(), properties: { networkAcls, publicNetworkAccess } };
      const destination = {
        endpointType: "StorageBlob",
        properties: { resourceId: account(), blobContainerName: "dead" },
      };
      const own = { type: "SystemAssigned", principalId: deployment.eventGrid?.objectId };
      const identity = how.includes("user-assigned")
        ? { type: "UserAssigned", userAssignedIdentity: "/unreadable" }
        : { type: "SystemAssigned" };
      const properties =
        how.includes("identity,") || how.startsWith("with ")
          ? { deadLetterWithResourceIdentity: { identity, deadLetterDestination: destination } }
          : { deadLetterDestination: destination };
      deployment.cloud.control.assignRole(
        "Storage Blob Data Contributor",
        own.principalId ?? "",
        account(),
      );
      deployment.canned = ({ pathname }) => {
        if (pathname === account()) return { status: 200, body };
        if (pathname === topic.id) return { status: 200, body: { id: topic.id, identity: own } };
        if (pathname === "/unreadable") return { status: 403, body: {} };
        return pathname.endsWith("/eventSubscriptions/orders")
          ? { status: 200, body: { name: "orders", properties } }
          : undefined;
      };
      const { status, remedy } = await deployment.finding("dead-letter");
      expect(status).toBe(expected);
      if (bypass === "None" && expected === "failed") {
        expect(remedy?.command).toContain("--bypass AzureServices");
      }
    });

    it.each([
      ["does not exist any more", true],
      ["the topic does not have any more", false],
    ])("reports a user-assigned identity that %s", async (_what, isAttached) => {
      const { topic } = deployment;
      await deployment.put(container(), "2023-01-01", {});
      const id = `${account().replace(/Microsoft.Storage.*/, "Microsoft.ManagedIdentity/userAssignedIdentities/dead")}`;
      if (!isAttached) await deployment.put(id, "2023-01-31", { location: "westeurope" });
      const properties = {
        deadLetterWithResourceIdentity: {
          identity: { type: "UserAssigned", userAssignedIdentity: id },
          deadLetterDestination: {
            endpointType: "StorageBlob",
            properties: { resourceId: account(), blobContainerName: "dead" },
          },
        },
      };
      const identity = { userAssignedIdentities: isAttached ? { [id.toUpperCase()]: {} } : {} };
      deployment.canned = ({ pathname }) => {
        if (pathname === topic.id) return { status: 200, body: { id: topic.id, identity } };
        return pathname.endsWith("/eventSubscriptions/orders")
          ? { status: 200, body: { name: "orders", properties } }
          : undefined;
      };
      const { status, message } = await deployment.finding("dead-letter");
      expect(status).toBe("failed");
      expect(message).toContain(isAttached ? "does not exist" : "does not have the managed");
    });

    it("reports an identity that may not write into the dead-letter container any more", async () => {
      await deployment.put(container(), "2023-01-01", {});
      await deployment.storeDeadLetters(account());
      expect((await deployment.finding("dead-letter")).status).toBe("ok");
      deployment.cloud.control.roleAssignments.deleteWithin(account());
      const { status, remedy } = await deployment.finding("dead-letter");
      expect(status).toBe("failed");
      expect(remedy?.command).toContain('--role "Storage Blob Data Contributor"');
    });
  });

  it("reports events of the last two hours that were dropped", async () => {
    await deployment.subscribe();
    deployment.deliveryStatus = 400;
    await deployment.publish("1", "2", "3", "4");
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain(
      "4 events dropped, 0 dead-lettered; in the last 2 hours 4 events matched",
    );
  });

  it("reports events of the last two hours that were dead-lettered", async () => {
    const storageAccountId = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    await deployment.subscribe(deadLettersTo("dead", storageAccountId));
    deployment.deliveryStatus = 413;
    await deployment.publish("1", "2");
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain("2 events dead-lettered");
  });

  it("reports a missing topic, one that expects another schema, and a wrong access key", async () => {
    await deployment.subscribe();
    const { endpoint } = deployment.topic;
    const missing = { topicEndpoint: `${endpoint}x`, accessKey: "hush" };
    expect((await deployment.finding("topic", [], missing)).message).toContain(
      "no topic has the endpoint",
    );

    const wrong = { topicEndpoint: endpoint, accessKey: "hush" };
    expect((await deployment.finding("publisher", [], wrong)).message).toContain(
      "is not one of the topic's",
    );

    const old = deployment.cloud.topics.create({ name: "old", inputSchema: "EventGridSchema" });
    const schema = { topicEndpoint: old.endpoint, accessKey: old.accessKey };
    const { bad } = await deployment.finding("topic", [], schema);
    expect(bad.map(({ message }) => message)).toEqual([
      'the topic "old" expects EventGridSchema, not CloudEvents',
    ]);
  });

  it.each([
    [
      "no delivery that succeeded",
      { MatchedEventCount: 5, DeliveryAttemptFailCount: 9 },
      {},
      "failed",
      "no event was delivered",
    ],
    [
      "a high share of failures",
      { MatchedEventCount: 5, DeliverySuccessCount: 5, DeliveryAttemptFailCount: 9 },
      {},
      "warning",
      "more than a quarter of the attempts failed",
    ],
    [
      "deliveries that Event Grid delays after an outage",
      { MatchedEventCount: 5 },
      { DeliveryAttemptFailCount: 12 },
      "warning",
      "no delivery was attempted",
    ],
    [
      "events that wait for their first delivery",
      { MatchedEventCount: 1 },
      {},
      "ok",
      "1 event matched, 0 events delivered, 0 attempts failed",
    ],
    ["earlier damage", {}, { DroppedEventCount: 7 }, "warning", "earlier today 7 events dropped"],
  ])("judges %s", async (_what, recent, earlier, expected, text) => {
    await deployment.subscribe();
    deployment.showMetrics(recent, earlier);
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe(expected);
    expect(message).toContain(text);
  });

  it("warns of events of the topic that matched no event subscription", async () => {
    await deployment.subscribe();
    deployment.showMetrics({ UnmatchedEventCount: 3 });
    const { out } = await deployment.doctor();
    expect(out).toContain("3 events of the topic matched no event subscription");
  });

  it("reports a topic that lost the identity for its dead letters", async () => {
    const resourceId =
      "/subscriptions/1/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop";
    const properties = {
      deadLetterWithResourceIdentity: {
        identity: { type: "SystemAssigned" },
        deadLetterDestination: {
          endpointType: "StorageBlob",
          properties: { resourceId, blobContainerName: "dead" },
        },
      },
    };
    deployment.showSubscription(properties);
    const { status, message } = await deployment.finding("dead-letter");
    expect(status).toBe("failed");
    expect(message).toContain("has no managed identity");
  });

  it.each([
    [{ provisioningState: "Failed" }, "failed", "ended in Failed"],
    [{ inboundIpRules: [{ ipMask: "10.0.0.0/8" }] }, "failed", "admit nobody: 10.0.0.0/8"],
    [
      { inboundIpRules: [{ ipMask: "20.1.2.3/32" }] },
      "warning",
      "only these addresses may publish",
    ],
  ])("judges a topic with %j", async (more, expected, text) => {
    await deployment.subscribe();
    const { id, endpoint, accessKey } = deployment.topic;
    const properties = {
      endpoint,
      inputSchema: "CloudEventSchemaV1_0",
      provisioningState: "Succeeded",
      ...more,
    };
    deployment.canned = ({ pathname }) =>
      pathname === id ? { status: 200, body: { id, name: "orders", properties } } : undefined;
    const { out } = await deployment.doctor([], { topicEndpoint: endpoint, accessKey });
    expect(out).toMatch(new RegExp(`${expected} +topic .*${text}`));
  });
});
