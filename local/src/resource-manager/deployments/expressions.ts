import { createHash } from "node:crypto";
import { field, invalidRequest } from "../../base/index.js";

/** The values that expressions of a template refer to. */
export interface TemplateContext {
  readonly parameter: (name: string) => unknown;
  readonly variable: (name: string) => unknown;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly resourceGroup: { readonly id: string; readonly name: string; readonly location: string };
  /** A resource by its name in the template, or by its ID. */
  readonly read: (nameOrId: string) => unknown;
  /** The answer to an action such as `listKeys`. */
  readonly act: (nameOrId: string, action: string, body: unknown) => unknown;
}

type Arguments = readonly unknown[];

const functions: Readonly<Record<string, (args: Arguments, context: TemplateContext) => unknown>> =
  {
    parameters: ([name], { parameter }) => parameter(String(name)),
    variables: ([name], { variable }) => variable(String(name)),
    subscription: (_, { subscriptionId, tenantId }) => ({
      id: `/subscriptions/${subscriptionId}`,
      subscriptionId,
      tenantId,
    }),
    resourcegroup: (_, { resourceGroup }) => resourceGroup,
    resourceid: (args, { resourceGroup }) => resourceId(resourceGroup.id, args.map(String)),
    reference: ([id, _version, full], { read }) => {
      const resource = read(String(id));
      return full === "Full" ? resource : field(resource, "properties");
    },
    concat: (args) => (Array.isArray(args[0]) ? args.flat() : args.join("")),
    format: ([text, ...values]) =>
      String(text).replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
    tolower: ([text]) => String(text).toLowerCase(),
    toupper: ([text]) => String(text).toUpperCase(),
    uniquestring: (args) => digest(args).slice(0, 13),
    guid: (args) => {
      const hex = createHash("sha256").update(args.join("-")).digest("hex");
      return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
    },
  };

/** Any action of a resource that lists something is a function. */
function listing(name: string) {
  if (!/^list[A-Z]/i.test(name)) return undefined;
  return ([id, _version, body]: Arguments, { act }: TemplateContext) => act(String(id), name, body);
}

/** Evaluates the expressions in a value of a template. */
export function evaluate(value: unknown, context: TemplateContext): unknown {
  if (typeof value === "string") return evaluateText(value, context);
  if (Array.isArray(value)) return value.map((each) => evaluate(each, context));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, evaluate(each, context)]),
  );
}

/** @see https://learn.microsoft.com/azure/azure-resource-manager/templates/best-practices#template-limits */
const MAX_LENGTH = 24_576;

/** `[…]` is an expression; `[[…` is a text that starts with a bracket. */
function evaluateText(text: string, context: TemplateContext): unknown {
  if (text.startsWith("[[")) return text.slice(1);
  if (!text.startsWith("[") || !text.endsWith("]")) return text;
  if (text.length > MAX_LENGTH) {
    throw invalidRequest(`A template expression is longer than ${MAX_LENGTH} characters.`);
  }
  const parser = new ExpressionParser(text.slice(1, -1), context);
  return parser.parse();
}

/** Evaluates calls, string and number literals, and fields: `name(argument, …).field[0]`. */
class ExpressionParser {
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly context: TemplateContext,
  ) {}

  parse(): unknown {
    const value = this.#value();
    if (this.#take(/\s*/y) === undefined || this.#position < this.text.length) throw this.#error();
    return value;
  }

  #value(): unknown {
    this.#take(/\s*/y);
    const quoted = this.#take(/'((?:[^']|'')*)'/y);
    if (quoted) return quoted.slice(1, -1).replaceAll("''", "'");
    const number = this.#take(/-?\d+/y);
    if (number) return Number(number);
    const name = this.#take(/[A-Za-z_]\w*/y);
    if (!name || !this.#take(/\s*\(/y)) throw this.#error();
    const args: unknown[] = [];
    while (!this.#take(/\s*\)/y)) {
      args.push(this.#value());
      this.#take(/\s*,/y);
    }
    const call = functions[name.toLowerCase()] ?? listing(name);
    if (!call) {
      throw invalidRequest(`The template function '${name}' is not supported by the local Azure.`);
    }
    return this.#fields(call(args, this.context));
  }

  #fields(value: unknown): unknown {
    let at = value;
    for (;;) {
      const field = this.#take(/\.\w+/y)?.slice(1) ?? this.#take(/\[\d+\]/y)?.slice(1, -1);
      if (field === undefined) return at;
      at = Object(at)[field];
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#position += found.length;
    return found;
  }

  #error(): Error {
    return invalidRequest(`The template expression '[${this.text}]' is invalid.`);
  }
}

/** `resourceId('Microsoft.EventGrid/topics', 'orders')`, with a name for each type. */
function resourceId(groupId: string, args: readonly string[]): string {
  const at = args.findIndex((each) => each.includes("/"));
  return resourceIdOf(groupId, args[at] ?? "", args.slice(at + 1).join("/"));
}

/** The ID of a resource by its type and its name, each with a segment for every level. */
export function resourceIdOf(scope: string, type: string, name: string): string {
  const [namespace, ...types] = type.split("/");
  const names = name.split("/");
  const pairs = types.map((each, index) => `${each}/${names[index] ?? ""}`);
  return `${scope}/providers/${[namespace, ...pairs].join("/")}`;
}

function digest(values: Arguments): string {
  const hash = createHash("sha256").update(values.join("-")).digest("hex");
  return BigInt(`0x${hash}`).toString(36);
}
