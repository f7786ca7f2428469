import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentFields } from "../../../runtime/src/document/metadata.js";
import { inputProps, outputProps } from "../binding/example-props.js";
import { errorOf, problemsOf } from "../binding/problems.js";
import { currentDocument, withLine, withoutLine } from "./example-documents.js";

const problems = (text: string) => problemsOf(() => readComponentDocument(text));
const messages = (text: string) =>
  errorOf(() => readComponentDocument(text)).problems.map(({ message }) => message);

describe("a component document", () => {
  it("becomes a name and props, with the client as the writer", () => {
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

  it("may be JSON", () => {
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

  it("may be the bytes of a file", () => {
    expect(readComponentDocument(Buffer.from(currentDocument)).name).toBe("orders");
  });

  it("loses its client secret when the deployer becomes the writer", () => {
    const { props } = readComponentDocument(currentDocument, { writer: "deployer" });
    expect(props).not.toHaveProperty("cloudClientSecret");
    expect(props).toHaveProperty("writer", "deployer");
  });

  it("names an existing subscription by its field, or else by the component", () => {
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
    expect(messages(named)[0]).toMatch(
      /"orders-hook" has a hyphen, which the specification of the binding allows only/,
    );
  });
});

describe("2.1 the header of a component document", () => {
  it.each([
    ["apiVersion", "dapr.io/v1alpha1", "components.example.com/v1alpha1"],
    ["spec.type", "bindings.cloud.eventgrid", "bindings.azure.eventgrid"],
  ])("may have another %s: %s becomes %s", (_, from, to) => {
    expect(readComponentDocument(currentDocument.replace(from, to)).name).toBe("orders");
  });

  it.each([
    ["apiVersion: dapr.io/v1alpha1", "apiVersion: dapr.io/v1", "1 apiVersion: api-version"],
    ["apiVersion: dapr.io/v1alpha1", "apiVersion: v1alpha1", "1 apiVersion: api-version"],
    ["kind: Component", "kind: Configuration", "2 kind: kind"],
    ["kind: Component\n", "", "kind: required"],
    ["name: orders", "name: my orders", "4 metadata.name: component-name"],
    ["  name: orders\n", "", "metadata.name: required"],
    ["bindings.cloud.eventgrid", "bindings.kafka", "6 spec.type: component-type"],
    ["version: v1\n", "version: v2\n", "7 spec.version: version"],
    ["version: v1\n", "version: 1\n", "7 spec.version: version"],
    ["version: v1\n", "version: [v1]\n", "7 spec.version: version"],
  ])("cannot have %j replaced by %j", (from, to, problem) => {
    expect(problems(currentDocument.replace(from, to))).toEqual([problem]);
  });
});

describe("2.1 spec.metadata", () => {
  it("is a list", () => {
    const [head = ""] = currentDocument.split("  metadata:\n  -");
    expect(problems(`${head}  metadata: { scope: x }`)).toEqual(["8 spec.metadata: shape"]);
    expect(problems(head)).toEqual(["spec.metadata: shape"]);
  });

  it.each([
    ["- orders", "an entry of spec.metadata must have a name and a value"],
    ["- value: x", "an entry of spec.metadata must have a name and a value"],
    [
      "- name: eventSubscriptionName",
      "eventSubscriptionName must have either a value or a secretKeyRef",
    ],
    [
      "- { name: eventSubscriptionName, value: [a] }",
      "eventSubscriptionName must have a single value, as a string",
    ],
    ['- { name: Scope, value: "/x" }', "Scope is set twice, first on line 23"],
  ])("cannot have the entry %s", (line, message) => {
    const [problem, ...others] = errorOf(() => readComponentDocument(withLine(line))).problems;
    expect(problem).toMatchObject({ line: 32, message });
    expect(others).toEqual([]);
  });

  it("may have names in any case, as the original component does", () => {
    const text = currentDocument.replace("cloudTenantId", "CLOUDTENANTID");
    expect(readComponentDocument(text).props.cloudTenantId).toBe(inputProps.cloudTenantId);
  });

  it("may have a value without quotes, which causes a warning", () => {
    const { props, warnings } = readComponentDocument(currentDocument.replace('"9000"', "9000"));
    expect(props.handshakePort).toBe("9000");
    expect(warnings).toMatchObject([{ line: 21, field: "handshakePort", rule: "unquoted" }]);
  });

  it("may have an empty value, which counts as missing", () => {
    const text = withLine('- { name: eventSubscriptionName, value: "" }');
    expect(readComponentDocument(text).props).not.toHaveProperty("eventSubscriptionName");
    expect(messages(currentDocument.replace('value: "9000"', "value:"))).toEqual([
      "handshakePort is required to receive events",
    ]);
  });

  it("may use YAML aliases", () => {
    const text = currentDocument
      .replace('value: "9000"', 'value: &port "9000"')
      .concat("  - name: eventSubscriptionName\n    value: *port\n");
    expect(readComponentDocument(text).props.eventSubscriptionName).toBe("9000");
  });

  it("may have unknown fields, which cause a warning", () => {
    const text = withLine('- { name: azureCertificateFile, value: "/certs/x.pem" }');
    expect(readComponentDocument(text).warnings).toMatchObject([
      {
        line: 32,
        rule: "unknown-field",
        message: '"azureCertificateFile" is not a field of this component and is ignored',
      },
    ]);
  });

  it.each([
    ["envRef: SHOP_NAME", "has envRef, which only a sidecar can resolve"],
    ["secretRef: name", "has secretRef, which only a sidecar can resolve"],
    ["value: shop, envRef: 5", "has envRef, which only a sidecar can resolve"],
    ['value: "a-{appID}"', "has {appID}, which only a sidecar fills in"],
  ])("may not have what only a sidecar knows: %s", (value, message) => {
    fc.assert(
      fc.property(fc.constantFrom(...documentFields), ({ name }) => {
        const text = withLine(`- { name: ${name}, ${value} }`);
        const { problems } = errorOf(() => readComponentDocument(text, { direction: "input" }));
        expect(problems).toContainEqual(
          expect.objectContaining({ message: expect.stringContaining(message) }),
        );
      }),
    );
  });

  it.each(["azureEnvironment", "azureCloud", "AZURECLOUD"])(
    "may name the cloud as a sidecar does, in %s",
    (name) => {
      const cloud = (value: string) =>
        readComponentDocument(withLine(`- { name: ${name}, value: ${value} }`)).props
          .cloudEnvironment;
      for (const end of ["", "Cloud", "cloud"]) {
        expect(cloud(`AzurePublic${end}`)).toBe("public");
        expect(cloud(`azureusgovernment${end}`)).toBe("usgovernment");
        expect(cloud(`AzureChina${end}`)).toBe("china");
      }
      expect(() => cloud("AzureGermanCloud")).toThrow('but is "AzureGermanCloud"');
    },
  );

  it("has the warning about a misspelt field reported with the field that is missing", () => {
    const text = currentDocument.replace("handshakePort", "handShakePorts");
    const error = errorOf(() => readComponentDocument(text));
    expect(error.problems).toMatchObject([{ line: 9, field: "handshakePort", rule: "required" }]);
    expect(error).toHaveProperty("warnings", [expect.objectContaining({ line: 21 })]);
    expect(error.message).toBe(
      `The component document is invalid:
- line 9: handshakePort is required to receive events
- line 21: warning: "handShakePorts" is not a field of this component and is ignored: did you mean handshakePort?`,
    );
  });
});

describe("the direction of a document", () => {
  it.each(["input,output", "output, input", "INPUT , OUTPUT"])("may be written %j", (direction) => {
    const text = currentDocument.replace('"input, output"', JSON.stringify(direction));
    expect(readComponentDocument(text).props.direction).toBe("input, output");
  });

  it("excludes the fields of the other direction, with a warning for each", () => {
    const text = currentDocument.replace('"input, output"', '"output"');
    const { props, warnings } = readComponentDocument(text);
    expect(props).toEqual({ ...outputProps, direction: "output" });
    expect(warnings).toHaveLength(7);
    expect(warnings[0]).toMatchObject({ line: 11, field: "cloudTenantId", rule: "direction" });
  });

  it("may be narrowed by the reader", () => {
    const { props, warnings } = readComponentDocument(currentDocument, { direction: "output" });
    expect(props).toEqual({ ...outputProps, direction: "output" });
    expect(warnings).toEqual([]);
  });

  it("cannot be one that the document excludes or lacks", () => {
    const portless = withoutLine('  - name: handshakePort\n    value: "9000"');
    const output = portless.replace('"input, output"', '"output"');
    const read = (text: string) => () => readComponentDocument(text, { direction: "input" });
    expect(problemsOf(read(output))).toEqual(["9 direction: direction"]);
    expect(problemsOf(read(portless))).toEqual(["9 handshakePort: required"]);
  });
});

describe("the problems of a document", () => {
  it("have the line of the field and use the document's own field names", () => {
    const text = currentDocument
      .replaceAll("name: cloud", "name: azure")
      .replace(inputProps.cloudTenantId, "contoso")
      .replace(inputProps.cloudSubscriptionId, "99999999-9999-4999-8999-999999999999")
      .replace(/ {2}- name: azureClientSecret\n.*\n/, "")
      .replace(/ {2}- name: accessKey\n.*\n/, "");
    expect(problems(text)).toEqual([
      "9 cloudClientSecret: required",
      "9 accessKey: required",
      "11 cloudTenantId: uuid",
      "21 scope: scope-subscription",
    ]);
    const shown = messages(text);
    expect(shown[0]).toBe("azureClientSecret is required to receive events");
    expect(shown[1]).toBe("accessKey is required to publish events");
    expect(shown[2]).toMatch(/^azureTenantId must be a UUID/);
    expect(shown[3]).toMatch(/^scope must lie in the subscription of azureSubscriptionId/);
  });

  it("use the vendor's names for missing fields of the vendor's component", () => {
    const text = currentDocument
      .replace("bindings.cloud.eventgrid", "bindings.azure.eventgrid")
      .replace(/( {2}- name: )cloud.*\n.*\n/g, "");
    expect(messages(text)[0]).toBe("azureTenantId is required to receive events");
  });

  it("never mention switches that documents do not have", () => {
    const text = currentDocument
      .replace(/ {2}- name: direction\n.*\n/, "")
      .replace(/ {2}- name: cloudClientSecret\n.*\n/, "")
      .replace(/ {2}- name: accessKey\n.*\n/, "");
    expect(messages(text)).toHaveLength(2);
    expect(messages(text).join()).not.toMatch(/writer|publishWith/);
  });

  it("are listed in the order of their lines, with the file's name if it is known", () => {
    const text = currentDocument
      .replace("kind: Component", "kind: Secret")
      .replace("version: v1", "version: v3");
    const read = (fileName?: string) => () =>
      readComponentDocument(text, { ...(fileName && { fileName }) });
    expect(errorOf(read()).message).toBe(
      `The component document is invalid:
- line 2: kind must be "Component", but is "Secret"
- line 7: spec.version must be "v1", but is "v3"`,
    );
    expect(errorOf(read("orders.yaml")).message).toContain("- orders.yaml:7: spec.version");
  });
});

describe("a text with several documents", () => {
  const queue = "kind: Component\nmetadata: { name: queue }\nspec: { type: bindings.kafka }\n";
  const parcels = currentDocument.replace("name: orders", "name: parcels");
  const several = [queue, currentDocument, "# nothing\n"].join("---\n");
  const both = [queue, currentDocument, parcels].join("---\n");

  it("is read for its only Event Grid binding, with the lines of the whole text", () => {
    expect(readComponentDocument(several).name).toBe("orders");
    expect(problems(several.replace('"9000"', '"0"'))).toEqual(["25 handshakePort: port"]);
  });

  it("cannot have several Event Grid bindings", () => {
    expect(messages(both)).toEqual([
      'it contains 2 Event Grid bindings ("orders", "parcels"): pass the text of one',
    ]);
  });
});

describe("a text that is not a component document", () => {
  it.each([
    ["", "document: shape"],
    ["# nothing\n", "document: shape"],
    ["- a\n- b\n", "1 document: shape"],
    ["a: 1\n---\nb: 2\n", "document: component"],
    ["kind: Component\nkind: Component\n", "2 document: duplicate-field"],
    ['? "a\n  b"\n? "a\n  b"\n', "3 document: duplicate-field"],
    ['"a\n  b": 1\n', "1 document: syntax"],
    ["a: [1\nb: 2\n", "2 document: syntax"],
    ['a: "1\nb: 2\nc: [\n', "4 document: syntax"],
    ["- ".repeat(20_000), "1 document: syntax"],
  ])("is reported once: %.40j", (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it("is read however many keys a mapping has, of which a quadratic reader sees no end", () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `  key${index}: x`).join("\n");
    expect(problems(`kind: Component\nspec:\n${keys}\n`)).toContain("apiVersion: required");
  });

  it("is reported with the lines of the file that it is a part of", () => {
    const part = { firstLine: 11 };
    expect(problemsOf(() => readComponentDocument("a: [1\nb: 2\n", part))).toEqual([
      "12 document: syntax",
    ]);
  });

  it("is reported, wherever a document is damaged", () => {
    const damage = fc.record({
      at: fc.nat(currentDocument.length),
      gone: fc.nat(40),
      put: fc.oneof(
        fc.string({ maxLength: 10 }),
        fc.constantFrom("&a", "*a", "- ", "{", "[", "!!x ", "? ", "---\n", "\t", '"'),
      ),
    });
    fc.assert(
      fc.property(damage, ({ at, gone, put }) => {
        const text = currentDocument.slice(0, at) + put + currentDocument.slice(at + gone);
        try {
          readComponentDocument(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
        }
      }),
    );
  });
});

describe("a document in a form of its own", () => {
  const apps = `componentType: bindings.azure.eventgrid
version: v1
metadata:
  - name: accessKey
    secretRef: key
`;
  const inTemplate = JSON.stringify({
    type: "Microsoft.App/managedEnvironments/daprComponents",
    apiVersion: "2024-03-01",
    properties: { componentType: "bindings.azure.eventgrid", metadata: [] },
  });
  it.each([apps, inTemplate, `${apps}---\nkind: ConfigMap\n`])(
    "is refused by the name of Container Apps: %s",
    (text) => {
      expect(problemsOf(() => readComponentDocument(text))).toEqual(["1 componentType: shape"]);
      expect(errorOf(() => readComponentDocument(text)).message).toContain(
        "the document has the form of Azure Container Apps",
      );
    },
  );

  it("is one of a component as soon as it has a spec", () => {
    expect(readComponentDocument(`${currentDocument}componentType: x\n`).name).toBe("orders");
  });

  it("says which character a name may not have", () => {
    const text = currentDocument.replace("name: orders", "name: größe");
    expect(errorOf(() => readComponentDocument(text)).message).toContain(
      'but "größe" has the character "ö"',
    );
  });
});
