import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, it } from "vitest";
import { currentDocument, withLine, withoutLine } from "./example-documents.js";
import { inputProps, outputProps } from "./example-props.js";
import { messagesOf } from "./problem-messages.js";

const problems = (text: string) => messagesOf(() => readComponentDocument(text));

describe("a component document", () => {
  it("becomes props and a name, and says that the client writes", () => {
    expect(readComponentDocument(currentDocument)).toEqual({
      name: "orders",
      warnings: [],
      props: {
        ...inputProps,
        ...outputProps,
        cloudClientSecret: "a-secret-that-no-message-may-show",
        direction: "input, output",
        writer: "client",
      },
    });
  });

  it("is read as JSON, too", () => {
    const json = JSON.stringify({
      apiVersion: "dapr.io/v1alpha1",
      kind: "Component",
      metadata: { name: "orders" },
      spec: {
        type: "bindings.cloud.eventgrid",
        version: "v1",
        metadata: Object.entries(outputProps).map(([name, value]) => ({ name, value })),
      },
    });
    expect(readComponentDocument(json).props).toEqual(outputProps);
  });

  it("needs no client secret where the deployer takes over, and drops the one it has", () => {
    const { props } = readComponentDocument(currentDocument, { writer: "deployer" });
    expect(props).not.toHaveProperty("cloudClientSecret");
    expect(props).toHaveProperty("writer", "deployer");
  });

  it("names the subscription that is to be taken over: by its own name, else the component's", () => {
    const named = withLine("- { name: eventSubscriptionName, value: orders-hook }");
    const nameOf = (text: string) =>
      readComponentDocument(text, { existingSubscription: true }).props.eventSubscriptionName;
    expect(nameOf(named)).toBe("orders-hook");
    expect(nameOf(currentDocument.replace("name: orders", "name: order-events"))).toBe(
      "order-events",
    );
    expect(readComponentDocument(currentDocument).props).not.toHaveProperty(
      "eventSubscriptionName",
    );
    expect(problems(named)).toEqual([
      '32: eventSubscriptionName must be 3 to 64 letters and digits, but "orders-hook" has a hyphen, which only existingSubscription allows',
    ]);
  });

  it("is called by its file's name, where it has one", () => {
    const text = withoutLine("kind: Component");
    const read = () => readComponentDocument(text, { fileName: "components/orders.yaml" });
    expect(read).toThrow(
      'The component document is invalid: components/orders.yaml: kind is missing: it must be "Component"',
    );
    expect(() =>
      readComponentDocument(withLine("- value: x"), { fileName: "orders.yaml" }),
    ).toThrow("orders.yaml:32: an entry of spec.metadata must have a name, and a value");
  });
});

describe("2.1 apiVersion", () => {
  it.each(["dapr.io/v1alpha1", "components.example.com/v1alpha1"])("takes %s", (apiVersion) => {
    const text = currentDocument.replace("dapr.io/v1alpha1", apiVersion);
    expect(readComponentDocument(text).name).toBe("orders");
  });

  it.each(["dapr.io/v1", "v1alpha1", "/v1alpha1"])("refuses %s", (apiVersion) => {
    expect(problems(currentDocument.replace("dapr.io/v1alpha1", apiVersion))).toEqual([
      "1: apiVersion must be the API group followed by /v1alpha1, such as dapr.io/v1alpha1, " +
        `but is "${apiVersion}"`,
    ]);
  });
});

describe("2.1 kind", () => {
  it("is Component", () => {
    expect(problems(currentDocument.replace("kind: Component", "kind: Configuration"))).toEqual([
      '2: kind must be "Component", but is "Configuration"',
    ]);
    expect(problems(withoutLine("kind: Component"))).toEqual([
      '-: kind is missing: it must be "Component"',
    ]);
  });
});

describe("2.1 metadata.name", () => {
  it("is the component's name", () => {
    expect(problems(currentDocument.replace("name: orders", "name: my orders"))).toEqual([
      "4: metadata.name must be the component's name: 1 to 253 characters without white space, " +
        'but is "my orders"',
    ]);
    expect(problems(withoutLine("  name: orders"))).toEqual([
      "-: metadata.name is missing: it must be the component's name: 1 to 253 characters without white space",
    ]);
  });
});

