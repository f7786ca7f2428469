import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FromComponentStack } from "../../examples/from-component/stack.js";
import { Synthesized, testApp } from "../support/synthesized.js";

const clientId = "44444444-4444-4444-8444-444444444444";
const scope =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

/** The documents of both releases, and the names of their subscriptions. */
const documents = [
  { file: "orders.yaml", subscriptionName: "orders-events" },
  { file: "orders-earlier.yaml", subscriptionName: "ordersearlier" },
] as const;

function documentOf(file: string): string {
  return readFileSync(`examples/from-component/components/${file}`, "utf8");
}

describe("the stack of the from-component example", () => {
  it.each(documents)("made from $file, adopts $subscriptionName", (example) => {
    const stack = new Synthesized(
      new FromComponentStack(testApp(), "from-component", {
        document: documentOf(example.file),
        existingSubscription: "adopt",
      }),
    );
    expect(stack.one("azurerm_eventgrid_event_subscription")).toMatchObject({
      name: example.subscriptionName,
      scope,
      included_event_types: ["shop.order.placed"],
      webhook_endpoint: {
        url: "https://events.example.com/api/events",
        active_directory_tenant_id: "11111111-1111-4111-8111-111111111111",
        active_directory_app_id_or_uri: clientId,
      },
    });
    expect(stack.imports).toMatchObject([
      {
        id: `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${example.subscriptionName}`,
      },
    ]);
    expect(JSON.stringify(stack.json)).not.toContain("not-a-real-secret");
    expect(stack.warnings).toEqual([]);
  });
});
