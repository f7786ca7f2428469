import {
  type BindingProps,
  bindingEnvironment,
  bindingFromEnvironment,
} from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseServiceBinding, resolveBinding } from "../../../runtime/src/binding/parse.js";
import { bindingProps } from "./arbitrary-props.js";
import { inputProps, outputProps } from "./example-props.js";
import { errorOf, problemsOf } from "./problems.js";

const both = { ...inputProps, ...outputProps };

describe("the environment of a binding", () => {
  it("has what the service reads and nothing else, with the access key among the secrets", () => {
    const props: BindingProps = {
      ...both,
      writer: "client",
      cloudClientSecret: "a-secret-that-stays-here",
      subscriberEndpoint: "https://orders.example.com/hooks/orders?code=hush",
      eventSubscriptionName: "orders",
      cloudEnvironment: "usgovernment",
      cloudAuthorityHost: "https://login.example.com/",
    };
    expect(bindingEnvironment(props, "ORDERS", { name: "orders" })).toEqual({
      variables: {
        ORDERS_DIRECTION: "input, output",
        ORDERS_NAME: "orders",
        ORDERS_CLOUD: "usgovernment",
        ORDERS_AUTHORITY_HOST: "https://login.example.com",
        ORDERS_TENANT_ID: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11",
        ORDERS_CLIENT_ID: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07",
        ORDERS_HANDSHAKE_PORT: "9000",
        ORDERS_WEBHOOK_PATH: "/hooks/orders",
        ORDERS_SUBSCRIPTION_NAME: "orders",
        ORDERS_SCOPE: inputProps.scope,
        ORDERS_TOPIC_ENDPOINT: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
      },
      secrets: { ORDERS_ACCESS_KEY: "a-key-that-no-message-may-show" },
    });
  });

  it("has no access key if events are published with Entra", () => {
    const { topicEndpoint } = outputProps;
    expect(bindingEnvironment({ topicEndpoint, publishWith: "entra" }, "ORDERS")).toEqual({
      variables: {
        ORDERS_DIRECTION: "output",
        ORDERS_TOPIC_ENDPOINT: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
        ORDERS_PUBLISH_WITH: "entra",
      },
      secrets: {},
    });
  });

  it("passes on values that are known only at deployment, if the path is set as an option", () => {
    const isUnresolved = (value: unknown) => typeof value === "string" && value.startsWith("<");
    const props: BindingProps = {
      ...both,
      cloudTenantId: "<tenant>",
      subscriberEndpoint: "<endpoint>",
      scope: "<scope>",
      accessKey: "<key>",
    };
    const { variables, secrets } = bindingEnvironment(props, "ORDERS", {
      isUnresolved,
      path: "/api/events",
    });
    expect(variables).toMatchObject({
      ORDERS_TENANT_ID: "<tenant>",
      ORDERS_WEBHOOK_PATH: "/api/events",
    });
    expect(variables).not.toHaveProperty("ORDERS_SCOPE");
    expect(secrets).toEqual({ ORDERS_ACCESS_KEY: "<key>" });
    expect(problemsOf(() => bindingEnvironment(props, "ORDERS", { isUnresolved }))).toEqual([
      "path: required",
    ]);
  });

  it("has no subscription and no scope if other subscriptions use the same webhook", () => {
    const props = { ...inputProps, eventSubscriptionName: "orders" };
    const { variables } = bindingEnvironment(props, "ORDERS", { otherSubscriptions: true });
    expect(variables).not.toHaveProperty("ORDERS_SUBSCRIPTION_NAME");
    expect(variables).not.toHaveProperty("ORDERS_SCOPE");
  });

  it("has another path if a gateway rewrites the public one", () => {
    const { variables } = bindingEnvironment(inputProps, "ORDERS", { path: "/internal" });
    expect(variables).toHaveProperty("ORDERS_WEBHOOK_PATH", "/internal");
  });

  it.each(["", "orders", "ORDERS_", "1ORDERS", "OR-DERS"])(
    "cannot have the prefix %j",
    (prefix) => {
      const broken = ["prefix: environment-prefix"];
      expect(problemsOf(() => bindingEnvironment(inputProps, prefix))).toEqual(broken);
      expect(problemsOf(() => bindingFromEnvironment(prefix, { env: {} }))).toEqual(broken);
    },
  );
});