describe("2.1 spec.type", () => {
  it.each(["bindings.cloud.eventgrid", "bindings.azure.eventgrid"])("takes %s", (type) => {
    const text = currentDocument.replace("bindings.cloud.eventgrid", type);
    expect(readComponentDocument(text).name).toBe("orders");
  });

  it("refuses another component's", () => {
    const text = currentDocument.replace("bindings.cloud.eventgrid", "bindings.kafka");
    expect(problems(text)).toEqual([
      '6: spec.type must be "bindings.cloud.eventgrid" or "bindings.azure.eventgrid", but is "bindings.kafka"',
    ]);
  });
});

describe("2.1 spec.version", () => {
  it.each([
    ["v2", '"v2"'],
    ["1", "1"],
    ["[v1]", "no single value"],
  ])("refuses %s", (version, shown) => {
    expect(problems(currentDocument.replace("version: v1", `version: ${version}`))).toEqual([
      `7: spec.version must be "v1", but is ${shown}`,
    ]);
  });
});

describe("2.1 spec.metadata", () => {
  it("is a list of entries with a name and a value, both strings", () => {
    const [head] = currentDocument.split("  metadata:\n  -");
    expect(problems(`${head}  metadata: { scope: x }`)).toEqual([
      "8: spec.metadata must be a list of entries with name and value",
    ]);
    expect(problems(head ?? "")).toEqual([
      "-: spec.metadata must be a list of entries with name and value",
    ]);
  });

  it.each([
    ["- orders", "an entry of spec.metadata must have a name, and a value"],
    ["- value: x", "an entry of spec.metadata must have a name, and a value"],
    [
      "- name: eventSubscriptionName",
      "eventSubscriptionName has neither a value nor a secretKeyRef",
    ],
    [
      "- { name: eventSubscriptionName, value: [a] }",
      "eventSubscriptionName must have a single value, as a string",
    ],
  ])("refuses the entry %s", (line, message) => {
    expect(problems(withLine(line))).toEqual([`32: ${message}`]);
  });

  it("takes names in any case, as the original component does", () => {
    const text = currentDocument.replace("cloudTenantId", "CLOUDTENANTID");
    expect(readComponentDocument(text).props.cloudTenantId).toBe(inputProps.cloudTenantId);
  });

  it("refuses a field that is given twice", () => {
    expect(problems(withLine('- { name: Scope, value: "/x" }'))).toEqual([
      "32: Scope is given twice, first on line 23",
    ]);
  });

  it("warns of a field that it does not know", () => {
    const text = withLine('- { name: azureCertificateFile, value: "/certs/x.pem" }');
    expect(readComponentDocument(text).warnings).toEqual([
      {
        line: 32,
        rule: "unknown-field",
        message: '"azureCertificateFile" is no field of this component, and is ignored',
      },
    ]);
  });

  it("reads a number, and warns that it should be quoted", () => {
    const { props, warnings } = readComponentDocument(currentDocument.replace('"9000"', "9000"));
    expect(props.handshakePort).toBe("9000");
    expect(warnings).toEqual([
      {
        line: 21,
        field: "handshakePort",
        rule: "unquoted",
        message: "handshakePort should be a string: put its value in quotes",
      },
    ]);
  });

  it("takes an empty value as none", () => {
    expect(
      readComponentDocument(withLine('- { name: eventSubscriptionName, value: "" }')).props,
    ).not.toHaveProperty("eventSubscriptionName");
    expect(problems(currentDocument.replace('value: "9000"', "value:"))).toEqual([
      '21: handshakePort is required for the input direction (direction is "input, output"); ' +
        'a component that says nothing listens on "8080"',
    ]);
  });

  it("follows YAML's own aliases", () => {
    const text = currentDocument
      .replace('value: "9000"', 'value: &port "9000"')
      .concat("  - name: eventSubscriptionName\n    value: *port\n");
    expect(readComponentDocument(text).props.eventSubscriptionName).toBe("9000");
  });
});

describe("the direction of a document", () => {
  it.each(["input,output", "output, input", "INPUT , OUTPUT"])("may be written %j", (direction) => {
    const text = currentDocument.replace('"input, output"', JSON.stringify(direction));
    expect(readComponentDocument(text).props.direction).toBe("input, output");
  });

  it("leaves out the fields of the other one, with a warning", () => {
    const text = currentDocument.replace('"input, output"', '"output"');
    const { props, warnings } = readComponentDocument(text);
    expect(props).toEqual({ ...outputProps, direction: "output" });
    expect(warnings).toHaveLength(7);
    expect(warnings[0]).toEqual({
      line: 11,
      field: "cloudTenantId",
      rule: "direction",
      message: 'cloudTenantId is ignored, because direction is "output"',
    });
  });
});

