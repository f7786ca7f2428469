import { ConfigurationError, type Problem, statedProblem } from "../errors.js";
import { assertValid, nearName } from "../validation/index.js";
import { environmentPrefixRule } from "./field-rules.js";
import { bindingFields, namespaceTopicFields, pullFields } from "./field-table.js";
import { type FieldTable, serviceFields } from "./fields.js";
import type { FieldWording } from "./parse.js";

/** The variables of a process, or an object of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The functions that read bindings, with the fields of each. */
const readers: Readonly<Record<string, FieldTable>> = {
  bindingFromEnvironment: bindingFields,
  pullBindingFromEnvironment: pullFields,
  namespaceTopicFromEnvironment: namespaceTopicFields,
};

/** An environment that is being read. */
export interface BindingVariables {
  readonly prefix: string;
  /** The values of the variables that are set, by field. */
  readonly values: Readonly<Record<string, string | number>>;
  readonly env: Environment;
  readonly fields: FieldTable;
}

/** The full name of a variable, such as `ORDERS_TENANT_ID`. */
export function variableName(prefix: string, variable: string): string {
  return `${prefix}_${variable}`;
}

/** @throws {ConfigurationError} when the prefix is not in upper snake case */
export function checkPrefix(prefix: string): void {
  assertValid("The prefix of the environment is invalid", environmentPrefixRule, "prefix", prefix);
}

/** The variables of a binding of the kind that a table describes. */
export function bindingVariables(
  prefix: string,
  env: Environment,
  fields: FieldTable,
): BindingVariables {
  checkPrefix(prefix);
  const values: Record<string, string | number> = {};
  for (const { name, rule, service } of serviceFields(fields)) {
    const value = service?.variable && env[variableName(prefix, service.variable)];
    // An empty variable counts as missing: many platforms cannot leave one out.
    if (value) values[name] = rule.range && !/\D/.test(value) ? Number(value) : value;
  }
  return { prefix, values, env, fields };
}

/** The wording of messages about an environment, which name the variables. */
export function variableWording({ prefix, env, fields }: BindingVariables): FieldWording {
  const known = serviceFields(fields).map(({ service }) => `${prefix}_${service?.variable}`);
  const unknown = Object.keys(env).filter(
    (name) => env[name] !== undefined && name.startsWith(prefix) && !known.includes(name),
  );
  return {
    namesProblems: true,
    nameOf: ({ name, service }) => variableName(prefix, service?.variable ?? name),
    missing: "is not set; it is required",
    advice({ service }) {
      const misspelt = unknown.find(
        (name) => nearName(name.slice(prefix.length), [`_${service?.variable}`]) !== undefined,
      );
      return misspelt === undefined ? "" : `: rename ${misspelt}`;
    },
  };
}

/** The error for an environment with these problems, and with advice on variables that were not read. */
export function invalidEnvironment(
  environment: BindingVariables,
  problems: readonly Problem[],
): ConfigurationError {
  return new ConfigurationError(`The environment of "${environment.prefix}" is invalid`, [
    ...otherKind(environment),
    ...problems,
  ]);
}

/** Names the functions that read the variables, if they are those of another kind of binding. */
function otherKind({ prefix, env, fields }: BindingVariables): Problem[] {
  const distinctive = (table: FieldTable) =>
    serviceFields(table)
      .filter(({ service }) => service?.isDistinctive)
      .map(({ service }) => `${prefix}_${service?.variable}`)
      .find((name) => env[name]);
  if (distinctive(fields) !== undefined) return [];
  const others = Object.entries(readers).flatMap(([reader, table]) => {
    const variable = distinctive(table);
    return variable === undefined ? [] : [{ variable, reader: `${reader}("${prefix}")` }];
  });
  const [first] = others;
  if (first === undefined) return [];
  const read = others.map(({ reader }) => reader).join(" or ");
  const message = `${first.variable} belongs to another kind of binding: read it with ${read}`;
  return [statedProblem("prefix", { "binding-kind": message })];
}