describe("a binding that is read from the environment", () => {
  it("has the values that were written, for any props", () => {
    fc.assert(
      fc.property(bindingProps(), fc.option(fc.constant("orders")), (props, name) => {
        const options = name === null ? {} : { name };
        const { variables, secrets } = bindingEnvironment(props, "A_1", options);
        const { direction, ...resolved } = resolveBinding(props);
        const env = { ...variables, ...secrets };
        const path =
          "subscriberEndpoint" in resolved
            ? { path: new URL(resolved.subscriberEndpoint).pathname }
            : {};
        expect({ ...resolved, direction, ...path, ...options }).toMatchObject(
          bindingFromEnvironment("A_1", { direction, env }),
        );
      }),
    );
  });

  it("is not parsed again, unless it was copied", () => {
    const { variables, secrets } = bindingEnvironment(both, "ORDERS");
    const binding = bindingFromEnvironment("ORDERS", { env: { ...variables, ...secrets } });
    expect(parseServiceBinding(binding, "input")).toBe(binding);
    expect(parseServiceBinding(binding, "output")).toBe(binding);
    expect(parseServiceBinding({ ...binding, handshakePort: "0" }, "input")).toMatchObject([
      { field: "handshakePort", rule: "port" },
    ]);
    const incoming = bindingFromEnvironment("ORDERS", { direction: "input", env: variables });
    expect(parseServiceBinding(incoming, "output")).toMatchObject([
      { field: "topicEndpoint", rule: "required" },
      { field: "accessKey", rule: "required" },
    ]);
  });

  it("has only the direction that the service uses", () => {
    const { variables } = bindingEnvironment(both, "ORDERS");
    expect(bindingFromEnvironment("ORDERS", { direction: "input", env: variables })).toEqual({
      direction: "input",
      cloudEnvironment: "public",
      cloudTenantId: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11",
      cloudClientId: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07",
      handshakePort: "9000",
      path: "/api/events",
      scope: inputProps.scope,
    });
  });

  it("may have the name of an existing subscription, with hyphens", () => {
    const env = { ...bindingEnvironment(inputProps, "ORDERS").variables };
    env.ORDERS_SUBSCRIPTION_NAME = "orders-hook";
    const binding = bindingFromEnvironment("ORDERS", { direction: "input", env });
    expect(binding.eventSubscriptionName).toBe("orders-hook");
    const invalid = { ...env, ORDERS_SUBSCRIPTION_NAME: "x", ORDERS_SCOPE: "/x" };
    expect(
      problemsOf(() => bindingFromEnvironment("ORDERS", { direction: "input", env: invalid })),
    ).toEqual(["ORDERS_SUBSCRIPTION_NAME: service-name", "ORDERS_SCOPE: scope"]);
  });

  it("has no access key if it publishes with Entra", () => {
    const env = {
      ORDERS_TOPIC_ENDPOINT: "https://orders.example.com/api/events",
      ORDERS_PUBLISH_WITH: "entra",
      ORDERS_ACCESS_KEY: "left-over",
    };
    expect(bindingFromEnvironment("ORDERS", { direction: "output", env })).toEqual({
      direction: "output",
      cloudEnvironment: "public",
      topicEndpoint: "https://orders.example.com/api/events",
      publishWith: "entra",
    });
  });
});