describe("a direction that the reader wants", () => {
  it("leaves the other half alone", () => {
    const { props, warnings } = readComponentDocument(currentDocument, { direction: "output" });
    expect(props).toEqual({ ...outputProps, direction: "output" });
    expect(warnings).toEqual([]);
  });

  it("is an error where the document rules it out, or lacks it", () => {
    const output = currentDocument.replace('"input, output"', '"output"');
    const read = (text: string) => () => readComponentDocument(text, { direction: "input" });
    expect(messagesOf(read(output))).toEqual(['9: direction is "output", but "input" is wanted']);
    const portless = withoutLine('  - name: handshakePort\n    value: "9000"');
    expect(messagesOf(read(portless))).toEqual([
      '9: handshakePort is required for the input direction (direction is "input"); ' +
        'a component that says nothing listens on "8080"',
    ]);
  });
});

describe("what is wrong with a field's value", () => {
  it("is told by its line, and by the name that the document uses", () => {
    const text = currentDocument
      .replace("cloudTenantId", "azureTenantId")
      .replace(inputProps.cloudTenantId, "contoso")
      .replace("https://orders.example.com/api/events", "http://orders.example.com");
    expect(problems(text)).toEqual([
      '11: cloudTenantId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso" ' +
        "(the document calls it azureTenantId)",
      "19: subscriberEndpoint must be an https URL with a host, such as " +
        'https://orders.example.com/api/events, but is "http://orders.example.com"',
    ]);
  });

  it("never shows a secret", () => {
    const text = currentDocument.replaceAll("that-no-message-may-show", "with spaces in it");
    expect(problems(text).join()).not.toContain("with spaces in it");
    expect(problems(text)).toHaveLength(2);
  });
});

describe("a text with several documents", () => {
  const queue = "kind: Component\nmetadata: { name: queue }\nspec: { type: bindings.kafka }\n";
  const parcels = currentDocument.replace("name: orders", "name: parcels");
  const several = [queue, currentDocument, "# nothing\n"].join("---\n");
  const both = [queue, currentDocument, parcels].join("---\n");

  it("is read for its only binding of Event Grid", () => {
    expect(readComponentDocument(several).name).toBe("orders");
    expect(messagesOf(() => readComponentDocument(several.replace('"9000"', '"0"')))).toEqual([
      '25: handshakePort must be a string holding a port number from "1" to "65535", but is "0"',
    ]);
  });

  it("is read for the one that is named", () => {
    expect(readComponentDocument(both, { component: "parcels" }).name).toBe("parcels");
    expect(problems(both)).toEqual([
      '-: it holds 2 bindings of Event Grid ("orders", "parcels"): say which one to read (component), or give one at a time',
    ]);
    expect(messagesOf(() => readComponentDocument(both, { component: "queue" }))).toEqual([
      '-: it holds no binding of Event Grid named "queue", but "orders", "parcels"',
    ]);
  });
});

describe("a text that is no component document", () => {
  it.each([
    ["", ["-: it is empty"]],
    ["# nothing\n", ["-: it is empty"]],
    ["- a\n- b\n", ["1: it must be a mapping"]],
    ["a: 1\n---\nb: 2\n", ["-: it holds no binding of Event Grid"]],
    ["kind: Component\nkind: Component\n", ["2: Map keys must be unique"]],
    [
      "a: [1\nb: 2\n",
      ["2: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    ["x".repeat(65_537), ["-: it has 65537 characters; no more than 65536 are read"]],
    ["[".repeat(20_000) + "]".repeat(20_000), ["-: it is nested too deeply"]],
    ["- ".repeat(20_000), ["-: it is nested too deeply"]],
  ])("%#", (text, expected) => {
    expect(problems(text).slice(0, 1)).toEqual(expected);
  });

  it("is not the bytes of a file either", () => {
    const read = () => Reflect.apply(readComponentDocument, undefined, [Buffer.from("a: 1")]);
    expect(messagesOf(read)).toEqual([
      '-: it must be a text, but is an object: a file\'s is readFileSync(fileName, "utf8")',
    ]);
  });

  it("is told everything that is wrong, in the order of its lines", () => {
    const text = currentDocument
      .replace("kind: Component", "kind: Secret")
      .replace("version: v1", "version: v3")
      .replace('"9000"', '"0"');
    expect(() => readComponentDocument(text)).toThrow(
      `The component document is invalid:
- line 2: kind must be "Component", but is "Secret"
- line 7: spec.version must be "v1", but is "v3"
- line 21: handshakePort must be a string holding a port number from "1" to "65535", but is "0"`,
    );
  });
});
