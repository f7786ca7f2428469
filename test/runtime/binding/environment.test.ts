import {
  type BindingProps,
  bindingEnvironment,
  bindingFromEnvironment,
  runtimeBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingProps } from "./arbitrary-props.js";
import { inputProps, outputProps } from "./example-props.js";
import { messagesOf } from "./problem-messages.js";

const both = { ...inputProps, ...outputProps };

describe("the environment of a binding", () => {
  it("holds what the runtime reads and nothing else, the access key among the secrets", () => {
    const props: BindingProps = {
      ...both,
      writer: "client",
      cloudClientSecret: "a-secret-that-stays-here",
      subscriberEndpoint: "https://orders.example.com/hooks/orders?code=hush",
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
        ORDERS_TOPIC_ENDPOINT: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
      },
      secrets: { ORDERS_ACCESS_KEY: "a-key-that-no-message-may-show" },
    });
  });

  it("has no access key where create uses Entra", () => {
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

  it("lets unresolved values pass as they are, with the path said beside them", () => {
    const isUnresolved = (value: unknown) =>
      typeof value === "string" && value.startsWith("$" + "{");
    const token = (name: string) => `$${`{TfToken[${name}]}`}`;
    const props: BindingProps = {
      ...both,
      cloudTenantId: token("tenant"),
      cloudClientId: token("client"),
      subscriberEndpoint: token("endpoint"),
      scope: token("scope"),
      topicEndpoint: token("topic"),
      accessKey: token("key"),
    };
    const options = { isUnresolved, path: "/api/events" };
    expect(bindingEnvironment(props, "ORDERS", options)).toEqual({
      variables: {
        ORDERS_DIRECTION: "input, output",
        ORDERS_TENANT_ID: "${TfToken[tenant]}",
        ORDERS_CLIENT_ID: "${TfToken[client]}",
        ORDERS_HANDSHAKE_PORT: "9000",
        ORDERS_WEBHOOK_PATH: "/api/events",
        ORDERS_TOPIC_ENDPOINT: "${TfToken[topic]}",
      },
      secrets: { ORDERS_ACCESS_KEY: "${TfToken[key]}" },
    });
    expect(() => bindingEnvironment(props, "ORDERS", { isUnresolved })).toThrow(
      "path is required where subscriberEndpoint is known only after deployment: " +
        "say which path the listener serves, such as /api/events",
    );
  });

  it("takes another path where a gateway rewrites the public one", () => {
    const { variables } = bindingEnvironment(inputProps, "ORDERS", { path: "/internal" });
    expect(variables).toHaveProperty("ORDERS_WEBHOOK_PATH", "/internal");
  });

  it.each(["", "orders", "ORDERS_", "1ORDERS", "OR-DERS"])("refuses the prefix %j", (prefix) => {
    const message =
      "The environment is invalid: prefix must be upper-case letters, digits and single " +
      `underscores, such as "ORDERS", but is "${prefix}"`;
    expect(() => bindingEnvironment(inputProps, prefix)).toThrow(message);
    expect(() => bindingFromEnvironment(prefix, { env: {} })).toThrow(message);
  });
});

