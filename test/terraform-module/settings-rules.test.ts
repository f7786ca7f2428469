import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { filterOperators } from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { settingsChecks } from "../../lib/subscription/settings-checks.js";
import { problemsOf } from "../../lib/validation/index.js";
import { requireTerraform } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { declarationOf } from "./declarations.js";

interface Setting {
  readonly prop: keyof typeof settingsChecks;
  /** Values of the variable, among them what people get wrong. */
  readonly values: fc.Arbitrary<unknown>;
}

const missing = fc.constantFrom(null, "", "data.a");

const headers = fc.array(
  fc
    .tuple(
      fc.constantFrom("X-A", "x-a", "X-A", "x-a", "aeg-a"),
      fc.constantFrom(["v"], [""], [null, "data.a"], [null, "a b"], ["v", "data.a"], []),
      fc.boolean(),
    )
    .map(([header_name, [value = null, source_field = null], secret]) => ({
      header_name,
      value,
      secret,
      source_field,
    })),
  { maxLength: 2 },
);

/** Operands by kind, as the module takes them: numbers in lists of strings, too. */
const texts = fc.array(fc.constantFrom("1", "2.5", "x", ""), { maxLength: 3 });
const operands = {
  none: fc.constant({}),
  boolean: fc.record({ value: fc.constantFrom("true", "false", "yes") }),
  number: fc.record({ value: fc.constantFrom("1", "-2.5", "x") }),
  numbers: fc.record({ values: texts }),
  strings: fc.record({ values: texts }),
  ranges: fc.record({
    ranges: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }), {
      maxLength: 2,
    }),
  }),
};

const filters = fc
  .constantFrom(...Object.entries(filterOperators))
  .chain(([operator, kind]) =>
    operands[kind].map((operand) => ({ [snake(operator)]: [{ key: "data.a", ...operand }] })),
  );

const settings: Readonly<Record<string, Setting>> = {
  subject_filter: {
    prop: "subjectFilter",
    values: fc.record({ subject_begins_with: missing, subject_ends_with: missing }),
  },
  advanced_filters: { prop: "advancedFilters", values: filters },
  delivery_properties: { prop: "deliveryProperties", values: headers },
  labels: { prop: "labels", values: fc.array(fc.constantFrom("", "a"), { maxLength: 2 }) },
};

/** The same value as a prop of the constructs. */
function asProp(variable: string, value: unknown): unknown {
  if (variable !== "advanced_filters") return camelCased(value);
  return Object.entries(value as Record<string, readonly object[]>).flatMap(([operator, list]) =>
    list.map((filter) => {
      const { key, value, values, ranges } = filter as Record<string, unknown>;
      const typed = operator.startsWith("string") ? (text: unknown) => text : literal;
      const compared = ranges ?? (Array.isArray(values) ? values.map(typed) : undefined);
      return { operator: camel(operator), key, value: typed(value), values: compared };
    }),
  );
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      camel(name)
        .replace(/^subject(?=[BE])/, "")
        .replace(/^[BE]/, (first) => first.toLowerCase()),
      camelCased(each),
    ]),
  );
}

function literal(text: unknown): unknown {
  return /^(true|false|-?[\d.]+)$/.test(String(text)) ? JSON.parse(String(text)) : text;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

describeWith("terraform", "the settings of an event subscription in HCL", () => {
  it("are refused if the constructs refuse them, and accepted otherwise", () => {
    const directory = temporaryFolder();
    const samples = Object.entries(settings).map(
      ([name, { values }]) => [name, fc.sample(values, 300)] as const,
    );
    writeFileSync(
      join(directory, "x.auto.tfvars.json"),
      JSON.stringify(Object.fromEntries(samples)),
    );
    const declared = samples.map(([name]) => {
      const folder = join(root, "terraform/modules/event-subscription");
      const { type, conditions } = declarationOf(folder, name);
      const all = conditions.join(" && ").replaceAll(`var.${name}`, "each");
      return {
        variable: `variable "${name}" {\n  type = list(${type})\n}\n`,
        answer: `[for each in var.${name} : ${all}]`,
      };
    });
    writeFileSync(join(directory, "x.tf"), declared.map(({ variable }) => variable).join(""));
    const output = execFileSync(requireTerraform(), ["console"], {
      cwd: directory,
      input: `jsonencode([${declared.map(({ answer }) => answer).join(", ")}])\n`,
      encoding: "utf8",
      stdio: "pipe",
    });
    const accepted: boolean[][] = JSON.parse(JSON.parse(output));
    const differences = samples.flatMap(([name, values], at) =>
      values.flatMap((value, index) => {
        const prop = settings[name]?.prop ?? "labels";
        const problems = problemsOf(settingsChecks[prop], name, asProp(name, value));
        const isAccepted = accepted[at]?.[index];
        return isAccepted === (problems.length === 0) ? [] : [{ name, value, isAccepted }];
      }),
    );
    expect(differences).toEqual([]);
  });
});
