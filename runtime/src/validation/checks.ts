import { ConfigurationError, type Problem, problem, statedProblem } from "../errors.js";
import type { TelemetryProviders } from "../observability.js";
import { showValue, type UnknownNames, unknownNames } from "./messages.js";
import { isObject, objectWith, type Rule } from "./rules.js";

/** How a value is checked: by one rule, or by a composition of checks. */
export type Check = Rule | Composite;

/** A check of several requirements, or of parts of a value. */
export interface Composite {
  /** Whether the value must not be left out. @default false */
  readonly required?: boolean;
  /** @param value is not undefined */
  problems(field: string, value: unknown): readonly Problem[];
}

/** Every name that any member of a union has; `keyof` alone gives those that all of them have. */
export type Keys<Options> = Options extends unknown ? keyof Options : never;

/** A check for every option: the compiler reports an option without one. */
export type Checks<Options> = Readonly<Record<Keys<Options> & string, Check>>;

/** The problems of a value that is not undefined. */
export function problemsOf(check: Check, field: string, value: unknown): readonly Problem[] {
  if (!("test" in check)) return check.problems(field, value);
  return check.test(value) ? [] : [brokenRule(check, field, value)];
}

/** @throws {ConfigurationError} with all problems of a value, which is not undefined */
export function assertValid(headline: string, check: Check, field: string, value: unknown): void {
  const problems = problemsOf(check, field, value);
  if (problems.length > 0) throw new ConfigurationError(headline, problems);
}

function brokenRule(rule: Rule, field: string, value: unknown): Problem {
  const broken = (text: string): Problem => ({
    field,
    rule: rule.name,
    message: `${field} ${rule.requirement}${text}`,
  });
  if (rule.secret) return broken(" (its value is not shown)");
  const received = showValue(value);
  return { ...broken(`, but ${rule.explain?.(value, received) ?? `is ${received}`}`), received };
}

/** The problem of a value of a type that cannot be used at all. */
export function wrongType(field: string, requirement: string, value: unknown): Problem {
  const received = showValue(value);
  return { ...problem(field, { type: `${requirement}, but is ${received}` }), received };
}

/** Accepts every value, for options that are checked elsewhere. */
export const unchecked: Check = { problems: () => [] };

/** A value that must not be left out. */
export function required(check: Check): Check {
  return {
    required: true,
    problems: (field, value) => problemsOf(check, field, value),
  };
}

/** The problem of a value that is known only later, but decides what is deployed. */
export function unknownTooLate(field: string): Problem {
  const message = "must be known before anything is deployed: write the value itself";
  return problem(field, { "known-early": message });
}

/** How an object is checked besides its options. */
export interface GroupChecks<Options> extends UnknownNames {
  /** Further problems of the options together. */
  together?(options: Options, field: string): readonly Problem[];
}

/**
 * An object of options, each with its own check. Options that are not set are valid unless they are
 * required.
 *
 * An empty field name means the outermost object, whose options have no prefix. A value that is passed
 * instead of that object is never shown, because it may be a key.
 */
export function group<Options extends object>(
  checks: Checks<Options>,
  { together = () => [], ...ofNames }: GroupChecks<Options> = {},
): Composite {
  const names = Object.keys(checks);
  return {
    problems(field, value) {
      if (isObject(value)) {
        const prefix = field === "" ? "" : `${field}.`;
        return [
          ...unknownNames(value, names, prefix, ofNames),
          ...optionProblems(checks, value, prefix),
          ...together(value as Options, field),
        ];
      }
      if (field !== "") return [wrongType(field, "must be an object", value)];
      return [statedProblem("options", { type: "the options must be an object" })];
    },
  };
}

/**
 * The problems of each option by its check, see {@link group}.
 *
 * @param prefix is put before names in messages, such as `limits.`
 */
function optionProblems(
  checks: Readonly<Record<string, Check>>,
  options: Readonly<Record<string, unknown>>,
  prefix: string,
): Problem[] {
  const problems: Problem[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const value = options[name];
    const field = `${prefix}${name}`;
    if (value !== undefined) problems.push(...problemsOf(check, field, value));
    else if (mustBeSet(check)) problems.push(problem(field, { required: "is required" }));
  }
  return problems;
}

