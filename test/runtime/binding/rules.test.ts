import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import {
  type BindingField,
  bindingFields,
  definitionFields,
  problemsOf,
  type Rule,
} from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Field,
  namespaceTopicFields,
  pullFields,
} from "../../../runtime/src/binding/index.js";
import { requireTerraform } from "../../stand-ins/src/index.js";
import { describeWith } from "../../support/describe-with.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { samples } from "./rule-samples.js";

const cases = Object.entries(samples).map(([field, { valid, invalid }]) => ({
  field,
  rule: bindingFields[field as BindingField].rule as Rule,
  values: [...valid, ...invalid],
  verdicts: [...valid.map(() => true), ...invalid.map(() => false)],
}));

const judgements = (values: readonly string[], verdicts: readonly boolean[]) =>
  values.map((value, i) => `${JSON.stringify(value)} ${verdicts[i] ? "valid" : "invalid"}`);

describe("the rules of the binding's fields", () => {
  it.each(cases)("judge every sample of $field", ({ rule, values, verdicts }) => {
    const judged = values.map((value) => rule.test(value));
    expect(judgements(values, judged)).toEqual(judgements(values, verdicts));
  });

  it("accept only URLs that the URL standard accepts", () => {
    for (const { pattern } of [
      bindingFields.subscriberEndpoint.rule,
      bindingFields.topicEndpoint.rule,
    ]) {
      const urls = fc
        .stringMatching(new RegExp(pattern ?? ""))
        // Punycode is beyond a pattern; validation also parses the URL.
        .filter((url) => !/xn--/i.test(url));
      fc.assert(fc.property(urls, (url) => URL.canParse(url)));
    }
  });

  it("use no backslash in patterns, which Terraform's strings would interpret", () => {
    for (const { rule } of cases) expect(rule.pattern ?? "").not.toContain("\\");
  });
});

describeWith("terraform", "the rules of the binding's fields in Terraform", () => {
  it("judge every sample as in TypeScript, because the module repeats the patterns", () => {
    const texts = cases.flatMap(({ rule: { pattern }, ...one }) =>
      pattern === undefined ? [] : [{ pattern, ...one }],
    );
    const lists = texts.map(({ pattern, values }) => conditions(pattern, values));
    const judged = evaluate(`[${lists.join(", ")}]`) as boolean[][];
    expect(texts.map(({ values }, i) => judgements(values, judged[i] ?? []))).toEqual(
      texts.map(({ values, verdicts }) => judgements(values, verdicts)),
    );
  });
});

describe("the problem of an invalid value", () => {
  const scope =
    "scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or " +
    "/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, but";
  const url =
    "subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but";
  const topic =
    "topicEndpoint must be an https URL without a query (http only for this machine, such as http://127.0.0.1:8080), but";
  const secret =
    "accessKey must be printable ASCII characters without white space (its value is not shown)";

  it.each<[BindingField, unknown, rule: string, message: string]>([
    [
      "cloudTenantId",
      "contoso",
      "uuid",
      'cloudTenantId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso"',
    ],
    ["accessKey", "two words", "secret", secret],
    ["accessKey", 17, "secret", secret],
    ["subscriberEndpoint", "http://shop/x?code=hush", "https-url", `${url} is "http://shop/x?…"`],
    [
      "subscriberEndpoint",
      "https://u:p@shop",
      "https-url",
      `${url} "https://…" contains credentials`,
    ],
    [
      "subscriberEndpoint",
      "https://shop/#x",
      "https-url",
      `${url} "https://shop/#…" has a fragment`,
    ],
    ["topicEndpoint", "http://shop", "loopback-or-https-url", `${topic} is "http://shop"`],
    [
      "topicEndpoint",
      "https://shop?a",
      "loopback-or-https-url",
      `${topic} "https://shop?…" has a query`,
    ],
    [
      "topicEndpoint",
      "https://shop.westeurope-1.eventgrid.azure.net/topics/orders:publish",
      "loopback-or-https-url",
      `${topic} "https://shop.westeurope-1.eventgrid.azure.net/topics/orders:publish" has the path ` +
        "/topics/orders:publish: that of a topic is /api/events. For a topic of a namespace, pass " +
        "the namespace's own URL as namespaceEndpoint, and topicName",
    ],
    [
      "scope",
      "https://shop.westeurope-1.eventgrid.azure.net/api/events",
      "scope",
      `${scope} "https://shop.westeurope-1.eventgrid.azure.net/api/events" is a URL, not a resource ID: ` +
        "pass the id of the resource's construct, or the resource ID that the portal shows among the " +
        "properties of the resource",
    ],
    [
      "handshakePort",
      9000,
      "port",
      'handshakePort must be a string holding a port number from "1" to "65535", but is the number 9000: put it in quotes',
    ],
    ["scope", "/x/", "scope", `${scope} is "/x/"`],
    ["scope", { id: "/x" }, "scope", `${scope} is an object: use the resource's id`],
    [
      "eventSubscriptionName",
      "ordérs",
      "alphanumeric-name",
      'eventSubscriptionName must be 3 to 64 letters and digits, but is "ordérs"',
    ],
    [
      "eventSubscriptionName",
      "orders-hook",
      "alphanumeric-name",
      'eventSubscriptionName must be 3 to 64 letters and digits, but "orders-hook" has a hyphen, which the specification of the binding allows only in an existing subscription (existingSubscription)',
    ],
    [
      "direction",
      "both",
      "choice",
      'direction must be one of "input", "output", "input, output", but is "both"',
    ],
    [
      "path",
      "api/events",
      "path",
      'path must be the path of a URL, such as /api/events, without a query and *, but is "api/events"',
    ],
    [
      "name",
      "a b",
      "name",
      'name must be 1 to 256 printable ASCII characters without white space, but is "a b"',
    ],
  ])("names the rule and what to do: %s %j", (field, value, rule, message) => {
    expect(problemsOf(bindingFields[field].rule, field, value)).toMatchObject([
      { field, rule, message },
    ]);
  });
});

