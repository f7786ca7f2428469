import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { Fn, Op, type TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { existing, received, resourceGroup, storageAccount } from "../lib/fixtures.js";
import { messagesOf } from "../lib/problems.js";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** Types of the resources that Terraform created. */
const made = async () => (await shop.terraform.state()).map(({ type }) => type).sort();

/** Gives values as literals or as variables. */
interface Give {
  text(value: string): string;
  number(value: number): number;
  list(value: readonly string[]): string[];
}

const literals: Give = { text: String, number: Number, list: (value) => [...value] };

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

/** The beginning of a message, without the value: Terraform cannot explain what is wrong with it. */
const requirementOf = (message: string) => message.replace(/, but .*$/, "");

const many = (count: number) => Array.from({ length: count }, (_, i) => `value-${i}`);

/** All constructs with invalid values in every prop that Terraform can check. */
const allInvalid = (stack: TerraformStack, give: Give) => {
  new CloudEventGridBinding(stack, "orders", {
    ...received,
    handshakePort: give.text("70000"),
    includedEventTypes: give.list(["a.b", "has space", ""]),
    labels: [give.text(""), "shop"],
    subjectFilter: { beginsWith: give.text("") },
    advancedFilters: [
      where("subject").stringEndsWith(give.text("x".repeat(513)), "y"),
      where(give.text(" ")).isNotNull(),
    ],
    retryPolicy: { maxDeliveryAttempts: give.number(31), eventTimeToLiveMinutes: give.number(1.5) },
    batching: { maxEventsPerBatch: give.number(0) },
    deadLetter: { storageAccount: give.text("/shop"), container: give.text("No") },
    deliveryProperties: [
      { headerName: give.text("a b"), value: "v" },
      { headerName: "x-field", sourceField: give.text("data system") },
    ],
    writerPrincipals: [{ objectId: give.text("somebody"), principalType: "User" }],
    additionalScopes: {
      parcels: {
        scope: `${resourceGroup}/providers/Microsoft.EventGrid/topics/parcels`,
        events: { types: give.list(["has space"]) },
        labels: give.list([""]),
        eventSubscriptionName: give.text("a-b"),
      },
      foreign: give.text("/subscriptions/99999999-2222-3333-4444-000000000002"),
    },
  });
  new CloudEventGridTopic(stack, "topic", {
    resourceGroupName: give.text(""),
    location: "westeurope",
    topicName: give.text("a_b"),
    allowedAddresses: give.list(["10.0.0.0/8", "999.1.1.1/8", "10.0.0.0/33"]),
  });
  const topic = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
  CloudEventGridTopic.fromTopicId(stack, "shop", topic).grantPublish(give.text("somebody"));
  CloudEventGridTopic.fromTopicId(stack, "none", give.text(storageAccount)).grantPublish(
    existing.writerId,
  );
  new WebhookApplication(stack, "webhook", {
    displayName: give.text(""),
    clientSecret: { endDate: give.text("2030-01-01T00:00:00+01:00") },
  });
  WebhookApplication.fromClientId(stack, "known", { clientId: give.text("orders") });
  new EventGridServicePrincipal(stack, "bootstrap", {
    eventGridApplicationId: give.text("eventgrid"),
  });
};

describeWithTerraform("invalid values of variables", () => {
  it("fail the plan with the messages that synthesis has for literals", async () => {
    const messages = messagesOf((stack) => allInvalid(stack, literals)).map(requirementOf);
    expect(messages.length).toBeGreaterThan(25);
    await shop.write((stack) => allInvalid(stack, variables(stack)));
    const failure = await shop.failedApply();
    expect(messages.filter((message) => !failure.includes(message))).toEqual([]);
    expect(await made()).toEqual([]);
  });
});

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
