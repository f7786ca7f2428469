import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { UNKNOWN } from "../../rules/index.js";
import { blocksOf } from "./filter.js";

type Attributes = Readonly<Record<string, unknown>>;

/** What a plan says about the configuration: expressions with their references, but no local values. */
interface Module {
  readonly prefix: string;
  readonly resources: ReadonlyMap<string, Attributes>;
  readonly outputs: Attributes;
  readonly calls: ReadonlyMap<
    string,
    { readonly expressions: Attributes; readonly module: Module }
  >;
  readonly parent: Module | undefined;
  readonly name: string;
}

/** Terraform nests modules a few levels deep. */
const MAX_DEPTH = 100;

/** The configuration of a plan. */
export class Configuration {
  readonly #root: Module;

  constructor(configuration: unknown) {
    this.#root = moduleOf(at(configuration, "root_module"), undefined, "", "", 0);
  }

  /**
   * What the expression of an attribute refers to, as it is written; undefined if the plan does not
   * have the resource's configuration.
   */
  references(address: string, attribute: string): readonly string[] | undefined {
    const expressions = this.#find(address)?.resource.expressions;
    return isObject(expressions) ? referencesIn(expressions[attribute]) : undefined;
  }

  /** Whether an attribute is in the configuration; undefined if the plan does not have that. */
  isSet(address: string, attribute: string): boolean | undefined {
    const expressions = this.#find(address)?.resource.expressions;
    return isObject(expressions) ? Object.hasOwn(expressions, attribute) : undefined;
  }

  /**
   * The addresses of the resources, without indices, that the value of an attribute comes from,
   * through variables and outputs of modules, data sources and `for_each`.
   */
  origins(address: string, attribute: string): ReadonlySet<string> {
    const found = new Set<string>();
    const own = this.#find(address);
    if (own === undefined) return found;
    const { module, resource } = own;
    const visited = new Set<string>();
    for (const reference of this.references(address, attribute) ?? []) {
      follow(reference, module, resource, found, visited);
    }
    return found;
  }

  #find(address: string): { module: Module; resource: Attributes } | undefined {
    let module: Module | undefined = this.#root;
    const [, path = "", local = ""] =
      /^((?:module\.[^.]+\.)*)(.*)$/.exec(withoutIndices(address)) ?? [];
    for (const [, name = ""] of path.matchAll(/module\.([^.]+)\./g)) {
      module = module?.calls.get(name)?.module;
    }
    const resource = module?.resources.get(local);
    return module && resource && { module, resource };
  }
}

/** An address without the keys of `count` and `for_each`. */
export function withoutIndices(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, "");
}

const at = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);

function moduleOf(
  json: unknown,
  parent: Module | undefined,
  name: string,
  prefix: string,
  depth: number,
): Module {
  const calls = new Map<string, { expressions: Attributes; module: Module }>();
  const resources = new Map(
    blocksOf(at(json, "resources")).flatMap((each): [string, Attributes][] =>
      each === UNKNOWN ? [] : [[String(each.address), each]],
    ),
  );
  const outputs = at(json, "outputs");
  const module: Module = {
    prefix,
    resources,
    outputs: isObject(outputs) ? outputs : {},
    calls,
    parent,
    name,
  };
  for (const [called, call] of Object.entries(Object(at(json, "module_calls")))) {
    if (!isObject(call) || depth > MAX_DEPTH) continue;
    const inner = moduleOf(call.module, module, called, `${prefix}module.${called}.`, depth + 1);
    const expressions = isObject(call.expressions) ? call.expressions : {};
    calls.set(called, { expressions, module: inner });
  }
  return module;
}

/** All references in an expression, or in the blocks of one. */
function referencesIn(expression: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH || typeof expression !== "object" || expression === null) return [];
  return Object.entries(expression).flatMap(([name, inner]) =>
    name === "references" && Array.isArray(inner)
      ? inner.map(String)
      : name === "constant_value"
        ? []
        : referencesIn(inner, depth + 1),
  );
}

function follow(
  reference: string,
  module: Module,
  resource: Attributes | undefined,
  found: Set<string>,
  visited: Set<string>,
): void {
  const key = `${module.prefix} ${reference}`;
  if (visited.has(key)) return;
  visited.add(key);
  const [first = "", second = "", third = ""] = withoutIndices(reference).split(".");
  const all = (expression: unknown, inside: Module, of?: Attributes) => {
    for (const each of referencesIn(expression)) follow(each, inside, of, found, visited);
  };
  if (first === "each" || first === "count") {
    all([resource?.for_each_expression, resource?.count_expression], module);
  } else if (first === "var") {
    if (module.parent)
      all(module.parent.calls.get(module.name)?.expressions[second], module.parent);
  } else if (first === "module") {
    const called = module.calls.get(second)?.module;
    if (called) all(called.outputs[third], called);
  } else if (first === "data") {
    const data = module.resources.get(`data.${second}.${third}`);
    all(data?.expressions, module, data);
  } else if (module.resources.has(`${first}.${second}`)) {
    found.add(`${module.prefix}${first}.${second}`);
  }
}
