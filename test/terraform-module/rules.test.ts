import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  azureRules,
  bindingFields,
  existingSubscriptionNameRule,
  type Rule,
} from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { requireTerraform } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ID = "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2";
const GROUP = `${ID}/resourceGroups/shop`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
/** As some of Azure's own answers write it. */
const LOWER = ACCOUNT.replace("Groups", "groups").replace("Microsoft.S", "microsoft.s");
const TEXTS = [
  "a",
  "Z",
  "7",
  "-",
  "--",
  ".",
  " ",
  "\n",
  "é",
  "/",
  "data.",
  "DATA.",
  "x.y",
  "$",
  "_",
];

/** Texts around both lengths that a name may have. */
const names = fc
  .tuple(
    fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 6 }),
    fc.constantFrom(0, 1, 2, 58, 59, 60, 61, 62, 63, 64),
  )
  .map(([parts, more]) => `${"a".repeat(more)}${parts.join("")}`);

const ids = fc
  .array(
    fc.constantFrom(ID, GROUP, ACCOUNT, LOWER, "/", "/shop", "/providers/A.B/c/d", "x", " ", "#"),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(""));

interface Pair {
  /** Which of the modules. @default event-subscription */
  readonly module?: string;
  /** What the condition calls the value. */
  readonly value: string;
  readonly rule: Rule;
  readonly texts: fc.Arbitrary<string>;
  /** Whether the module may accept more: what a resource is called is Azure's business. */
  readonly isWider?: boolean;
}

const pairs: readonly Pair[] = [
  { value: "var.name", rule: existingSubscriptionNameRule, texts: names },
  { value: "type", rule: azureRules.eventType, texts: names },
  { module: "pull", value: "type", rule: azureRules.eventType, texts: names },
  { module: "pull", value: "var.location", rule: azureRules.location, texts: names },
  { module: "topic", value: "var.location", rule: azureRules.location, texts: names },
  { value: "filter.key", rule: azureRules.filterKey, texts: names },
  { value: "property.header_name", rule: azureRules.header, texts: names },
  {
    value: "var.dead_letter.storage_blob_container_name",
    rule: azureRules.container,
    texts: names,
  },
  { value: "var.dead_letter.storage_account_id", rule: azureRules.storageAccountId, texts: ids },
  { value: "var.scope", rule: bindingFields.scope.rule, texts: ids, isWider: true },
];

/** The module's condition about a text `each`: all patterns that its value must match. */
function conditionOf({ module = "event-subscription", value }: Pair): string {
  const variables = readFileSync(join(root, "terraform/modules", module, "variables.tf"), "utf8");
  const name = value.replaceAll(".", "[.]");
  const found = variables.matchAll(
    new RegExp(`(?<!!)can\\(regex\\(("(?:[^"\\\\]|\\\\.)*"), ${name}\\)\\)`, "g"),
  );
  const conditions = [...found].map(([, pattern]) => `can(regex(${pattern}, each))`);
  if (conditions.length === 0) throw new Error(`no pattern for ${value}`);
  return conditions.join(" && ");
}

describeWith("terraform", "the variables of the module", () => {
  it("accept what the constructs accept, and refuse what they refuse", () => {
    const samples = pairs.map(({ texts }) => [...new Set(fc.sample(texts, 500))]);
    const directory = temporaryFolder();
    writeFileSync(join(directory, "samples.json"), JSON.stringify(samples));
    const answers = pairs.map(
      (pair, at) => `[for each in jsondecode(file("samples.json"))[${at}] : ${conditionOf(pair)}]`,
    );
    const output = execFileSync(requireTerraform(), ["console"], {
      cwd: directory,
      input: `jsonencode([${answers.join(", ")}])\n`,
      encoding: "utf8",
      stdio: "pipe",
    });
    const accepted: boolean[][] = JSON.parse(JSON.parse(output));
    const differences = pairs.flatMap(({ value, rule, isWider }, at) =>
      (samples[at] ?? []).flatMap((text, index) => {
        const [module, constructs] = [accepted[at]?.[index], rule.test(text)];
        return module === constructs || (isWider && module) ? [] : [{ value, text, module }];
      }),
    );
    expect(differences).toEqual([]);
  });
});
