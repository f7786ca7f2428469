import {
  type ResolveSecret,
  readComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, it } from "vitest";
import { errorOf, problemsOf } from "../binding/problems.js";

const text = `
apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: orders
auth:
  secretStore: vault
spec:
  type: bindings.azure.eventgrid
  version: v1
  metadata:
  - name: topicEndpoint
    value: "https://orders.example.com/api/events"
  - name: accessKey
    secretKeyRef:
      name: orders-topic
      key: access-key
`;
const unavailable = new Error(`${Buffer.alloc(32, "k3").toString("base64")} is no key`);

describe("a secret that a document refers to", () => {
  it("is looked up by its store, name and key", () => {
    const requested: unknown[] = [];
    const resolveSecret: ResolveSecret = (secret) => {
      requested.push(secret);
      return "from-the-vault";
    };
    expect(readComponentDocument(text, { resolveSecret }).props.accessKey).toBe("from-the-vault");
    expect(requested).toEqual([{ name: "orders-topic", key: "access-key", store: "vault" }]);
  });

  it("has its name as the key if the document has none", () => {
    const keyless = text
      .replace("      key: access-key\n", "")
      .replace("auth:\n  secretStore: vault\n", "");
    const resolveSecret: ResolveSecret = ({ name, key, store }) => `${name}/${key}/${store}`;
    const { props } = readComponentDocument(keyless, { resolveSecret });
    expect(props.accessKey).toBe("orders-topic/orders-topic/undefined");
  });

  it("may be resolved to bytes, which are read as text", () => {
    const resolveSecret = () => Buffer.from("from-a-file");
    expect(readComponentDocument(text, { resolveSecret }).props.accessKey).toBe("from-a-file");
  });

  it("may be resolved to a value that is known only at deployment", () => {
    const resolveSecret = () => "${TfToken[TOKEN.1]} ";
    const isUnresolved = (value: unknown) => String(value).includes("TfToken");
    const { props } = readComponentDocument(text, { resolveSecret, isUnresolved });
    expect(props.accessKey).toBe("${TfToken[TOKEN.1]} ");
  });

  it.each<[string, ResolveSecret | undefined, string]>([
    ["cannot be looked up", undefined, "but set the option resolveSecret"],
    ["does not exist", () => undefined, "but there is no such secret"],
  ])("is a problem on its line if it %s", (_, resolveSecret, message) => {
    const read = () => readComponentDocument(text, { ...(resolveSecret && { resolveSecret }) });
    expect(errorOf(read).problems).toEqual([
      {
        line: 14,
        field: "accessKey",
        rule: "secret-reference",
        message: `accessKey refers to the secret orders-topic/access-key, ${message}`,
      },
    ]);
  });

  it("is a problem with a cause if looking it up fails, without what looks like a secret", () => {
    const message =
      "accessKey refers to the secret orders-topic/access-key, which could not be read: (44 characters) is no key";
    const resolveSecret = () => {
      throw unavailable;
    };
    const error = errorOf(() => readComponentDocument(text, { resolveSecret }));
    expect(error).toMatchObject({ cause: unavailable, problems: [{ line: 14, message }] });
  });

  it("is not looked up if the direction does not use it", () => {
    const unused = text
      .replace("accessKey", "azureClientSecret")
      .replace(
        "  - name: topicEndpoint",
        "  - { name: direction, value: output }\n  - { name: accessKey, value: k }\n  - name: topicEndpoint",
      );
    const { props } = readComponentDocument(unused);
    expect(props).toEqual({
      direction: "output",
      topicEndpoint: "https://orders.example.com/api/events",
      accessKey: "k",
    });
  });

  it("cannot have a value as well, or lack a name", () => {
    const both = text.replace("  - name: accessKey\n", "  - name: accessKey\n    value: x\n");
    expect(problemsOf(() => readComponentDocument(both))).toEqual(["14 accessKey: shape"]);
    const nameless = text.replace("      name: orders-topic\n", "");
    expect(problemsOf(() => readComponentDocument(nameless))).toEqual(["14 accessKey: shape"]);
  });
});
