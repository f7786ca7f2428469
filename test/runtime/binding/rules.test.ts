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

/** What a field must be is compared with docs/binding.md. */
describe("the problem of an invalid value", () => {
  it.each<[BindingField, unknown, found: string]>([
    ["cloudTenantId", "contoso", ', but is "contoso"'],
    ["accessKey", "two words", " (its value is not shown)"],
    ["accessKey", 17, " (its value is not shown)"],
    ["subscriberEndpoint", "http://shop/x?code=hush", ', but is "http://shop/x?…"'],
    ["subscriberEndpoint", "https://u:p@shop", ', but "https://…" contains credentials'],
    ["subscriberEndpoint", "https://shop/#x", ', but "https://shop/#…" has a fragment'],
    ["topicEndpoint", "http://shop", ', but is "http://shop"'],
    ["topicEndpoint", "https://u:p@shop", ', but "https://…" contains credentials'],
    ["topicEndpoint", "https://shop?a", ', but "https://shop?…" has a query'],
    [
      "topicEndpoint",
      "https://shop.westeurope-1.eventgrid.azure.net/topics/orders:publish",
      ', but "https://shop.westeurope-1.eventgrid.azure.net/topics/orders:publish" has the path ' +
        "/topics/orders:publish: that of a topic is /api/events. For a topic of a namespace, pass " +
        "the namespace's own URL as namespaceEndpoint, and topicName",
    ],
    [
      "scope",
      "https://shop.westeurope-1.eventgrid.azure.net/api/events",
      ', but "https://shop.westeurope-1.eventgrid.azure.net/api/events" is a URL, not a resource ' +
        "ID: pass the id of the resource's construct, or the resource ID that the portal shows " +
        "among the properties of the resource",
    ],
    ["scope", "/x/", ', but is "/x/"'],
    ["scope", { id: "/x" }, ", but is an object: use the resource's id"],
    ["handshakePort", 9000, ", but is the number 9000: put it in quotes"],
    ["eventSubscriptionName", "ordérs", ', but is "ordérs"'],
    [
      "eventSubscriptionName",
      "orders-hook",
      ', but "orders-hook" has a hyphen, which the specification of the binding allows only in an ' +
        "existing subscription (existingSubscription)",
    ],
    ["direction", "both", ', but is "both"'],
    ["path", "api/events", ', but is "api/events"'],
    ["name", "a b", ', but is "a b"'],
  ])("says what was found and what to do: %s %j", (field, value, found) => {
    const { rule } = bindingFields[field];
    expect(problemsOf(rule, field, value)).toMatchObject([
      { field, rule: rule.name, message: `${field} ${rule.requirement}${found}` },
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

  it.each(["", "api", "/x?y", "/x#y", "/a b", "/*", "/%2A", "/%zz", "/%FF"])(
    "cannot be %j",
    (path) => {
      expect(bindingFields.path.rule.test(path)).toBe(false);
    },
  );
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
