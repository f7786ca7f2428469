import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../../support/synthesized.js";
import { received } from "../fixtures.js";

const both = {
  ...received,
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "the-key",
} as const;
const variables = {
  ORDERS_DIRECTION: "input, output",
  ORDERS_NAME: "orders",
  ORDERS_TENANT_ID: received.cloudTenantId,
  ORDERS_CLIENT_ID: received.cloudClientId,
  ORDERS_HANDSHAKE_PORT: "9000",
  ORDERS_WEBHOOK_PATH: "/api/events",
  ORDERS_SUBSCRIPTION_NAME: "orders",
  ORDERS_SCOPE: received.scope,
  ORDERS_TOPIC_ENDPOINT: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
};

function environmentOf(props: ConstructorParameters<typeof CloudEventGridBinding>[2]) {
  return new CloudEventGridBinding(stackWithProviders(), "orders", props).runtimeEnvironment(
    "ORDERS",
  );
}

describe("the runtime environment of a binding", () => {
  it("contains only what the service reads, with the secret kept separate", () => {
    const environment = environmentOf({ ...both, writer: "client", cloudClientSecret: "secret" });
    expect(environment.variables).toEqual(variables);
    expect(environment.secrets).toEqual({ ORDERS_ACCESS_KEY: "the-key" });
  });

  it("is read back by bindingFromEnvironment", () => {
    const { variables: plain, secrets } = environmentOf(both);
    expect(bindingFromEnvironment("ORDERS", { env: { ...plain, ...secrets } })).toMatchObject({
      direction: "input, output",
      cloudTenantId: received.cloudTenantId,
      cloudClientId: received.cloudClientId,
      handshakePort: "9000",
      path: "/api/events",
      accessKey: "the-key",
      name: "orders",
    });
  });

  it("names no subscription and scope when the binding has several", () => {
    const additionalScopes = { other: `${received.scope}/providers/Microsoft.EventGrid/topics/t` };
    const { variables: several } = environmentOf({ ...both, additionalScopes });
    expect(several).not.toHaveProperty("ORDERS_SUBSCRIPTION_NAME");
    expect(several).not.toHaveProperty("ORDERS_SCOPE");
  });

  it("can have a path and a name that differ from the public ones", () => {
    const binding = new CloudEventGridBinding(stackWithProviders(), "orders", both);
    const { variables: plain } = binding.runtimeEnvironment("SHOP_1", {
      path: "/internal",
      name: "shop",
    });
    expect(plain).toMatchObject({ SHOP_1_WEBHOOK_PATH: "/internal", SHOP_1_NAME: "shop" });
  });

  it.each(["", "https://orders.example.com/"])(
    "requires a path when %s and a token are the URL",
    (literal) => {
      const stack = stackWithProviders();
      const url = new TerraformVariable(stack, "url", { type: "string" });
      const binding = new CloudEventGridBinding(stack, "orders", {
        ...received,
        subscriberEndpoint: `${literal}${url.stringValue}`,
      });
      expect(() => binding.runtimeEnvironment("ORDERS")).toThrow(
        "path is required when subscriberEndpoint is known only after deployment: pass the path that the " +
          'listener serves, as in runtimeEnvironment("ORDERS", { path: "/api/events" })',
      );
      expect(binding.runtimeEnvironment("ORDERS", { path: "/hook" }).variables).toMatchObject({
        ORDERS_WEBHOOK_PATH: "/hook",
      });
    },
  );

  it("refuses a prefix that is not in upper snake case", () => {
    const binding = new CloudEventGridBinding(stackWithProviders(), "orders", both);
    expect(() => binding.runtimeEnvironment("my-orders")).toThrow(
      'prefix must be upper-case letters, digits and single underscores, such as "ORDERS", but is "my-orders"',
    );
  });
});

describe("the settings of a compute resource", () => {
  it("fit the env and secret of a container app", () => {
    const { env, secret } = environmentOf(both).forContainerApp();
    expect(env).toHaveLength(10);
    expect(env[0]).toEqual({ name: "ORDERS_DIRECTION", value: "input, output" });
    expect(env[9]).toEqual({ name: "ORDERS_ACCESS_KEY", secretName: "orders-access-key" });
    expect(secret).toEqual([{ name: "orders-access-key", value: "the-key" }]);
  });

  it("refuse a secret reference for a variable that is not a secret", () => {
    const reference = "@Microsoft.KeyVault(SecretUri=https://shop.vault.azure.net/secrets/key)";
    expect(() => environmentOf(both).forAppSettings({ ORDERS_ACCES_KEY: reference })).toThrow(
      "ORDERS_ACCES_KEY is not a secret of this binding, which has: ORDERS_ACCESS_KEY",
    );
    expect(() => environmentOf(received).forAppSettings({ ORDERS_ACCESS_KEY: reference })).toThrow(
      "ORDERS_ACCESS_KEY is not a secret of this binding, which has: none",
    );
  });

  it("fit the app settings of a web app, with a reference in the place of the secret", () => {
    const environment = environmentOf(both);
    expect(environment.forAppSettings()).toEqual({ ...variables, ORDERS_ACCESS_KEY: "the-key" });
    const reference = "@Microsoft.KeyVault(SecretUri=https://shop.vault.azure.net/secrets/key)";
    expect(environment.forAppSettings({ ORDERS_ACCESS_KEY: reference })).toEqual({
      ...variables,
      ORDERS_ACCESS_KEY: reference,
    });
  });

  it("fit the env of a Kubernetes container, which refers to a Secret", () => {
    const { env, stringData } = environmentOf(both).forKubernetes("orders-binding");
    expect(env.at(-1)).toEqual({
      name: "ORDERS_ACCESS_KEY",
      valueFrom: { secretKeyRef: { name: "orders-binding", key: "ORDERS_ACCESS_KEY" } },
    });
    expect(env.slice(0, -1)).toEqual(
      Object.entries(variables).map(([name, value]) => ({ name, value })),
    );
    expect(stringData).toEqual({ ORDERS_ACCESS_KEY: "the-key" });
  });
});