function mustBeSet(check: Check): boolean {
  return "required" in check && check.required === true;
}

/** How a list is checked besides its items. */
export interface ListChecks {
  /** The noun for the items: "host names". */
  readonly of?: string;
  /** Completes the message about an empty list: "is empty: …". @default an empty list is valid */
  readonly whenEmpty?: string;
  /** Further problems of the items together. */
  together?(list: readonly unknown[], field: string): readonly Problem[];
}

/** A list whose items all pass a check. */
export function listOf(
  item: Check,
  { of, whenEmpty, together = () => [] }: ListChecks = {},
): Composite {
  const requirement = of === undefined ? "must be a list" : `must be a list of ${of}`;
  return {
    problems(field, value) {
      if (!Array.isArray(value)) return [wrongType(field, requirement, value)];
      if (value.length === 0 && whenEmpty !== undefined) {
        return [problem(field, { empty: whenEmpty })];
      }
      const problems = value.flatMap((part, i) => problemsOf(item, `${field}[${i}]`, part));
      return [...problems, ...together(value, field)];
    },
  };
}

/** A value that a rule accepts, such as `true` or `false`, or an object with details. */
export function either(rule: Rule, details: Check): Composite {
  return {
    problems(field, value) {
      if (rule.test(value)) return [];
      if (isObject(value)) return problemsOf(details, field, value);
      return [wrongType(field, `${rule.requirement}, or an object`, value)];
    },
  };
}

/** An option of a table. What it means, its interface says. */
export interface Option<Value> {
  readonly check: Check;
  /** The value if the option is left out. */
  readonly default?: Value;
}

/** Options that are grouped in an object, such as `limits`. */
export interface OptionGroup<Options> {
  readonly options: OptionTable<Options>;
}

/**
 * A row for every option, with its check and its default, see {@link checkOf} and
 * {@link withDefaults}. A test compares the default with that of the doc comment.
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options & string]-?:
    | Option<Exclude<Options[Name], undefined>>
    | OptionGroup<Exclude<Options[Name], undefined>>;
};

/** Options with the defaults that their table has. */
export type Completed<Options, Table> = {
  readonly [Name in keyof Table & keyof Options]: Table[Name] extends {
    readonly options: infer Inner;
  }
    ? Completed<Exclude<Options[Name], undefined>, Inner>
    : Table[Name] extends { readonly default: unknown }
      ? Exclude<Options[Name], undefined>
      : Options[Name];
};

/** A table as code sees it that does not know its options. */
type AnyTable = Readonly<Record<string, Option<unknown> | OptionGroup<Record<string, unknown>>>>;

/** The check of an object with the options of a table. */
export function checkOf<Options extends object>(
  table: OptionTable<Options>,
  checks: GroupChecks<Options> = {},
): Composite {
  const ofRows: Record<string, Check> = {};
  for (const [name, row] of Object.entries(table as AnyTable)) {
    ofRows[name] = "options" in row ? checkOf(row.options) : row.check;
  }
  return group<Options>(ofRows as Checks<Options>, checks);
}

/**
 * Checks the options of a table, and fills in its defaults.
 *
 * @throws {ConfigurationError} with all problems of the options
 */
export function readOptions<Options extends object, Table extends OptionTable<Options>>(
  headline: string,
  table: Table,
  options: Options,
): Completed<Options, Table> {
  assertValid(headline, checkOf<Options>(table), "", options);
  return withDefaults(table, options);
}

/** Fills in the defaults of a table. The options have been checked. */
export function withDefaults<Options extends object, Table extends OptionTable<Options>>(
  table: Table,
  options: Options,
): Completed<Options, Table> {
  return completed(table, options) as Completed<Options, Table>;
}

function completed(table: object, options: object): object {
  const settings: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table as AnyTable)) {
    const given: unknown = Reflect.get(options, name);
    settings[name] =
      "options" in row ? completed(row.options, Object(given ?? {})) : (given ?? row.default);
  }
  return settings;
}

export const telemetry = group<TelemetryProviders>({
  tracerProvider: objectWith("must be an OpenTelemetry tracer provider", "getTracer"),
  meterProvider: objectWith("must be an OpenTelemetry meter provider", "getMeter"),
});
