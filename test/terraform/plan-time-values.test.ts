import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { Fn, Op, type TerraformStack, TerraformVariable, Token } from "cdktf";
import { CloudEventGridTopic, where } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** Gives values as variables. */
interface Give {
  text(value: string): string;
  number(value: number): number;
  list(value: readonly string[]): string[];
}

const variables = (stack: TerraformStack): Give => {
  let count = 0;
  const variable = (type: string, value: unknown) =>
    new TerraformVariable(stack, `later${count++}`, { type, default: value });
  return {
    text: (value) => variable("string", value).stringValue,
    number: (value) => variable("number", value).numberValue,
    list: (value) => variable("list(string)", value).listValue,
  };
};

const many = (count: number) => Array.from({ length: count }, (_, i) => `value-${i}`);

describeWithTerraform("valid values of variables", () => {
  it("pass the plan without warnings, and reach Azure", async () => {
    const clientId = shop.newApplication();
    await shop.write((stack) => {
      const give = variables(stack);
      const topic = new CloudEventGridTopic(stack, "topic", {
        resourceGroupName: new ResourceGroup(stack, "group", {
          name: give.text("shop"),
          location: "westeurope",
        }).name,
        location: "westeurope",
        topicName: give.text("orders"),
        allowedAddresses: give.list(["203.0.113.0/24", "10.0.0.0/8"]),
      });
      shop.binding(stack, {
        subscriberEndpoint: new TerraformVariable(stack, "url", {
          type: "string",
          sensitive: true,
          default: `${ORIGIN}/api/events?code=secret`,
        }).stringValue,
        cloudClientId: give.text(clientId),
        scope: topic.id,
        eventSubscriptionName: give.text("orders"),
        includedEventTypes: give.list(["shop.order.placed", "shop.order.paid"]),
        labels: give.list(["shop", "orders"]),
        advancedFilters: [
          where("type").stringIn(...give.list(many(24))),
          where("data.total").numberInRange([give.number(9), give.number(10)]),
        ],
        retryPolicy: {
          // A conditional, which must not take in the comparison that it becomes part of.
          maxDeliveryAttempts: Token.asNumber(
            Fn.conditional(Op.gt(give.number(1), 2), 31, give.number(30)),
          ),
          // The command line and the environment give strings to variables without a type.
          eventTimeToLiveMinutes: new TerraformVariable(stack, "minutes", { default: "60" })
            .numberValue,
        },
        deliveryProperties: [
          { headerName: "x-long", value: give.text("ü".repeat(2048)) },
          { headerName: give.text("x-other"), value: "v" },
        ],
        additionalScopes: {
          set: {
            scope: topic.id,
            eventSubscriptionName: "set",
            includedEventTypes: new TerraformVariable(stack, "set", {
              type: "set(string)",
              default: ["shop.order.placed", "shop.order.paid"],
            }).listValue,
          },
        },
      });
    });
    const { warnings } = await shop.terraform.plan();
    // The stand-ins introduce themselves.
    expect(warnings.filter(({ summary }) => !summary.includes("stand-in"))).toEqual([]);
    await shop.apply();
    const subscriptions = shop.cloud.eventSubscriptions.list();
    expect(subscriptions).toHaveLength(2);
    expect(subscriptions.find(({ name }) => name === "orders")?.settings).toMatchObject({
      labels: ["shop", "orders"],
      filter: { includedEventTypes: ["shop.order.placed", "shop.order.paid"] },
    });
    const state = await shop.terraform.state();
    expect(state.find(({ type }) => type === "azurerm_eventgrid_topic")?.values).toMatchObject({
      inbound_ip_rule: [
        { ip_mask: "203.0.113.0/24", action: "Allow" },
        { ip_mask: "10.0.0.0/8", action: "Allow" },
      ],
    });
  });
});
