import {
  bindingFromEnvironment,
  namespaceTopicEnvironment,
  namespaceTopicFromEnvironment,
  type PullRuntimeBinding,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { errorOf, problemsOf } from "./problems.js";

const topic = {
  namespaceEndpoint: "https://shop.westeurope-1.eventgrid.azure.net",
  topicName: "orders",
};
const pull: PullRuntimeBinding = { ...topic, eventSubscriptionName: "shipping-service" };

describe("the environment of a pull binding", () => {
  it("has every value but the defaults, with the access key among the secrets", () => {
    const binding = {
      ...pull,
      namespaceEndpoint: `${topic.namespaceEndpoint}/`,
      name: "orders",
      receiveLockSeconds: 300,
      receiveWith: "accessKey",
      accessKey: "a-key-that-no-message-may-show",
      cloudEnvironment: "china",
      cloudAuthorityHost: "https://login.example.com/",
    } as const;
    expect(pullBindingEnvironment(binding, "ORDERS")).toEqual({
      variables: {
        ORDERS_NAME: "orders",
        ORDERS_CLOUD: "china",
        ORDERS_AUTHORITY_HOST: "https://login.example.com",
        ORDERS_NAMESPACE_ENDPOINT: "https://shop.westeurope-1.eventgrid.azure.net",
        ORDERS_TOPIC_NAME: "orders",
        ORDERS_SUBSCRIPTION_NAME: "shipping-service",
        ORDERS_RECEIVE_LOCK_SECONDS: "300",
        ORDERS_RECEIVE_WITH: "accessKey",
      },
      secrets: { ORDERS_ACCESS_KEY: "a-key-that-no-message-may-show" },
    });
    expect(pullBindingEnvironment(pull, "ORDERS").variables).toEqual({
      ORDERS_NAMESPACE_ENDPOINT: "https://shop.westeurope-1.eventgrid.azure.net",
      ORDERS_TOPIC_NAME: "orders",
      ORDERS_SUBSCRIPTION_NAME: "shipping-service",
    });
  });

  it("is read back with the defaults", () => {
    const { variables } = pullBindingEnvironment({ ...pull, receiveLockSeconds: 120 }, "ORDERS");
    expect(pullBindingFromEnvironment("ORDERS", { env: variables })).toEqual({
      ...pull,
      receiveLockSeconds: 120,
      receiveWith: "entra",
      cloudEnvironment: "public",
    });
  });

  it("passes on values that are known only at deployment, except for the lock's duration", () => {
    const isUnresolved = (value: unknown) => String(value).startsWith("<") || value === -1;
    const { variables } = pullBindingEnvironment(
      { ...pull, namespaceEndpoint: "<endpoint>", receiveLockSeconds: -1 },
      "ORDERS",
      { isUnresolved },
    );
    expect(variables).toEqual({
      ORDERS_NAMESPACE_ENDPOINT: "<endpoint>",
      ORDERS_TOPIC_NAME: "orders",
      ORDERS_SUBSCRIPTION_NAME: "shipping-service",
    });
  });

  it("shares a prefix with the environment of its topic", () => {
    const receiving = pullBindingEnvironment(pull, "ORDERS");
    const key = { publishWith: "accessKey", accessKey: "topic-key" } as const;
    const publishing = namespaceTopicEnvironment({ ...topic, ...key }, "ORDERS");
    const env = { ...receiving.variables, ...publishing.variables, ...publishing.secrets };
    expect(pullBindingFromEnvironment("ORDERS", { env })).not.toHaveProperty("accessKey");
    expect(namespaceTopicFromEnvironment("ORDERS", { env })).toEqual({
      ...topic,
      ...key,
      cloudEnvironment: "public",
    });
  });
});

describe("an invalid pull binding", () => {
  it("is reported with all its problems", () => {
    const binding = {
      namespaceEndpoint: "http://shop.example.com",
      topicName: "o",
      eventSubscriptionName: "shop_subscription",
      receiveLockSeconds: 301,
      receiveWith: "accessKey",
    } as const;
    expect(problemsOf(() => pullBindingEnvironment(binding, "ORDERS"))).toEqual([
      "namespaceEndpoint: loopback-or-https-url",
      "topicName: namespace-name",
      "eventSubscriptionName: namespace-name",
      "receiveLockSeconds: integer-range",
      "accessKey: required",
    ]);
    const unused = { ...pull, accessKey: "key" };
    expect(problemsOf(() => pullBindingEnvironment(unused, "ORDERS"))).toEqual([
      "accessKey: unused",
    ]);
  });

  it("is reported with an endpoint that has a path", () => {
    const namespaceEndpoint = "https://shop.westeurope-1.eventgrid.azure.net/api/events";
    expect(() => pullBindingEnvironment({ ...pull, namespaceEndpoint }, "ORDERS")).toThrow(
      `"${namespaceEndpoint}" has the path /api/events: the endpoint of a namespace has none. ` +
        "A topic that is not part of a namespace belongs in topicEndpoint",
    );
  });

  it("is reported by its variables", () => {
    const env = { ORDERS_NAMESPACE_ENDPOINT: "https://a.b", ORDERS_RECEIVE_LOCK_SECONDS: "1e2" };
    expect(problemsOf(() => pullBindingFromEnvironment("ORDERS", { env }))).toEqual([
      "ORDERS_TOPIC_NAME: required",
      "ORDERS_SUBSCRIPTION_NAME: required",
      "ORDERS_RECEIVE_LOCK_SECONDS: integer-range",
    ]);
  });
});

describe("variables that another function reads", () => {
  const { variables: env } = pullBindingEnvironment(pull, "ORDERS");
  const webhook = { ORDERS_HANDSHAKE_PORT: "9000", ORDERS_SUBSCRIPTION_NAME: "shop" };

  it("are reported with the function for a webhook", () => {
    const error = errorOf(() => pullBindingFromEnvironment("ORDERS", { env: webhook }));
    expect(error.message).toContain(
      'ORDERS_HANDSHAKE_PORT belongs to another kind of binding: read it with bindingFromEnvironment("ORDERS")',
    );
  });

  it("are reported with the functions for a namespace topic", () => {
    const error = errorOf(() => bindingFromEnvironment("ORDERS", { direction: "input", env }));
    expect(error.message).toContain(
      'ORDERS_NAMESPACE_ENDPOINT belongs to another kind of binding: read it with pullBindingFromEnvironment("ORDERS") or namespaceTopicFromEnvironment("ORDERS")',
    );
  });
});
