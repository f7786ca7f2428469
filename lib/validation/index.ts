/**
 * Validates props when the stack is synthesized. Tokens pass: what Terraform knows later is checked by
 * the providers. The checks of a prop are defined next to its feature.
 */
import { TerraformProvider, TerraformStack, Token } from "cdktf";
import {
  type Check,
  type Checks,
  type Composite,
  type GroupChecks,
  isObject,
  type ListChecks,
  type Problem,
  problem,
  type Rule,
  either as runtimeEither,
  group as runtimeGroup,
  listOf as runtimeListOf,
  problemsOf as runtimeProblemsOf,
  required as runtimeRequired,
  showName,
  showValue,
  unknownTooLate,
  wrongType,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { defined, withTextTokens } from "../terraform/index.js";

export { defaultName, nameCheck } from "./names.js";

/** The props of a construct, and what is wrong with them. */
export interface Validated<Props> {
  /** Without the props that cannot be used at all, such as an object in the place of a list. */
  readonly props: Props;
  readonly problems: readonly Problem[];
}

/**
 * Validates a construct's props. Untyped tokens such as `variable.value` become strings first. Unknown
 * names are reported, which the compiler overlooks in objects that are spread into props.
 *
 * @param meaningOf explains an unknown name that means something elsewhere
 */
export function validated<Props extends object>(
  rawProps: Props,
  checks: Checks<Props>,
  meaningOf?: (name: string) => string | undefined,
): Validated<Props> {
  const props = withTextTokens(rawProps);
  const problems = group(checks, defined({ meaningOf })).problems("", props);
  const unusable = problems.filter(({ rule }) => rule === "type" || rule === "known-early");
  const usable = Object.entries(props).filter(
    ([name]) => !unusable.some(({ field }) => field.split(/[.[]/)[0] === name),
  );
  return { props: Object.fromEntries(usable) as Props, problems };
}

/** The problems of a method's options, named after the method. */
export function named(method: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, message: `${method}: ${problem.message}` }));
}

const reports = new WeakMap<IConstruct, (() => readonly Problem[])[]>();

/** Has synthesis fail with the problems that there are by then. */
export function report(construct: IConstruct, problems: () => readonly Problem[]): void {
  const all = reports.get(construct) ?? [];
  reports.set(construct, [...all, problems]);
  construct.node.addValidation({ validate: () => problems().map(({ message }) => message) });
}

/** The problems that synthesis reports for a construct. */
export function reportedBy(construct: IConstruct): Problem[] {
  return (reports.get(construct) ?? []).flatMap((problems) => problems());
}

/** As in the runtime, but every rule accepts a token: the providers check its value when they plan. */
export function problemsOf(check: Check, field: string, value: unknown): readonly Problem[] {
  if ("test" in check && Token.isUnresolved(value)) return [];
  return runtimeProblemsOf(check, field, value);
}

function acceptingTokens(check: Check): Check {
  return "test" in check ? { problems: (field, value) => problemsOf(check, field, value) } : check;
}

/** A value that must not be a token, because it decides what is synthesized. */
export function literal(check: Check): Composite {
  return {
    problems: (field, value) =>
      Token.isUnresolved(value) ? [unknownTooLate(field)] : runtimeProblemsOf(check, field, value),
  };
}

/** A value that must not be left out. */
export function required(check: Check): Check {
  return runtimeRequired(acceptingTokens(check));
}

/** An object of options, each with its own check. The object itself is a literal. */
export function group<Options extends object>(
  checks: Checks<Options>,
  together: GroupChecks<Options> = {},
): Composite {
  const entries = Object.entries<Check>(checks).map(([name, check]) => [
    name,
    acceptingTokens(check),
  ]);
  return literal(runtimeGroup<Options>(Object.fromEntries(entries), together));
}

/** A list whose items all pass a check. A token may stand for a list of values, not of objects. */
export function listOf(item: Check, checks: ListChecks = {}): Composite {
  const ofLiterals = runtimeListOf(acceptingTokens(item), checks);
  return {
    problems(field, value) {
      if (!Token.isUnresolved(value)) return ofLiterals.problems(field, value);
      if (Array.isArray(value)) return "test" in item ? [] : [unknownTooLate(field)];
      const message = "must be a list, but is a token of one value: put it into Token.asList(…)";
      return [problem(field, { type: message })];
    },
  };
}

/** An object with any names, whose values all pass a check. */
export function recordOf(
  item: Check,
  together: (
    record: Readonly<Record<string, unknown>>,
    field: string,
  ) => readonly Problem[] = () => [],
): Composite {
  return literal({
    problems(field, value) {
      if (!isObject(value)) return [wrongType(field, "must be an object", value)];
      const problems = Object.entries(value).flatMap(([name, part]) =>
        problemsOf(item, `${field}.${showName(name)}`, part),
      );
      return [...problems, ...together(value, field)];
    },
  });
}

/** A literal that a rule accepts, such as `true` or `false`, or an object with details. */
export function either(rule: Rule, details: Check): Composite {
  return literal(runtimeEither(rule, details));
}

/** A provider of the construct's own stack; the compiler accepts a provider of any type. */
export function provider(type: "azurerm" | "azuread" | "azapi", construct: IConstruct): Check {
  return {
    problems(field, value) {
      const requirement = `must be a provider of the type ${type}`;
      if (!TerraformProvider.isTerraformProvider(value)) {
        return [wrongType(field, requirement, value)];
      }
      const { terraformResourceType: actual } = value;
      if (actual !== type) {
        return [problem(field, { type: `${requirement}, but is one of the type ${actual}` })];
      }
      const stack = TerraformStack.of(value);
      if (stack === TerraformStack.of(construct)) return [];
      const message = `belongs to the stack ${stack.node.id}: pass a provider of this stack`;
      return [problem(field, { stack: message })];
    },
  };
}

/**
 * The problems of values that repeat an earlier one.
 *
 * @param fieldOf names the field of the value at an index
 */
export function repeated(
  values: readonly unknown[],
  fieldOf: (index: number) => string,
): Problem[] {
  const seen = new Set<unknown>();
  return values.flatMap((value, i) => {
    if (value === undefined || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [problem(fieldOf(i), { unique: `must be given only once, but is ${showValue(value)}` })];
  });
}
