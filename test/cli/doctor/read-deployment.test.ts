import { describe, expect, it } from "vitest";
import { type DeploymentFlags, readDeployment } from "../../../cli/src/doctor/read-deployment.js";
import { terminalOf } from "../../../cli/src/terminal/index.js";
import { command } from "../command.js";
import { componentIn, directoryWith } from "../temporary.js";

const TENANT = "11111111-1111-4111-8111-111111111111";
const SUBSCRIPTION = "22222222-2222-4222-8222-222222222222";
const CLIENT = "44444444-4444-4444-8444-444444444444";
const topicEndpoint = "https://orders.westeurope-1.eventgrid.azure.net/api/events";
const scope = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders`;
/** Application IDs of Event Grid: https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery */
const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
const EVENT_GRID_US = "54316b56-3481-47f9-8f30-0300f5542a7b";
const none = () => undefined;

function read(
  env: Readonly<Record<string, string>>,
  flags: DeploymentFlags,
  directory = "/",
  file?: string,
) {
  return readDeployment(terminalOf({ env, directory, out: none, error: none }), file, flags);
}

it.each<[exitCode: number, message: string, ...args: string[]]>([
  [2, "give a component document, --env <prefix> or --terraform <file>"],
  [2, "give one definition", "a.yaml", "--env", "ORDERS"],
  [2, "give one definition", "a.yaml", "--terraform", "none.json"],
  [2, "--component goes with a file only", "--env", "ORDERS", "--component", "orders"],
  [1, "the outputs contain no environment of a binding", "--terraform", "none.json"],
  [2, "--event-type must be an event type", "--env", "ORDERS", "--event-type", "a*"],
  [2, "--probe-url must be a URL such as", "--env", "ORDERS", "--probe-url", "https:///"],
])("reads no deployment: exit code %i, %s", async (exitCode, message, ...args) => {
  const directory = directoryWith({ "a.yaml": "", "none.json": "{}" });
  const env = { ORDERS_TOPIC_ENDPOINT: topicEndpoint, ORDERS_ACCESS_KEY: "k" };
  const printed = await command(["doctor", ...args], { directory, env });
  expect(printed).toEqual({ exitCode, out: "", error: expect.stringContaining(message) });
});

describe("a deployment", () => {
  it("is what a component document says, with the options", () => {
    const fields = {
      azureTenantId: TENANT,
      azureSubscriptionId: SUBSCRIPTION,
      azureClientId: CLIENT,
      azureClientSecret: "hush",
      subscriberEndpoint: "https://orders.example.com?code=hush",
      handshakePort: "9000",
      scope: `${scope}/`,
      topicEndpoint,
      accessKey: "key",
    };
    const metadata = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const directory = componentIn(metadata);
    const input = {
      ...{ tenantId: TENANT, clientId: CLIENT, scope, eventSubscriptionName: "orders" },
      endpoint: "https://orders.example.com/api/events?code=hush",
      ...{ eventTypes: [], eventGridApplicationId: EVENT_GRID, writer: "application" },
    };
    const output = { topicEndpoint, accessKey: "key", usesEntra: false, publisher: undefined };
    const plain = read({ ARM_SUBSCRIPTION_ID: "other" }, {}, directory, "orders.json");
    const place = { name: "orders", cloud: "public", subscriptionId: SUBSCRIPTION };
    expect(plain).toEqual({ ...place, input, output });
    const eventSubscription = `${scope}s/eventSubscriptions/other`;
    const flags = { writer: "w", publisher: "p", eventType: ["a.b"], eventSubscription };
    expect(read({}, flags, directory, "orders.json")).toEqual({
      ...place,
      input: {
        ...{ ...input, writer: { objectId: "w" }, eventTypes: ["a.b"] },
        ...{ scope: `${scope}s`, eventSubscriptionName: "other" },
      },
      output: { ...output, publisher: "p" },
    });
  });

  it("is what a service's environment says, with the place from the options", () => {
    const env = {
      ORDERS_DIRECTION: "input, output",
      ORDERS_TENANT_ID: TENANT,
      ORDERS_CLIENT_ID: CLIENT,
      ORDERS_HANDSHAKE_PORT: "9000",
      ORDERS_WEBHOOK_PATH: "/hooks",
      ORDERS_CLOUD: "usgovernment",
      ORDERS_TOPIC_ENDPOINT: topicEndpoint.replace(".net", ".us"),
      ORDERS_PUBLISH_WITH: "entra",
    };
    const eventSubscription = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/shop`;
    expect(read(env, { env: "ORDERS", eventSubscription })).toEqual({
      ...{ name: "ORDERS", cloud: "usgovernment", subscriptionId: SUBSCRIPTION },
      input: {
        ...{ tenantId: TENANT, clientId: CLIENT, path: "/hooks", eventTypes: [] },
        ...{ scope, eventSubscriptionName: "shop", eventGridApplicationId: EVENT_GRID_US },
      },
      output: {
        ...{ topicEndpoint: env.ORDERS_TOPIC_ENDPOINT, usesEntra: true },
        ...{ accessKey: undefined, publisher: undefined },
      },
    });
    const subscriptionOf = (more: Readonly<Record<string, string>>, flags: DeploymentFlags = {}) =>
      read({ ...env, ...more }, { env: "ORDERS", ...flags }).subscriptionId;
    const variables = { ARM_SUBSCRIPTION_ID: "arm", AZURE_SUBSCRIPTION_ID: "azure" };
    expect(subscriptionOf(variables, { azureSubscription: "flag" })).toBe("flag");
    expect(subscriptionOf(variables)).toBe("arm");
    expect(subscriptionOf({ ...variables, ARM_SUBSCRIPTION_ID: "" })).toBe("azure");
    expect(subscriptionOf({})).toBeUndefined();
  });

  it("is the queue of a receiver, or the namespace's topic of a publisher", () => {
    const namespaceEndpoint = "https://shop.westeurope-1.eventgrid.azure.net";
    const env = {
      SHOP_NAMESPACE_ENDPOINT: namespaceEndpoint,
      SHOP_TOPIC_NAME: "orders",
      SHOP_ACCESS_KEY: "key",
    };
    const namespaceId = scope.replace("topics/orders", "namespaces/shop");
    const flags = { env: "SHOP", scope: `${namespaceId}/topics/orders`.slice(1), receiver: "r" };
    const named = { ...env, SHOP_SUBSCRIPTION_NAME: "billing" };
    const common = { ...{ namespaceEndpoint, topicName: "orders" }, namespaceId };
    expect(read(named, flags)).toMatchObject({
      ...{ name: "SHOP", cloud: "public", subscriptionId: SUBSCRIPTION },
      pull: { ...common, eventSubscriptionName: "billing", receiver: "r", eventTypes: [] },
    });
    const { pull } = read(env, { ...flags, publisher: "p" });
    expect(pull).toMatchObject({ ...common, publisher: "p" });
    expect(pull?.eventSubscriptionName).toBeUndefined();
    const withKey = { ...env, SHOP_PUBLISH_WITH: "accessKey" };
    expect(read(withKey, flags).pull).toMatchObject({ ...common, accessKey: "key" });
    expect(() => read(env, flags)).toThrow("SHOP_SUBSCRIPTION_NAME");
  });

  it("is chosen by the prefix that the outputs of Terraform have", () => {
    const value = { ORDERS_TOPIC_ENDPOINT: topicEndpoint, ORDERS_DIRECTION: "output" };
    const outputs = { environment: { value: { ...value, ORDERS_ACCESS_KEY: "new" } } };
    const directory = directoryWith({ "o.json": JSON.stringify(outputs) });
    const { name, output } = read({ ORDERS_ACCESS_KEY: "old" }, { terraform: "o.json" }, directory);
    expect([name, output?.accessKey]).toEqual(["ORDERS", "new"]);
  });
});
