import {
  type ResolveSecret,
  readComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, it } from "vitest";
import { messagesOf } from "./problem-messages.js";

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

describe("secret references", () => {
  it("are resolved by the caller's function, which is told the store", () => {
    const asked: unknown[] = [];
    const resolveSecret: ResolveSecret = (secret) => {
      asked.push(secret);
      return "from-the-vault";
    };
    expect(readComponentDocument(text, { resolveSecret }).props.accessKey).toBe("from-the-vault");
    expect(asked).toEqual([{ name: "orders-topic", key: "access-key", store: "vault" }]);
  });

  it("have the secret's name as their key where they name none", () => {
    const keyless = text
      .replace("      key: access-key\n", "")
      .replace("auth:\n  secretStore: vault\n", "");
    const resolveSecret: ResolveSecret = ({ name, key, store }) => `${name}/${key}/${store}`;
    const { props } = readComponentDocument(keyless, { resolveSecret });
    expect(props.accessKey).toBe("orders-topic/orders-topic/undefined");
  });

  it("may be resolved to a value that is known only later", () => {
    const resolveSecret = () => "${TfToken[TOKEN.1]} ";
    const isUnresolved = (value: unknown) => String(value).includes("TfToken");
    const { props } = readComponentDocument(text, { resolveSecret, isUnresolved });
    expect(props.accessKey).toBe("${TfToken[TOKEN.1]} ");
  });

  it("are an error where nobody can resolve them, or the secret is not there", () => {
    expect(messagesOf(() => readComponentDocument(text))).toEqual([
      "14: accessKey refers to the secret orders-topic/access-key: say how to look it up (resolveSecret)",
    ]);
    expect(
      messagesOf(() => readComponentDocument(text, { resolveSecret: () => undefined })),
    ).toEqual(["14: accessKey refers to the secret orders-topic/access-key, which was not found"]);
  });

  it("are not asked for where nothing uses them", () => {
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

  it("are an error beside a value, or without a name", () => {
    const both = text.replace("  - name: accessKey\n", "  - name: accessKey\n    value: x\n");
    expect(messagesOf(() => readComponentDocument(both))).toEqual([
      "14: accessKey has both a value and a secretKeyRef: keep one",
    ]);
    const nameless = text.replace("      name: orders-topic\n", "");
    expect(messagesOf(() => readComponentDocument(nameless))).toEqual([
      "14: the secretKeyRef of accessKey must have a name, and a key within that secret",
    ]);
  });
});
