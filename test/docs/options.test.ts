import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serverOptions, webhookOptions } from "../../runtime/src/listener/options.js";
import { inboxOptions, outboxOptions } from "../../runtime/src/postgres/options.js";
import { publisherOptions } from "../../runtime/src/publisher/settings.js";
import { receiverOptions } from "../../runtime/src/receiver/settings.js";
import { root } from "../support/project.js";
import { type DocumentedOption, documentedOptions, optionsPage, PAGE } from "./option-tables.js";

/** A row of a table, or a group of them. */
interface Row {
  readonly check?: unknown;
  readonly default?: unknown;
  readonly options?: Table;
}
type Table = Readonly<Record<string, Row>>;

/** In the order of the page. */
const tables: readonly Table[] = [
  webhookOptions,
  serverOptions,
  publisherOptions,
  receiverOptions,
  outboxOptions,
  inboxOptions,
];

const documented = documentedOptions();

it("docs/options.md has what the doc comments say (npm run generate)", async () => {
  await expect(optionsPage(documented)).toMatchFileSnapshot(join(root, PAGE));
});

it("the doc comment of every option tells what it means, and the default that it has", () => {
  const wrong = documented.flatMap((options, i) =>
    options.flatMap((option) => {
      const row = rowOf(tables[i] ?? {}, option.name);
      const isTold = option.meaning !== "" && (row === undefined || tellsDefault(option, row));
      return isTold ? [] : [`${option.name}: ${option.default} is not ${String(row?.default)}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it("an option of a group that a page names exists", () => {
  const names = new Set(documented.flat().map(({ name }) => name));
  const isGroup = (name: string) => [...names].some((known) => known.startsWith(`${name}.`));
  const pages = readdirSync(join(root, "docs")).filter((page) => page.endsWith(".md"));
  const unknown = pages.flatMap((page) =>
    [...readFileSync(join(root, "docs", page), "utf8").matchAll(/`((\w+)\.\w+)`/g)].flatMap(
      ([, name = "", group = ""]) =>
        isGroup(group) && !names.has(name) ? [`${page}: ${name}`] : [],
    ),
  );
  expect(unknown).toEqual([]);
});

function rowOf(table: Table, name: string): Row | undefined {
  const [first = "", ...rest] = name.split(".");
  const row = table[first];
  return rest.length === 0 ? row : row?.options && rowOf(row.options, rest.join("."));
}

const UNITS = { MiB: 2 ** 20, hours: 3_600_000, days: 24 * 3_600_000 };

function tellsDefault({ default: told = "" }: DocumentedOption, { default: value }: Row): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return told === (value.length === 0 ? "none" : `[${value.join(", ")}]`);
  if (typeof value !== "number") return told.startsWith(JSON.stringify(value));
  const numbers = [...told.matchAll(/(\d[\d_]*)(?: (MiB|hours|days))?/g)].map(
    ([, digits = "", unit]) =>
      Number(digits.replaceAll("_", "")) * (UNITS[unit as keyof typeof UNITS] ?? 1),
  );
  return numbers.includes(value);
}
