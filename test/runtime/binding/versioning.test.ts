import { bindingFromEnvironment, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import {
  readComponentDocument,
  writeComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, it } from "vitest";
import { currentDocument, withLine } from "./example-documents.js";
import { inputProps, outputProps } from "./example-props.js";
import { messagesFor, messagesOf } from "./problem-messages.js";

const earlierDocument = currentDocument
  .replace('  - name: direction\n    value: "input, output"\n', "")
  .replace("cloudTenantId", "tenantId")
  .replace("cloudSubscriptionId", "subscriptionId")
  .replace("cloudClientId", "clientId")
  .replace("cloudClientSecret", "clientSecret");

const vendorDocument = currentDocument.replace(/name: cloud/g, "name: azure");

describe.each([
  ["9.2 tenantId is now cloudTenantId", "cloudTenantId", "tenantId"],
  ["9.2 subscriptionId is now cloudSubscriptionId", "cloudSubscriptionId", "subscriptionId"],
  ["9.2 clientId is now cloudClientId", "cloudClientId", "clientId"],
  ["9.2 clientSecret is now cloudClientSecret", "cloudClientSecret", "clientSecret"],
] as const)("%s", (_, field, earlier) => {
  it("in documents of the earlier release", () => {
    const current = readComponentDocument(currentDocument).props;
    expect(readComponentDocument(earlierDocument).props[field]).toBe(current[field]);
  });

  it("and a document that mixes the two gets a warning", () => {
    const mixed = currentDocument.replace(field, earlier);
    const { props, warnings } = readComponentDocument(mixed);
    expect(props).toEqual(readComponentDocument(currentDocument).props);
    expect(warnings.map(({ rule }) => rule)).toEqual(["mixed-releases"]);
    expect(warnings[0]?.message).toMatch(/^names of different releases are mixed, such as /);
    expect(warnings[0]?.message).toContain(`${earlier} (line `);
  });

  it("both names in one document: a warning with one value, an error with two", () => {
    const { [field]: value } = readComponentDocument(currentDocument).props;
    const twice = withLine(`- { name: ${earlier}, value: "${value}" }`);
    expect(
      readComponentDocument(twice).warnings.map(({ line, message }) => [line, message]),
    ).toContainEqual([
      32,
      `${earlier} is another name of ${field} (line ${lineOf(field)}): keep one`,
    ]);
    const other = withLine(`- { name: ${earlier}, value: "2f6b54a0-7a53-4ac5-a9dc-0c06ad9a2d16" }`);
    expect(messagesOf(() => readComponentDocument(other))).toEqual([
      `32: ${earlier} is another name of ${field} (line ${lineOf(field)}), and the two have different values: keep one`,
    ]);
  });
});

describe("9.2 direction has no earlier equivalent", () => {
  it("an earlier document has none: its fields tell", () => {
    const { props, warnings } = readComponentDocument(earlierDocument);
    expect(warnings).toEqual([]);
    expect(props).not.toHaveProperty("direction");
    expect(props).toMatchObject({ ...inputProps, ...outputProps });
    expect(writeComponentDocument(props, { name: "orders", vocabulary: "earlier" })).not.toContain(
      "direction",
    );
  });

  it("an earlier document that has one mixes the releases", () => {
    const mixed = `${earlierDocument}  - { name: direction, value: "input, output" }\n`;
    expect(readComponentDocument(mixed).warnings).toEqual([
      {
        line: 30,
        rule: "mixed-releases",
        message:
          "names of different releases are mixed, such as tenantId (line 9), direction (line 30): keep to one release",
      },
    ]);
  });
});

describe("9.3 names that are the same in both releases", () => {
  it.each(["accessKey", "topicEndpoint", "subscriberEndpoint", "handshakePort", "scope"] as const)(
    "%s",
    (field) => {
      const current = readComponentDocument(currentDocument).props;
      const earlier = readComponentDocument(earlierDocument).props;
      expect(current[field]).toBeDefined();
      expect(earlier[field]).toBe(current[field]);
    },
  );

  it("eventSubscriptionName", () => {
    const entry = "  - { name: eventSubscriptionName, value: orders2 }\n";
    expect(readComponentDocument(currentDocument + entry).props.eventSubscriptionName).toBe(
      "orders2",
    );
    expect(readComponentDocument(earlierDocument + entry).props.eventSubscriptionName).toBe(
      "orders2",
    );
  });
});

describe("the vendor's own names", () => {
  it("are read", () => {
    const { props, warnings } = readComponentDocument(vendorDocument);
    expect(props).toEqual(readComponentDocument(currentDocument).props);
    expect(warnings).toEqual([]);
  });

  it("of service principals are read", () => {
    const text = currentDocument
      .replace("cloudTenantId", "spnTenantId")
      .replace("cloudClientId", "spnClientId")
      .replace("cloudClientSecret", "spnClientSecret")
      .replace("cloudSubscriptionId", "azureSubscriptionId");
    expect(readComponentDocument(text).props).toEqual(readComponentDocument(currentDocument).props);
  });

  it.each([
    ["AZUREUSGOVERNMENTCLOUD", "usgovernment"],
    ["AzureChinaCloud", "china"],
    ["AzurePublicCloud", "public"],
  ])("of clouds are read: %s", (vendors, cloudEnvironment) => {
    const text = withLine(`- { name: azureEnvironment, value: ${vendors} }`);
    expect(readComponentDocument(text).props).toMatchObject({ cloudEnvironment });
  });
});

describe("9.2 earlier names in props", () => {
  it("are pointed out where the current name is missing", () => {
    const { cloudTenantId, ...others } = inputProps;
    expect(messagesFor({ ...others, direction: "input", tenantId: cloudTenantId })).toEqual([
      'cloudTenantId is required for the input direction (direction is "input"): tenantId is its earlier name',
    ]);
  });
});

describe("9.4 and 9.5 the webhook's path and port in both releases", () => {
  it("the path is free, and the earlier release's is the default", () => {
    const earlier = earlierDocument.replace("orders.example.com/api/events", "orders.example.com");
    expect(readComponentDocument(earlier).props.subscriberEndpoint).toBe(
      "https://orders.example.com",
    );
    expect(
      validateBinding({ ...inputProps, subscriberEndpoint: "https://a.example.com/b/c" }),
    ).toEqual([]);
  });

  it("one port serves handshakes and events", () => {
    const env = {
      ORDERS_TENANT_ID: inputProps.cloudTenantId,
      ORDERS_CLIENT_ID: inputProps.cloudClientId,
      ORDERS_HANDSHAKE_PORT: "9000",
      ORDERS_WEBHOOK_PATH: "/api/events",
    };
    const binding = bindingFromEnvironment("ORDERS", { direction: "input", env });
    expect(binding).toMatchObject({ handshakePort: "9000", path: "/api/events" });
  });
});

describe("9.1 the component's versions", () => {
  it("are v1 and v1alpha1 in what is written", () => {
    const text = writeComponentDocument(outputProps, {
      name: "orders",
      componentApiGroup: "components.example.com",
    });
    expect(text).toContain("apiVersion: components.example.com/v1alpha1\n");
    expect(text).toContain("  version: v1\n");
  });
});

function lineOf(field: string): number {
  return currentDocument.split("\n").indexOf(`  - name: ${field}`) + 1;
}
