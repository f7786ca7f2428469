import { groupsOf, isObject } from "cloud-eventgrid-binding-runtime/internal";
import { UNKNOWN } from "../../rules/index.js";
import { blocksOf } from "./filter.js";

type Attributes = Readonly<Record<string, unknown>>;

/** Terraform nests modules a few levels deep. */
const MAX_DEPTH = 100;

/** The configuration of a plan: expressions with their references, but no local values. */
export class Configuration {
  /** The resources by their addresses, such as `module.a.azurerm_storage_account.b`. */
  readonly #resources = new Map<string, Attributes>();
  /** The outputs of modules, and what is given for their variables, by address: `module.a.name`. */
  readonly #outputs = new Map<string, unknown>();
  readonly #variables = new Map<string, unknown>();

  constructor(configuration: unknown) {
    this.#read(Object(configuration).root_module, "", MAX_DEPTH);
  }

  #read(json: unknown, prefix: string, levels: number): void {
    if (!isObject(json) || levels < 0) return;
    for (const each of blocksOf(json.resources)) {
      if (each !== UNKNOWN) this.#resources.set(`${prefix}${each.address}`, each);
    }
    for (const [name, output] of Object.entries(Object(json.outputs))) {
      this.#outputs.set(`${prefix}${name}`, output);
    }
    for (const [name, call] of Object.entries(Object(json.module_calls))) {
      const inner = `${prefix}module.${name}.`;
      const { expressions, module } = Object(call);
      for (const [variable, expression] of Object.entries(Object(expressions))) {
        this.#variables.set(`${inner}${variable}`, expression);
      }
      this.#read(module, inner, levels - 1);
    }
  }

  /**
   * What the expression of an attribute refers to, as it is written; undefined if the plan does not
   * have the resource's configuration.
   */
  references(address: string, attribute: string): readonly string[] | undefined {
    const expressions = this.#resources.get(withoutIndices(address))?.expressions;
    return isObject(expressions) ? referencesIn(expressions[attribute]) : undefined;
  }

  /** Whether an attribute is in the configuration; undefined if the plan does not have that. */
  isSet(address: string, attribute: string): boolean | undefined {
    const expressions = this.#resources.get(withoutIndices(address))?.expressions;
    return isObject(expressions) ? Object.hasOwn(expressions, attribute) : undefined;
  }

  /**
   * The addresses of the resources, without indices, that the value of an attribute comes from,
   * through variables and outputs of modules, data sources and `for_each`.
   */
  origins(address: string, attribute: string): ReadonlySet<string> {
    const found = new Set<string>();
    const visited = new Set<string>();
    const followAll = (references: readonly string[], prefix: string, from?: Attributes) => {
      for (const reference of references) follow(reference, prefix, from);
    };
    const follow = (reference: string, prefix: string, from?: Attributes) => {
      const key = `${prefix} ${reference}`;
      if (visited.has(key)) return;
      visited.add(key);
      const [first, second, third] = withoutIndices(reference).split(".");
      const inner = `${prefix}module.${second}.`;
      const local = `${prefix}${first}.${second}`;
      if (first === "each" || first === "count") {
        followAll(referencesIn([from?.for_each_expression, from?.count_expression]), prefix);
      } else if (first === "var") {
        const outer = prefix.replace(/module\.[^.]*\.$/, "");
        followAll(referencesIn(this.#variables.get(`${prefix}${second}`)), outer);
      } else if (first === "module") {
        followAll(referencesIn(this.#outputs.get(`${inner}${third}`)), inner);
      } else if (first === "data") {
        const data = this.#resources.get(`${local}.${third}`);
        followAll(referencesIn(data?.expressions), prefix, data);
      } else if (this.#resources.has(local)) found.add(local);
    };
    const own = withoutIndices(address);
    const [prefix] = groupsOf(/((?:module\.[^.]*\.)*)/, own);
    followAll(this.references(address, attribute) ?? [], prefix, this.#resources.get(own));
    return found;
  }
}

/** An address without the keys of `count` and `for_each`. */
export function withoutIndices(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d*)\]/g, "");
}

/** All references in an expression, or in the blocks of one. */
function referencesIn(expression: unknown, levels = MAX_DEPTH): string[] {
  if (levels < 0 || typeof expression !== "object" || expression === null) return [];
  return Object.entries(expression).flatMap(([name, inner]) =>
    name === "references" && Array.isArray(inner)
      ? inner.map(String)
      : name === "constant_value"
        ? []
        : referencesIn(inner, levels - 1),
  );
}
