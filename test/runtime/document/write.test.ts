import type { BindingProps } from "cloud-eventgrid-binding-runtime";
import {
  readComponentDocument,
  type WriteOptions,
  writeComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { resolveBinding } from "../../../runtime/src/binding/parse.js";
import { bindingProps } from "../binding/arbitrary-props.js";
import { inputProps, outputProps } from "../binding/example-props.js";
import { problemsOf } from "../binding/problems.js";

const client = { writer: "client", cloudClientSecret: "hush" } as const;

/** Props that a document can express: it has no deployer and no publishing with Entra. */
const documentProps = bindingProps().filter((props) => {
  const binding = resolveBinding(props);
  const keyed = !("publishWith" in binding) || binding.publishWith === "accessKey";
  return keyed && (!("writer" in binding) || binding.writer === "client");
});

const forms = fc.record({
  vocabulary: fc.constantFrom("current", "earlier", "vendor"),
  format: fc.constantFrom("yaml", "json"),
});

describe("props that are written as a document and read back", () => {
  it("are the same props, in every vocabulary and format", () => {
    fc.assert(
      fc.property(documentProps, forms, (props, form) => {
        const text = writeComponentDocument(props, { name: "orders", ...form });
        const document = readComponentDocument(text);
        expect(document.name).toBe("orders");
        expect(document.warnings).toEqual([]);
        expect(resolveBinding(document.props)).toEqual(resolveBinding(props));
      }),
    );
  });

  it("keep tokens intact and quoted", () => {
    const token = `$${`{TfToken[${"A long name ".repeat(20)}]}`}`;
    const isUnresolved = (value: unknown) => String(value).includes("TfToken");
    const props: BindingProps = { ...inputProps, ...client, scope: token, handshakePort: token };
    const text = writeComponentDocument(props, { name: "orders", isUnresolved });
    expect(text).toContain(`value: "${token}"\n`);
    expect(readComponentDocument(text, { isUnresolved }).props.scope).toBe(token);
  });
});

describe("a document that is written", () => {
  it("has the current field names by default", () => {
    const text = writeComponentDocument(outputProps, { name: "orders" });
    expect(text).toBe(`apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: orders
spec:
  type: bindings.cloud.eventgrid
  version: v1
  metadata:
    - name: topicEndpoint
      value: "https://orders.westeurope-1.eventgrid.azure.net/api/events"
    - name: accessKey
      value: "a-key-that-no-message-may-show"
    - name: direction
      value: "output"
`);
    const json = writeComponentDocument(outputProps, { name: "orders", format: "json" });
    expect(json).toBe(`${JSON.stringify(parse(text), null, 2)}\n`);
  });

  it("has the vendor's names and refers to secrets for a Dapr sidecar", () => {
    const options: WriteOptions = {
      name: "orders",
      vocabulary: "vendor",
      secretStore: "kubernetes",
      secretReferences: { cloudClientSecret: { name: "orders", key: "client-secret" } },
    };
    const props: BindingProps = { ...inputProps, cloudEnvironment: "china" };
    expect(writeComponentDocument(props, options)).toBe(`apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: orders
spec:
  type: bindings.azure.eventgrid
  version: v1
  metadata:
    - name: azureTenantId
      value: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11"
    - name: azureSubscriptionId
      value: "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2"
    - name: azureClientId
      value: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07"
    - name: azureClientSecret
      secretKeyRef:
        name: orders
        key: client-secret
    - name: subscriberEndpoint
      value: "https://orders.example.com/api/events"
    - name: handshakePort
      value: "9000"
    - name: scope
      value: "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders"
    - name: direction
      value: "input"
    - name: azureEnvironment
      value: "AzureChinaCloud"
auth:
  secretStore: kubernetes
`);
  });
});

describe("props that cannot be written as a document", () => {
  it("are reported if a document cannot express them", () => {
    const { topicEndpoint } = outputProps;
    const props: BindingProps = { ...inputProps, topicEndpoint, publishWith: "entra" };
    expect(problemsOf(() => writeComponentDocument(props, { name: "my orders" }))).toEqual([
      "name: component-name",
      "cloudClientSecret: required",
      "publishWith: unused",
    ]);
  });

  it("are reported if they are invalid", () => {
    const props: BindingProps = { ...outputProps, topicEndpoint: "orders" };
    expect(problemsOf(() => writeComponentDocument(props, { name: "orders" }))).toEqual([
      "topicEndpoint: loopback-or-https-url",
    ]);
  });
});
