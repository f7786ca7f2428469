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
});