describe("an environment that cannot be read", () => {
  it("is reported with every missing variable at once", () => {
    const error = errorOf(() => bindingFromEnvironment("NO_SUCH_BINDING"));
    expect(error.message.split("\n")).toEqual([
      'The environment of "NO_SUCH_BINDING" is invalid:',
      "- NO_SUCH_BINDING_TENANT_ID is not set; it is required to receive events",
      "- NO_SUCH_BINDING_CLIENT_ID is not set; it is required to receive events",
      "- NO_SUCH_BINDING_HANDSHAKE_PORT is not set; it is required to receive events",
      "- NO_SUCH_BINDING_WEBHOOK_PATH is not set; it is required to receive events",
      "- NO_SUCH_BINDING_TOPIC_ENDPOINT is not set; it is required to publish events",
      "- NO_SUCH_BINDING_ACCESS_KEY is not set; it is required to publish events",
    ]);
  });

  it("is reported with a misspelt variable next to the missing one", () => {
    const { variables } = bindingEnvironment(inputProps, "ORDERS");
    const { ORDERS_TENANT_ID, ...others } = variables;
    const env = { ...others, ORDERS_TENANTID: ORDERS_TENANT_ID, ORDERS_TENANT: "contoso" };
    const { message } = errorOf(() =>
      bindingFromEnvironment("ORDERS", { direction: "input", env }),
    );
    expect(message).toBe(
      'The environment of "ORDERS" is invalid: ORDERS_TENANT_ID is not set; it is required to receive events: rename ORDERS_TENANTID',
    );
  });

  it("is reported with invalid variables by their names, and empty ones as missing", () => {
    const { variables, secrets } = bindingEnvironment(both, "ORDERS");
    const env = {
      ...variables,
      ...secrets,
      ORDERS_TENANT_ID: "contoso",
      ORDERS_CLIENT_ID: "",
      ORDERS_HANDSHAKE_PORT: "http",
      ORDERS_WEBHOOK_PATH: "api/events",
      ORDERS_CLOUD: "mars",
      ORDERS_ACCESS_KEY: "pasted-with-a-line-break\n",
    };
    expect(problemsOf(() => bindingFromEnvironment("ORDERS", { env }))).toEqual([
      "ORDERS_CLOUD: choice",
      "ORDERS_TENANT_ID: uuid",
      "ORDERS_CLIENT_ID: required",
      "ORDERS_HANDSHAKE_PORT: port",
      "ORDERS_WEBHOOK_PATH: path",
      "ORDERS_ACCESS_KEY: secret",
    ]);
  });

  it.each([
    ["input", inputProps],
    ["output", outputProps],
  ])(
    "is reported with how to read a binding that has only the direction %s",
    (direction, props) => {
      const { variables, secrets } = bindingEnvironment(props, "ORDERS");
      const named = { ...variables, ...secrets };
      for (const env of [named, { ...named, ORDERS_DIRECTION: undefined }]) {
        const { message } = errorOf(() => bindingFromEnvironment("ORDERS", { env }));
        expect(message).toBe(
          `The environment of "ORDERS" is invalid: this binding has only the direction "${direction}": ` +
            `read it with bindingFromEnvironment("ORDERS", { direction: "${direction}" })`,
        );
      }
    },
  );

  it("is reported with its own direction if the other one is requested", () => {
    const { variables: env } = bindingEnvironment(inputProps, "ORDERS");
    const read = () => bindingFromEnvironment("ORDERS", { env, direction: "output" });
    expect(problemsOf(read)).toEqual(["direction: direction"]);
  });

  it.each([
    ["a direction that does not exist", { direction: "in" }, "direction: choice"],
    ["null as the direction", { direction: null }, "direction: choice"],
    ["null as the options", null, "options: type"],
    ["an environment that is not an object", { env: "ORDERS" }, "env: object"],
  ])("is not read with %s", (_, options, problem) => {
    // @ts-expect-error: what JavaScript may pass
    expect(problemsOf(() => bindingFromEnvironment("ORDERS", options))).toEqual([problem]);
  });
});