describe("docs/binding.md", () => {
  it("states every field as the table of fields does", async () => {
    const page = await readFile(new URL("../../../docs/binding.md", import.meta.url), "utf8");
    const [, section = ""] = page.split("## The fields");
    const rows = (section.split("\n## ")[0] ?? "").match(/^\| `.*$/gm);
    const expected = definitionFields(bindingFields)
      .filter(({ name }) => name !== "direction")
      .map(({ name, direction, required, description, rule }) => {
        const optional = required === undefined ? ", optional" : "";
        const requirement = rule.requirement.replace(/^must be /, "");
        return `| \`${name}\` | ${direction}${optional} | ${description} | ${requirement} |`;
      });
    expect(rows?.sort()).toEqual(expected.sort());
  });

  const variablesOf = (fields: object, directions: readonly string[]) =>
    Object.values(fields as Record<string, Field>).flatMap(({ direction, service }) =>
      directions.includes(direction) ? (service?.variable ?? []) : [],
    );
  const all = ["input", "output", "both"];

  it.each([
    ["## Pass a binding", variablesOf(bindingFields, all)],
    [
      "### Namespaces",
      [...variablesOf(namespaceTopicFields, all), ...variablesOf(pullFields, all)],
    ],
  ])("lists the environment variables of a service: %s", async (heading, variables) => {
    const page = await readFile(new URL("../../../docs/binding.md", import.meta.url), "utf8");
    const [section = ""] = page.slice(page.indexOf(heading) + heading.length).split("\n#");
    const rows = section.match(/^\| `ORDERS_.*?\|/gm) ?? [];
    const named = rows.flatMap((row) => row.match(/(?<=ORDERS_)\w+/g) ?? []);
    expect(named.sort()).toEqual([...new Set(variables)].sort());
  });

  it("has the variables that the Terraform module gives to a service", async () => {
    const outputs = await readFile(
      new URL("../../../terraform/outputs.tf", import.meta.url),
      "utf8",
    );
    const given = [...outputs.matchAll(/^ {6}([A-Z_]+) +=/gm)].map(([, name = ""]) => name);
    expect(["DIRECTION", ...given].sort()).toEqual(
      variablesOf(bindingFields, ["input", "both"]).sort(),
    );
  });
});

describe("a path that the listener serves", () => {
  it.each(["/", "/api/events", "/hooks/%C3%A4/x/", "/a:b"])("may be %s", (path) => {
    expect(bindingFields.path.rule.test(path)).toBe(true);
  });

  it.each(["", "api", "/x?y", "/x#y", "/a b", "/*", "/%zz", "/%FF"])("cannot be %j", (path) => {
    expect(bindingFields.path.rule.test(path)).toBe(false);
  });
});

/** The condition of Terraform's module for each value of a list. */
function conditions(pattern: string, values: readonly string[]): string {
  const quoted = JSON.stringify(values).replaceAll("${", "$${");
  return `[for value in ${quoted} : can(regex("${pattern}", value))]`;
}

/** Evaluates an expression with the real Terraform, or with OpenTofu. */
function evaluate(expression: string): unknown {
  const output = execFileSync(requireTerraform(), ["console"], {
    cwd: temporaryFolder(),
    input: `jsonencode(${expression})`,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  return JSON.parse(JSON.parse(output));
}
