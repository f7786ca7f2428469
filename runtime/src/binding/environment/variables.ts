import {
  isObject,
  nearName,
  type Problem,
  predicateRule,
  problemsOf,
} from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import {
  bindingFields,
  type FieldTable,
  type NamedField,
  namespaceTopicFields,
  pullFields,
  serviceFields,
} from "../fields/index.js";
import type { ServiceCheck } from "../parsing/index.js";
import { environmentPrefixRule } from "../rules/index.js";

/** The variables of a process, or an object of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const environmentRule = predicateRule({
  name: "type",
  requirement: "must be an object such as process.env",
  test: isObject,
});

/** The kinds of bindings, each with its fields, what it is for, and the function that reads it. */
export const bindingKinds = {
  webhookOrTopic: {
    fields: bindingFields,
    name: "webhook or a topic",
    reader: "bindingFromEnvironment",
  },
  queue: { fields: pullFields, name: "namespace topic", reader: "pullBindingFromEnvironment" },
  namespaceTopic: {
    fields: namespaceTopicFields,
    name: "namespace topic",
    reader: "namespaceTopicFromEnvironment",
  },
} as const;

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

/** @throws {BindingConfigurationError} when the prefix is not in upper snake case */
export function checkPrefix(prefix: string): void {
  const problems = problemsOf(environmentPrefixRule, "prefix", prefix);
  if (problems.length > 0) {
    throw new BindingConfigurationError(problems, "The prefix of the environment is invalid");
  }
}

/** The variables of a binding of the kind that a table describes. */
export function bindingVariables(
  prefix: string,
  env: Environment,
  fields: FieldTable,
): BindingVariables {
  const values: Record<string, string | number> = {};
  for (const { name, rule, service } of serviceFields(fields)) {
    const value = service?.variable && env[variableName(prefix, service.variable)];
    // An empty variable counts as missing: many platforms cannot leave one out.
    if (value) values[name] = rule.range && /^\d+$/.test(value) ? Number(value) : value;
  }
  return { prefix, values, env, fields };
}

/** How the fields of an environment are checked: messages name the variables. */
export function variableCheck(environment: BindingVariables): ServiceCheck {
  const { prefix } = environment;
  return {
    nameOf: ({ name, service }) => variableName(prefix, service?.variable ?? name),
    missing: "is not set; it is required",
    advice(field) {
      const misspelt = misspeltVariable(field, environment);
      return misspelt === undefined ? "" : `: rename ${misspelt}`;
    },
  };
}

/** The error for an environment with these problems, and with advice on variables that were not read. */
export function invalidEnvironment(
  environment: BindingVariables,
  problems: readonly Problem[],
): BindingConfigurationError {
  return new BindingConfigurationError(
    [...otherKind(environment), ...otherPrefixes(environment), ...problems],
    `The environment of "${environment.prefix}" is invalid`,
  );
}

/** A variable with the prefix that is not of this binding, and whose name resembles the field's. */
function misspeltVariable(
  { service }: NamedField,
  { prefix, env, fields }: BindingVariables,
): string | undefined {
  const variables = serviceFields(fields).flatMap((field) => field.service?.variable ?? []);
  const known = variables.map((variable) => variableName(prefix, variable));
  return Object.keys(env).find(
    (name) =>
      env[name] !== undefined &&
      name.startsWith(prefix) &&
      !known.includes(name) &&
      nearName(name.slice(prefix.length), [`_${service?.variable}`]) !== undefined,
  );
}

/** The variables that only a binding of this kind has, so that they reveal it. */
function distinctiveVariables(fields: FieldTable): string[] {
  return serviceFields(fields).flatMap(({ service }) =>
    service?.variable && service.isDistinctive ? [service.variable] : [],
  );
}

/** Names the function that reads the variables, if they are those of another kind of binding. */
function otherKind({ prefix, env, fields }: BindingVariables): Problem[] {
  const setOf = (table: FieldTable) =>
    distinctiveVariables(table)
      .map((variable) => variableName(prefix, variable))
      .filter((name) => env[name]);
  if (setOf(fields).length > 0) return [];
  const others = Object.values(bindingKinds).filter((kind) => setOf(kind.fields).length > 0);
  const [other] = others;
  if (other === undefined) return [];
  const readers = others.map(({ reader }) => `${reader}("${prefix}")`).join(" or ");
  const [variable] = setOf(other.fields);
  const message = `${variable} belongs to a binding of a ${other.name}: read it with ${readers}`;
  return [{ field: "prefix", rule: "binding-kind", message }];
}

const MOST_PREFIXES = 3;

/** Suggests the prefixes of other bindings when no variable has the requested one. */
function otherPrefixes({ prefix, values, env, fields }: BindingVariables): Problem[] {
  if (Object.keys(values).length > 0) return [];
  const endings = distinctiveVariables(fields).map((variable) => `_${variable}`);
  const prefixes = new Set(
    Object.entries(env).flatMap(([name, value]) => {
      const ending = endings.find((suffix) => name.endsWith(suffix));
      return ending === undefined || !value ? [] : [name.slice(0, -ending.length)];
    }),
  );
  if (prefixes.size === 0) return [];
  const others = [...prefixes].slice(0, MOST_PREFIXES).join(", ");
  const message = `no variable begins with ${prefix}_, but there are bindings with the prefix ${others}`;
  return [{ field: "prefix", rule: "environment-prefix", message }];
}
