import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { serverOptions, webhookOptions } from "../../runtime/src/listener/options.js";
import { inboxOptions, outboxOptions } from "../../runtime/src/postgres/options.js";
import { publisherOptions } from "../../runtime/src/publisher/settings.js";
import { receiverOptions } from "../../runtime/src/receiver/settings.js";

/** A row of a table, or a group of them. */
interface Row {
  readonly default?: unknown;
  readonly defaultText?: string;
  readonly text?: string;
  readonly options?: Table;
}
type Table = Readonly<Record<string, Row>>;

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const TRANSPORT = ["runtime/src/transport/service.ts", "runtime/src/transport/credentials.ts"];
const HANDLING = "runtime/src/handling/options.ts";
const LISTENER = ["runtime/src/listener/options.ts", HANDLING];

interface Documented {
  /** The interface that declares the options for the compiler. */
  readonly name: string;
  readonly page: string;
  readonly table: Table;
  readonly sources: readonly string[];
}

const tables: Documented[] = [
  {
    name: "WebhookOptions",
    page: "docs/options.md",
    table: webhookOptions,
    sources: LISTENER,
  },
  {
    name: "ListenerOptions",
    page: "docs/options.md",
    table: serverOptions,
    sources: LISTENER,
  },
  {
    name: "PublisherOptions",
    page: "docs/options.md",
    table: publisherOptions,
    sources: ["runtime/src/publisher/settings.ts", ...TRANSPORT],
  },
  {
    name: "ReceiverOptions",
    page: "docs/options.md",
    table: receiverOptions,
    sources: ["runtime/src/receiver/settings.ts", HANDLING, ...TRANSPORT],
  },
  {
    name: "OutboxOptions",
    page: "docs/options.md",
    table: outboxOptions,
    sources: ["runtime/src/postgres/options.ts"],
  },
  {
    name: "InboxOptions",
    page: "docs/options.md",
    table: inboxOptions,
    sources: ["runtime/src/postgres/options.ts"],
  },
];

const shownDefault = ({ default: value, defaultText }: Row) => {
  if (defaultText !== undefined) return defaultText;
  if (typeof value === "number") return value.toLocaleString("en-US");
  return value === undefined ? "" : `\`${JSON.stringify(value)}\``;
};

/** `limits` with its options becomes `limits.eventBytes` and so on. */
function flat(table: Table, prefix = ""): [name: string, row: Row][] {
  return Object.entries(table).flatMap(([name, row]): [string, Row][] =>
    row.options ? flat(row.options, `${prefix}${name}.`) : [[`${prefix}${name}`, row]],
  );
}

function markdown(table: Table): string {
  const rows = flat(table).map(
    ([name, row]) => `| \`${name}\` | ${shownDefault(row)} | ${row.text} |`,
  );
  return ["| Option | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The properties of an interface with their comments, and those of the interfaces it extends. */
function declared(source: string, name: string): Map<string, { comment: string; type: string }> {
  const [, parents = "", body = ""] =
    new RegExp(
      `interface ${name}\\b[^{]*?(?:extends ([\\w, <>\\n]+) )?\\{\\n(.*?)\\n\\}`,
      "s",
    ).exec(source) ?? [];
  const properties = new Map(
    parents.split(/[^\w]+/).flatMap((parent) => (parent ? [...declared(source, parent)] : [])),
  );
  for (const [, comment = "", property = "", type = ""] of body.matchAll(
    /\/\*\*((?:(?!\*\/).)*)\*\/\s+readonly (\w+)\??: ([^;]*);/gs,
  )) {
    properties.set(property, { comment, type });
  }
  return properties;
}

const normal = (text: string) => text.replace(/[`",_]/g, "").replace(/\s+\*?\s*/g, " ");

/** Options without a comment in their interface, or whose comment states another default. */
function differences(source: string, name: string, table: Table): string[] {
  const properties = declared(source, name);
  return Object.entries(table).flatMap(([option, row]) => {
    const { comment, type } = properties.get(option) ?? {};
    if (comment === undefined || type === undefined) return [`${name}.${option} has no comment`];
    if (row.options) return differences(source, type.replace(/\W.*/s, ""), row.options);
    if (row.default === undefined) return [];
    const shown = normal(shownDefault(row));
    const inComment = normal(/@default ([^@]*)/.exec(comment)?.[1] ?? "");
    if (inComment.startsWith(shown)) return [];
    return [`${name}.${option} has the default "${shown}", its comment "${inComment}"`];
  });
}

it.each([...new Set(tables.map(({ page }) => page))])(
  "%s has the tables of options as in the code (write them with --update)",
  async (page) => {
    const markdowns = tables
      .filter((documented) => documented.page === page)
      .map(({ table }) => `${markdown(table)}\n`);
    const text = readFileSync(file(page), "utf8");
    const written = text.replace(
      /\| Option \| Default \| Meaning \|\n(?:\|.*\n)*/g,
      (other) => markdowns.shift() ?? other,
    );
    await expect(written).toMatchFileSnapshot(file(page));
    expect(markdowns).toEqual([]);
  },
);

describe.each(tables)("$name", ({ name, table, sources }) => {
  it("have the defaults that the comments of their interface state", () => {
    const source = sources.map((path) => readFileSync(file(path), "utf8")).join("\n");
    expect(differences(source, name, table)).toEqual([]);
  });
});
