import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup, storageAccount } from "../fixtures.js";
import { SUBSCRIPTION } from "../subscriptions.js";

const existing = { ...received, eventSubscriptionName: "dapr-orders-made" };

describe("an existing event subscription", () => {
  it("is imported by its ID, with hyphens in its name", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...existing, existingSubscription: "adopt" });
    });
    expect(stack.imports).toEqual([
      {
        id: `${resourceGroup}/providers/Microsoft.EventGrid/eventSubscriptions/dapr-orders-made`,
        to: expect.stringMatching(/^azurerm_eventgrid_event_subscription\.orders_subscription_/),
      },
    ]);
  });

  it("gets a label, because Event Grid repeats the handshake only for an update", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...existing,
        labels: ["north"],
        existingSubscription: "adopt",
      });
    });
    expect(stack.one(SUBSCRIPTION).labels).toEqual(["north", "adopted"]);
  });

  it("is not imported again once it is adopted", () => {
    const adopt = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...existing, existingSubscription: "adopt" });
    });
    const adopted = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...existing,
        existingSubscription: "adopted",
      });
    });
    expect(adopted.imports).toEqual([]);
    expect(adopted.one(SUBSCRIPTION)).toEqual(adopt.one(SUBSCRIPTION));
  });

  it("can be adopted at one scope and created at another", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        additionalScopes: {
          uploads: {
            scope: storageAccount,
            eventSubscriptionName: "left-behind",
            existingSubscription: "adopt",
          },
        },
      });
    });
    expect(stack.imports.map(({ id }) => id)).toEqual([
      `${storageAccount}/providers/Microsoft.EventGrid/eventSubscriptions/left-behind`,
    ]);
    expect(stack.one(SUBSCRIPTION, "orders/subscription")).not.toHaveProperty("labels");
  });

  it("has the label once, after its own labels", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...existing,
        labels: ["adopted"],
        existingSubscription: "adopted",
        additionalScopes: {
          uploads: { scope: storageAccount, labels: [], existingSubscription: "adopted" },
          more: { scope: `${storageAccount}2`, existingSubscription: "adopted" },
        },
      });
      new CloudEventGridBinding(scope, "invoices", {
        ...existing,
        eventSubscriptionName: "invoices",
        existingSubscription: "adopted",
        labels: ["second try"],
        additionalScopes: {
          uploads: { scope: storageAccount, existingSubscription: "adopted" },
        },
      });
    });
    const labels = (path: string) => stack.one(SUBSCRIPTION, path).labels;
    expect(labels("orders/subscription")).toEqual(["adopted"]);
    expect(labels("orders/subscription-uploads")).toEqual(["adopted"]);
    expect(labels("orders/subscription-more")).toEqual(["adopted"]);
    expect(labels("invoices/subscription")).toEqual(["second try", "adopted"]);
    expect(labels("invoices/subscription-uploads")).toEqual(["second try", "adopted"]);
  });

  it("is named in the runtime environment, with which the listener compares deliveries", () => {
    synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", {
        ...existing,
        existingSubscription: "adopted",
      });
      expect(binding.runtimeEnvironment("ORDERS").variables).toEqual({
        ORDERS_DIRECTION: "input",
        ORDERS_NAME: "orders",
        ORDERS_TENANT_ID: received.cloudTenantId,
        ORDERS_CLIENT_ID: received.cloudClientId,
        ORDERS_HANDSHAKE_PORT: "9000",
        ORDERS_WEBHOOK_PATH: "/api/events",
        ORDERS_SUBSCRIPTION_NAME: "dapr-orders-made",
        ORDERS_SCOPE: received.scope,
      });
    });
  });
});
