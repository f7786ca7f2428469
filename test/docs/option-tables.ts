import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../support/project.js";

/** The page, and the interfaces of its tables, in their order. */
export const PAGE = "docs/options.md";
const TABLES = [
  { name: "WebhookOptions", file: "listener/options.ts" },
  { name: "ListenerOptions", file: "listener/options.ts", without: "WebhookOptions" },
  { name: "PublisherOptions", file: "publisher/settings.ts" },
  { name: "ReceiverOptions", file: "receiver/settings.ts", ownOnly: true },
  { name: "OutboxOptions", file: "postgres/options.ts" },
  { name: "InboxOptions", file: "postgres/options.ts" },
] as const;

/** What the doc comment of an option says. */
export interface DocumentedOption {
  /** With those of a group: `limits.requestBytes`. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly meaning: string;
  readonly default: string | undefined;
}

const sources = join(root, "runtime/src");
const HEAD = "| Option | Default | Meaning |\n|---|---|---|\n";

/** The page with its tables as the doc comments say. */
export function optionsPage(documented: readonly DocumentedOption[][]): string {
  const tables = documented.map((options) => `${HEAD}${options.map(row).join("")}`);
  const page = readFileSync(join(root, PAGE), "utf8");
  return page.replace(
    /\| Option \| Default \| Meaning \|\n(?:\|.*\n)*/g,
    (other) => tables.shift() ?? other,
  );
}

function row({ name, isRequired, meaning, default: value }: DocumentedOption): string {
  return `| \`${name}\` | ${isRequired ? "required" : shown(value)} | ${meaning} |\n`;
}

/** Literals as code, and numbers with commas, as people write them. */
function shown(value = ""): string {
  return value
    .replace(/^("[^"]*"|\[.*\]|\{.*\})/, "`$1`")
    .replace(/\b\d[\d_]*_\d+\b/g, (number) => number.replaceAll("_", ","));
}

/** The options of each table. */
export function documentedOptions(): DocumentedOption[][] {
  const files = TABLES.map(({ file }) => join(sources, file));
  const options = { noLib: true, types: [], module: ts.ModuleKind.Node20 };
  const host = ts.createCompilerHost(options);
  // The types of packages take seconds to read, and have no options.
  host.resolveModuleNameLiterals = (modules, file) =>
    modules.map(({ text }) =>
      text.startsWith(".")
        ? ts.resolveModuleName(text, file, options, host)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram([...new Set(files)], options, host);
  const checker = program.getTypeChecker();
  const declared = (name: string, file: string): ts.InterfaceDeclaration => {
    const statements = program.getSourceFile(join(sources, file))?.statements ?? [];
    const found = [...statements].find(
      (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
    );
    if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`no ${name}`);
    return found;
  };
  return TABLES.map((table) => {
    const declaration = declared(table.name, table.file);
    if ("ownOnly" in table) {
      return declaration.members.flatMap((member) => optionsOfMember(member, checker));
    }
    const others =
      "without" in table ? optionsOf(declared(table.without, table.file), checker) : [];
    const names = new Set(others.map(({ name }) => name));
    return optionsOf(declaration, checker).filter(({ name }) => !names.has(name));
  });
}

/** The options of an interface: those that it inherits, then its own. */
function optionsOf(node: ts.InterfaceDeclaration, checker: ts.TypeChecker): DocumentedOption[] {
  const own = node.members.flatMap((member) => optionsOfMember(member, checker));
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression }) => interfaceOf(checker.getTypeAtLocation(expression)) ?? []),
  );
  const inherited = bases.flatMap((base) => optionsOf(base, checker));
  return [...inherited, ...own];
}

function optionsOfMember(member: ts.TypeElement, checker: ts.TypeChecker): DocumentedOption[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [];
  const name = member.name.getText();
  const group = ts.isUnionTypeNode(member.type) ? member.type.types : [member.type];
  for (const part of group) {
    const parts = interfaceOf(checker.getTypeFromTypeNode(part));
    if (parts === undefined || !isGroup(parts)) continue;
    const inner = optionsOf(parts, checker);
    const grouped = inner.map((option) => ({ ...option, name: `${name}.${option.name}` }));
    // A group that can also be `false`, for example.
    const isSwitch = group.some((other) => ts.isLiteralTypeNode(other));
    return isSwitch ? [documented(name, member, checker), ...grouped] : grouped;
  }
  return [documented(name, member, checker)];
}

function documented(
  name: string,
  member: ts.PropertySignature,
  checker: ts.TypeChecker,
): DocumentedOption {
  const symbol = checker.getSymbolAtLocation(member.name);
  const meaning = ts.displayPartsToString(symbol?.getDocumentationComment(checker)).trim();
  const tag = symbol?.getJsDocTags(checker).find((one) => one.name === "default");
  return {
    name,
    isRequired: member.questionToken === undefined,
    meaning: oneLine(meaning),
    default: tag && oneLine(ts.displayPartsToString(tag.text)),
  };
}

/** Whether an interface only groups options: all of them can be left out. */
function isGroup(node: ts.InterfaceDeclaration): boolean {
  return (
    /\/(options|settings)\.ts$/.test(node.getSourceFile().fileName) &&
    node.members.every((member) => member.questionToken !== undefined)
  );
}

function interfaceOf(type: ts.Type): ts.InterfaceDeclaration | undefined {
  return type.getSymbol()?.declarations?.find(ts.isInterfaceDeclaration);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
