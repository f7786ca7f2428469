import { type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { received, resourceGroup, storageAccount } from "./fixtures.js";

const definition = {
  ...received,
  direction: "input, output",
  eventSubscriptionName: "orders",
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "key",
  cloudAuthorityHost: "https://login.microsoftonline.com",
  writer: "client",
  cloudClientSecret: "secret",
} as const;

/** The conditions on a value that Terraform learns from a variable, and what they say. */
function conditionsOn(
  field: string,
  give: (later: string) => unknown = String,
): readonly [condition: string, message: string][] {
  const stack = synthesized((scope: TerraformStack) => {
    const value = new TerraformVariable(scope, "later", { type: "string" }).stringValue;
    new CloudEventGridBinding(scope, "orders", { ...definition, [field]: give(value) });
  });
  const { lifecycle } = stack.one("terraform_data", "orders/preconditions");
  const { precondition } = lifecycle as {
    precondition: { condition: string; error_message: string }[];
  };
  return precondition.map(({ condition, error_message }) => [condition, error_message]);
}

/** The regular expression of a condition, which JavaScript reads as Terraform does. */
function patternOf(field: string): RegExp {
  const [[condition = ""] = []] = conditionsOn(field);
  const quoted = /^\$\{can\(regex\("(.*)", var\.later\)\)\}$/.exec(condition)?.[1] ?? "(none)";
  return new RegExp(quoted);
}

const uuids = ["11111111-2222-3333-4444-555555555555", "ABCDEF01-2222-3333-4444-55555555abcd"];
const noUuids = ["", "contoso", "11111111222233334444555555555555", `${uuids[0]} `, "{x}"];
const urls = ["https://a", "https://a.b/c", "https://a:444/c?d=e", "https://a.b?c"];
const noUrls = ["", "http://a.b", "https://", "https:///a", "https://u:p@a.b/", "https://a.b/#c"];

const values: Readonly<Record<string, { right: readonly string[]; wrong: readonly string[] }>> = {
  cloudTenantId: { right: uuids, wrong: noUuids },
  cloudSubscriptionId: { right: [received.cloudSubscriptionId], wrong: noUuids },
  cloudClientId: { right: uuids, wrong: noUuids },
  subscriberEndpoint: { right: urls, wrong: [...noUrls, "https://a b/c", "ftp://a"] },
  handshakePort: {
    right: ["1", "80", "9000", "10000", "59999", "60000", "64999", "65499", "65529", "65535"],
    wrong: ["", "0", "080", "65536", "65540", "65600", "66000", "70000", "100000", "-1", "8.5"],
  },
  scope: {
    right: [
      `/subscriptions/${received.cloudSubscriptionId}/`,
      resourceGroup,
      storageAccount,
      `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`,
    ],
    wrong: ["", "shop", "/resourceGroups/shop", `${storageAccount}/blobServices/default`],
  },
  eventSubscriptionName: {
    right: ["abc", "A1b2", "x".repeat(64)],
    wrong: ["", "ab", "a-b", "x".repeat(65)],
  },
  topicEndpoint: {
    right: [
      "https://a",
      "https://a.b/c",
      "http://127.0.0.1:8080",
      "http://localhost/x",
      "http://[::1]:1/",
    ],
    wrong: noUrls,
  },
  cloudAuthorityHost: { right: ["https://a.b", "http://localhost:1"], wrong: noUrls },
};

describe("what is known only later is checked by Terraform, as literals are at synthesis", () => {
  it.each(Object.entries(values))("%s", (field, { right, wrong }) => {
    const pattern = patternOf(field);
    const literal = (value: string) =>
      validateBinding({ ...definition, [field]: value }).filter((one) => one.field === field);
    for (const value of right) {
      expect([value, pattern.test(value), literal(value)]).toEqual([value, true, []]);
    }
    for (const value of wrong) {
      expect([value, pattern.test(value), literal(value).length]).toEqual([value, false, 1]);
    }
  });

  it.each(Object.keys(values))("%s: with the same words", (field) => {
    const wrong = "?";
    const literal = validateBinding({ ...definition, [field]: wrong }).find(
      (one) => one.field === field,
    );
    const [[, message = ""] = []] = conditionsOn(field);
    const [requirement] = (literal?.message ?? "").split(", but ");
    expect(message.startsWith(`${requirement}, but is "$`)).toBe(true);
  });

  it.each([
    [
      "cloudClientSecret",
      "cloudClientSecret must be printable ASCII characters without white space (its value is not shown)",
    ],
    [
      "accessKey",
      "accessKey must be printable ASCII characters without white space (its value is not shown)",
    ],
  ])("%s is never named in a message", (field, message) => {
    expect(conditionsOn(field)).toEqual([['${can(regex("^[!-~]+$", var.later))}', message]]);
  });

  it("the query of a URL is not shown", () => {
    const [[, message] = []] = conditionsOn("subscriberEndpoint");
    expect(message).toBe(
      "subscriberEndpoint must be an https URL with a host, such as " +
        'https://orders.example.com/api/events, but is "${replace(var.later, "/[?#].*$/", "?…")}"',
    );
  });

  it("a scope must lie in the binding's subscription, whichever of the two comes later", () => {
    expect(conditionsOn("scope")[1]).toEqual([
      `\${(lower(element(split("/", trim(var.later, "/")), 1)) == lower("${received.cloudSubscriptionId}"))}`,
      `scope must lie in the subscription of cloudSubscriptionId (${received.cloudSubscriptionId}), ` +
        'but names the subscription ${element(split("/", trim(var.later, "/")), 1)}',
    ]);
    expect(conditionsOn("cloudSubscriptionId")).toHaveLength(2);
  });

  it("what may be given only once must differ from what stands before it and after it", () => {
    expect(conditionsOn("includedEventTypes", (later) => ["a.b", later, "c.d"])).toContainEqual([
      '${!contains(["a.b", "c.d"], var.later)}',
      'includedEventTypes[1] must be given only once, but is "${var.later}"',
    ]);
  });

  it("an existing event subscription may have hyphens", () => {
    const stack = synthesized((scope) => {
      const name = new TerraformVariable(scope, "name", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        eventSubscriptionName: name.stringValue,
        existingSubscription: "adopted",
      });
    });
    expect(stack.one("terraform_data", "orders/preconditions").lifecycle).toEqual({
      precondition: [
        {
          condition: '${can(regex("^[0-9a-zA-Z-]{3,64}$", var.name))}',
          error_message:
            'eventSubscriptionName must be 3 to 64 letters, digits and hyphens, but is "${var.name}"',
        },
      ],
    });
  });

  it("the construct's own options, numbers too, and further scopes", () => {
    const stack = synthesized((scope) => {
      const attempts = new TerraformVariable(scope, "attempts", { type: "number" });
      const uploads = new TerraformVariable(scope, "uploads", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        retryPolicy: { maxDeliveryAttempts: attempts.numberValue },
        additionalScopes: { uploads: uploads.stringValue },
      });
    });
    expect(stack.one("terraform_data", "orders/preconditions").lifecycle).toEqual({
      precondition: [
        {
          condition:
            "${try(((floor(var.attempts) == tonumber(var.attempts)) && " +
            "((var.attempts >= 1) && (var.attempts <= 30))), false)}",
          error_message:
            "retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is the " +
            "number ${var.attempts}",
        },
        {
          condition: expect.stringContaining("var.uploads"),
          error_message: expect.stringMatching(
            /^additionalScopes\.uploads\.scope must be \/subscriptions\/\{id\}, .*, but is "\$\{var\.uploads\}"$/,
          ),
        },
        {
          condition: expect.stringContaining("var.uploads"),
          error_message: expect.stringMatching(
            /^additionalScopes\.uploads\.scope must lie in the subscription of cloudSubscriptionId/,
          ),
        },
      ],
    });
  });

  it("values of sensitive variables are left out, of which Terraform would warn at every plan", () => {
    const stack = synthesized((scope) => {
      const secret = (name: string, type: string) =>
        new TerraformVariable(scope, name, { type, sensitive: true });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        scope: secret("group", "string").stringValue,
        handshakePort: new TerraformVariable(scope, "port", { type: "string" }).stringValue,
        labels: secret("labels", "list(string)").listValue,
      });
    });
    const { lifecycle } = stack.one("terraform_data", "orders/preconditions");
    const { precondition } = lifecycle as { precondition: { error_message: string }[] };
    expect(precondition.map(({ error_message }) => error_message)).toEqual([
      expect.stringMatching(/^handshakePort must be .*, but is "\$\{var.port\}"$/),
      expect.stringMatching(/^scope must be .* \(its value is not shown\)$/),
      "scope must lie in the subscription of cloudSubscriptionId, but names another",
      "each of labels must be a text that is not empty (its value is not shown)",
    ]);
  });
});