describe("a binding from the environment", () => {
  it("is what the props project to, for any props", () => {
    fc.assert(
      fc.property(bindingProps(), fc.option(fc.constant("orders")), (props, name) => {
        const options = name === null ? {} : { name };
        const expected = runtimeBinding(props, options);
        const { variables, secrets } = bindingEnvironment(props, "A_1", options);
        const { direction } = expected;
        const env = { ...variables, ...secrets };
        expect(bindingFromEnvironment("A_1", { direction, env })).toEqual(expected);
      }),
    );
  });

  it("is narrowed to the half that a service uses", () => {
    const { variables } = bindingEnvironment(both, "ORDERS");
    expect(bindingFromEnvironment("ORDERS", { direction: "input", env: variables })).toEqual({
      direction: "input",
      cloudEnvironment: "public",
      cloudTenantId: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11",
      cloudClientId: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07",
      handshakePort: "9000",
      path: "/api/events",
    });
  });

  it("tells every missing variable at once", () => {
    const problems = messagesOf(() => bindingFromEnvironment("ORDERS", { env: {} }));
    expect(problems).toEqual([
      "ORDERS_TENANT_ID is not set; it is required to receive events",
      "ORDERS_CLIENT_ID is not set; it is required to receive events",
      "ORDERS_HANDSHAKE_PORT is not set; it is required to receive events",
      "ORDERS_WEBHOOK_PATH is not set; it is required to receive events",
      "ORDERS_TOPIC_ENDPOINT is not set; it is required to publish events",
      "ORDERS_ACCESS_KEY is not set; it is required to publish events with the access key",
    ]);
  });

  it("tells wrong values by the variable's name, and an empty one as missing", () => {
    const { variables, secrets } = bindingEnvironment(both, "ORDERS");
    const env = {
      ...variables,
      ...secrets,
      ORDERS_TENANT_ID: "contoso",
      ORDERS_CLIENT_ID: "",
      ORDERS_HANDSHAKE_PORT: "http",
      ORDERS_WEBHOOK_PATH: "api/events",
      ORDERS_CLOUD: "mars",
      ORDERS_ACCESS_KEY: "pasted-with-a-line-end\n",
    };
    expect(messagesOf(() => bindingFromEnvironment("ORDERS", { env }))).toEqual([
      'ORDERS_CLOUD must be one of "public", "usgovernment", "china", but is "mars"',
      'ORDERS_TENANT_ID must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso"',
      "ORDERS_CLIENT_ID is not set; it is required to receive events",
      'ORDERS_HANDSHAKE_PORT must be a string holding a port number from "1" to "65535", but is "http"',
      'ORDERS_WEBHOOK_PATH must be the path of a URL, such as /api/events, without a query and *, but is "api/events"',
      "ORDERS_ACCESS_KEY must be printable ASCII characters without white space (its value is not shown)",
    ]);
  });

  it("says which half the binding lacks, and what to write instead", () => {
    const { variables } = bindingEnvironment(inputProps, "ORDERS");
    const env = { ...variables, ORDERS_HANDSHAKE_PORT: "" };
    const lacksOutput =
      'ORDERS_DIRECTION is "input": this binding has no output half. A service that uses only what ' +
      'is there reads it with bindingFromEnvironment("ORDERS", { direction: "input" })';
    const portMissing = "ORDERS_HANDSHAKE_PORT is not set; it is required to receive events";
    expect(messagesOf(() => bindingFromEnvironment("ORDERS", { env: variables }))).toEqual([
      lacksOutput,
    ]);
    expect(messagesOf(() => bindingFromEnvironment("ORDERS", { env }))).toEqual([
      lacksOutput,
      portMissing,
    ]);
    expect(
      messagesOf(() => bindingFromEnvironment("ORDERS", { env: variables, direction: "output" })),
    ).toEqual([lacksOutput]);
  });

  it("needs no variable that tells the direction", () => {
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

  it.each<[unknown, ...string[]]>([
    ["input", 'the options must be an object such as { direction: "input" }, but are "input"'],
    [null, 'the options must be an object such as { direction: "input" }, but are null'],
    [
      { direction: "in" },
      'direction must be one of "input", "output", "input, output", but is "in"',
    ],
    [
      { directon: "input", env: "ORDERS" },
      "directon is unknown: did you mean direction?",
      'env must be an object such as process.env, but is "ORDERS"',
    ],
  ])("is not read where the call itself is wrong: %j", (options, ...messages) => {
    const read = () => Reflect.apply(bindingFromEnvironment, undefined, ["ORDERS", options]);
    expect(messagesOf(read)).toEqual(messages);
  });

  it("is read from the process's own environment", () => {
    expect(() => bindingFromEnvironment("NO_SUCH_BINDING")).toThrow(
      'The environment of "NO_SUCH_BINDING" is invalid:\n- NO_SUCH_BINDING_TENANT_ID is not set',
    );
  });
});

describe("a prefix under which there is nothing", () => {
  const env = {
    ORDERS_TENANT_ID: "x",
    ORDERS_HANDSHAKE_PORT: "9000",
    SHOP_TOPIC_ENDPOINT: "https://x",
    OTHER_TOPIC_ENDPOINT: "",
    UNRELATED_TENANT_ID: "x",
  };

  it("is told beside those of the bindings that are there", () => {
    const [first] = messagesOf(() => bindingFromEnvironment("ORDER", { env }));
    expect(first).toBe(
      'prefix is "ORDER", for which no variable is set; those of a binding are there as ' +
        "ORDERS_…, SHOP_…: is that the prefix?",
    );
  });

  it("is not spoken of where the prefix is right, or no other is there", () => {
    for (const [prefix, variables] of [
      ["ORDERS", env],
      ["ORDER", {}],
    ] as const) {
      const messages = messagesOf(() => bindingFromEnvironment(prefix, { env: variables }));
      expect(messages.join()).not.toContain("is that the prefix?");
    }
  });
});
