import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { type TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  type Range,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { existing, received, resourceGroup, storageAccount } from "../lib/fixtures.js";
import { problemsOf } from "../support/synthesized.js";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** Types of the resources that Terraform made. */
const made = async () => (await shop.terraform.state()).map(({ type }) => type).sort();

/** How values are given: as they are, or by what stands for them. */
interface Give {
  text(value: string): string;
  number(value: number): number;
  list(value: readonly string[]): string[];
}

const literals: Give = { text: String, number: Number, list: (value) => [...value] };

/** What tells every value by a variable. */
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

/** Every construct, and nothing in it right that Terraform could tell. */
const wrongEverywhere = (stack: TerraformStack, give: Give) => {
  new CloudEventGridBinding(stack, "orders", {
    ...received,
    handshakePort: give.text("70000"),
    includedEventTypes: give.list(["a.b", "has space", "", "a.b"]),
    labels: [give.text(""), "shop"],
    subjectFilter: { beginsWith: give.text("") },
    advancedFilters: [
      where("type").stringIn(...give.list(many(24))),
      where("subject").stringEndsWith(give.text("x"), "y"),
      where(give.text(" ")).isNotNull(),
      where("data.total").numberInRange([give.number(9), 1], [1, give.number(9)]),
    ],
    retryPolicy: { maxDeliveryAttempts: give.number(31), eventTimeToLive: give.number(1.5) },
    batching: { maxEventsPerBatch: give.number(0) },
    deadLetter: { storageAccount: give.text("/shop"), container: give.text("No") },
    deliveryProperties: [
      { headerName: give.text("a b"), value: give.text(`${"ü".repeat(2048)}x`) },
      { headerName: "x-field", sourceField: give.text("data system") },
      { headerName: give.text("X-Field"), value: "v" },
    ],
    expirationTimeUtc: give.text("2026-02-31T00:00:00Z"),
    writerPrincipals: [
      { objectId: give.text("somebody"), type: "user" },
      { objectId: existing.writerId, type: "user" },
      { objectId: give.text(existing.writerId.toUpperCase()), type: "user" },
    ],
    additionalScopes: {
      uploads: {
        scope: storageAccount,
        events: { types: give.list(["has space"]) },
        labels: give.list([""]),
        includedEventTypes: ["a.b", give.text("a.b")],
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

describeWithTerraform("wrong values that variables tell", () => {
  it("fail the plan with the words that synthesis has for literals", async () => {
    const said = problemsOf((stack) => wrongEverywhere(stack, literals));
    expect(said).toHaveLength(36);
    await shop.write((stack) => wrongEverywhere(stack, variables(stack)));
    const failure = await shop.failedApply();
    expect(said.filter((problem) => !failure.includes(problem))).toEqual([]);
    expect(await made()).toEqual([]);
  });
});

describeWithTerraform("ranges that variables tell as a whole", () => {
  it("fail the plan where one is none, each with what it is", async () => {
    const range = (stack: TerraformStack, id: string, value: unknown, type = "list(number)") =>
      new TerraformVariable(stack, id, { type, default: value }).value;
    await shop.write((stack) => {
      const several = range(stack, "several", [[1, 2], [5, 4], [6]], "list(list(number))");
      const right = range(stack, "right", [1, 1]);
      new CloudEventGridBinding(stack, "orders", {
        ...received,
        advancedFilters: [
          where("data.total").numberInRange(range(stack, "long", [1, 2, 3]), right),
          where("data.size").numberInRange(...(Token.asList(several) as unknown[] as Range[])),
        ],
      });
    });
    const failure = await shop.failedApply();
    const told = /numberInRange\[\d\] must be a range of two .*?, but is \[.*?\]/g;
    const must = "must be a range of two finite numbers, the lower one first";
    expect([...new Set(failure.match(told))].sort()).toEqual([
      `numberInRange[0] ${must}, but is [1, 2, 3]`,
      `numberInRange[1] ${must}, but is [5, 4]`,
      `numberInRange[2] ${must}, but is [6]`,
    ]);
  });
});

describeWithTerraform("right values that variables tell", () => {
  it("pass the plan without a word, and arrive", async () => {
    const { clientId } = shop.cloud.applications.create({ displayName: "orders", roles: [] });
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
      new CloudEventGridBinding(stack, "orders", {
        ...shop.place,
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
          maxDeliveryAttempts: give.number(30),
          // What the command line or the environment gives a variable without a type is a text.
          eventTimeToLive: new TerraformVariable(stack, "minutes", { default: "60" }).numberValue,
        },
        deliveryProperties: [
          { headerName: "x-long", value: give.text("ü".repeat(2048)) },
          { headerName: give.text("x-other"), value: "v" },
        ],
        expirationTimeUtc: give.text("2028-02-29T00:00:00Z"),
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
