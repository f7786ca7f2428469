import {
  readComponentDocument,
  writeComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, it } from "vitest";
import { resolveBinding } from "../../../runtime/src/binding/parse.js";
import { inputProps, outputProps } from "../binding/example-props.js";
import { errorOf } from "../binding/problems.js";
import { currentDocument, withLine } from "./example-documents.js";

const earlierDocument = currentDocument
  .replace('  - name: direction\n    value: "input, output"\n', "")
  .replace("cloudTenantId", "tenantId")
  .replace("cloudSubscriptionId", "subscriptionId")
  .replace("cloudClientId", "clientId")
  .replace("cloudClientSecret", "clientSecret");

describe.each([
  ["9.2 tenantId is now cloudTenantId", "cloudTenantId", "tenantId"],
  ["9.2 subscriptionId is now cloudSubscriptionId", "cloudSubscriptionId", "subscriptionId"],
  ["9.2 clientId is now cloudClientId", "cloudClientId", "clientId"],
  ["9.2 clientSecret is now cloudClientSecret", "cloudClientSecret", "clientSecret"],
] as const)("%s", (_, field, earlier) => {
  it("may appear under both names with one value, but not with two", () => {
    const { [field]: value } = readComponentDocument(currentDocument).props;
    const twice = withLine(`- { name: ${earlier}, value: "${value}" }`);
    expect(
      readComponentDocument(twice).warnings.map(({ line, message }) => [line, message]),
    ).toContainEqual([
      32,
      `${earlier} is another name of ${field} (line ${lineOf(field)}): keep one`,
    ]);
    const other = withLine(`- { name: ${earlier}, value: "2f6b54a0-7a53-4ac5-a9dc-0c06ad9a2d16" }`);
    expect(errorOf(() => readComponentDocument(other)).problems).toEqual([
      {
        line: 32,
        field,
        rule: "duplicate-field",
        message: `${earlier} is another name of ${field} (line ${lineOf(field)}): keep one`,
      },
    ]);
  });
});

describe("9.2 direction, which the earlier release does not have,", () => {
  it("is neither read from nor written to a document of the earlier release", () => {
    const { props, warnings } = readComponentDocument(earlierDocument);
    expect(warnings).toEqual([]);
    expect(props).not.toHaveProperty("direction");
    expect(props).toMatchObject({ ...inputProps, ...outputProps });
    expect(writeComponentDocument(props, { name: "orders", vocabulary: "earlier" })).not.toContain(
      "direction",
    );
  });
});

describe("the vendor's names", () => {
  it("are read in their older form for service principals", () => {
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
  ])("are read for the cloud %s", (vendors, cloudEnvironment) => {
    const text = withLine(`- { name: azureEnvironment, value: ${vendors} }`);
    expect(readComponentDocument(text).props).toMatchObject({ cloudEnvironment });
  });
});

describe("9.4 the path of the webhook", () => {
  it("is the earlier release's by default", () => {
    const earlier = earlierDocument.replace("orders.example.com/api/events", "orders.example.com");
    const binding = resolveBinding(readComponentDocument(earlier).props);
    expect(binding).toHaveProperty("subscriberEndpoint", "https://orders.example.com/api/events");
  });
});

describe("9.1 the versions of the component", () => {
  it("are v1 and v1alpha1 in a document that is written", () => {
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
