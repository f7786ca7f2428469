import { type Precondition, TerraformProvider, TerraformStack, Token } from "cdktf";
import {
  isObject,
  misspeltNames,
  type Problem,
  problemOf,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { listPreconditions, preconditionsOf } from "./preconditions.js";
import type { PlanRule } from "./rules.js";

/** The result of validating props. */
export interface Findings {
  readonly problems: Problem[];
  /** Checks by Terraform of values that are known only later. */
  readonly preconditions: Precondition[];
}

/** How one prop is validated. */
export interface Spec {
  readonly required?: boolean;
  /** @param value is not undefined, and may be a token */
  validate(field: string, value: unknown, findings: Findings): void;
}

/**
 * A rule is the short form of a spec for one value: a literal is tested now, a token by Terraform.
 */
export type RuleOrSpec = PlanRule | Spec;

/** The names of all props, of any member of a union. */
export type Keys<Props> = Props extends unknown ? keyof Props : never;

/** A spec for every prop: the compiler reports one that is missing. */
export type Specs<Props> = Readonly<Record<Keys<Props> & string, RuleOrSpec>>;

/** Validates every prop by its spec, and reports props that are missing and names that are misspelt. */
export function validateProps(
  specs: Readonly<Record<string, RuleOrSpec>>,
  props: Readonly<Record<string, unknown>>,
  prefix: string,
  findings: Findings,
): void {
  findings.problems.push(...misspeltNames(props, Object.keys(specs), prefix));
  for (const [name, given] of Object.entries(specs)) {
    const spec = specOf(given);
    const field = `${prefix}${name}`;
    const value = props[name];
    if (value !== undefined) spec.validate(field, value, findings);
    else if (spec.required) findings.problems.push(problem(field, "required", "is required"));
  }
}

/** A problem whose message begins with its field. */
export function problem(field: string, rule: string, message: string): Problem {
  return { field, rule, message: `${field} ${message}` };
}

function specOf(given: RuleOrSpec): Spec {
  if (!("test" in given)) return given;
  return {
    validate(field, value, { problems, preconditions }) {
      if (Token.isUnresolved(value)) preconditions.push(...preconditionsOf(given, field, value));
      else {
        const found = problemOf(given, field, value);
        if (found !== undefined) problems.push(found);
      }
    },
  };
}

/** A prop that must not be left out. */
export function required(given: RuleOrSpec): Spec {
  return { ...specOf(given), required: true };
}

/** A prop that decides which resources there are, so that a token comes too late. */
export function literal(given: RuleOrSpec): Spec {
  const spec = specOf(given);
  return {
    ...spec,
    validate(field, value, findings) {
      if (Token.isUnresolved(value)) findings.problems.push(unknownTooLate(field));
      else spec.validate(field, value, findings);
    },
  };
}

/** The problem of a token that comes too late. */
function unknownTooLate(field: string): Problem {
  return problem(
    field,
    "known-early",
    "must be known before anything is deployed: write the value itself",
  );
}

/**
 * A list.
 *
 * @param whole further problems of the list as a whole, unless it is known only later
 */
export function listOf(
  item: RuleOrSpec,
  whole: (list: readonly unknown[], field: string) => readonly Problem[] = () => [],
): Spec {
  const spec = specOf(item);
  return {
    validate(field, value, findings) {
      if (!Array.isArray(value)) findings.problems.push(notAList(field, value));
      else if (!Token.isUnresolved(value)) {
        for (const [i, one] of value.entries()) spec.validate(`${field}[${i}]`, one, findings);
        findings.problems.push(...whole(value, field));
      } else if ("test" in item) {
        findings.preconditions.push(...listPreconditions(item, field, value));
      } else findings.problems.push(unknownTooLate(field));
    },
  };
}

function notAList(field: string, value: unknown): Problem {
  const received = Token.isUnresolved(value)
    ? "a token of one value: put it into Token.asList(…)"
    : showValue(value);
  return problem(field, "type", `must be a list, but is ${received}`);
}

/**
 * An object with props of its own.
 *
 * @param whole further problems of the object as a whole
 */
export function group<Props extends object>(
  specs: Specs<Props>,
  whole: (props: Props, field: string) => readonly Problem[] = () => [],
): Spec {
  return literal({
    validate(field, value, findings) {
      if (!isObject(value)) {
        findings.problems.push(wrongType(field, "must be an object", value));
        return;
      }
      validateProps(specs, value, `${field}.`, findings);
      findings.problems.push(...whole(value as Props, field));
    },
  });
}

/** An object with any names, whose values are all validated alike. */
export function recordOf(
  item: Spec,
  whole: (record: Readonly<Record<string, unknown>>, field: string) => readonly Problem[],
): Spec {
  return literal({
    validate(field, value, findings) {
      if (!isObject(value)) {
        findings.problems.push(wrongType(field, "must be an object", value));
        return;
      }
      for (const [name, one] of Object.entries(value)) {
        item.validate(`${field}.${name}`, one, findings);
      }
      findings.problems.push(...whole(value, field));
    },
  });
}

/** `true` or `false`, or an object with details. */
export function switchOr(details: Spec): Spec {
  return literal({
    validate(field, value, findings) {
      if (isObject(value)) details.validate(field, value, findings);
      else if (typeof value !== "boolean") {
        findings.problems.push(wrongType(field, "must be true, false or an object", value));
      }
    },
  });
}

/** A prop that is not validated here. */
export const unchecked: Spec = { validate: () => undefined };

/** A provider of the construct's own stack; the compiler accepts a provider of any type. */
export function provider(type: "azurerm" | "azuread", construct: IConstruct): Spec {
  return {
    validate(field, value, { problems }) {
      const requirement = `must be a provider of the type ${type}`;
      if (!TerraformProvider.isTerraformProvider(value)) {
        problems.push(wrongType(field, requirement, value));
        return;
      }
      const { terraformResourceType: actual } = value;
      if (actual !== type) {
        problems.push(problem(field, "type", `${requirement}, but is one of the type ${actual}`));
        return;
      }
      const stack = TerraformStack.of(value);
      if (stack === TerraformStack.of(construct)) return;
      const message = `belongs to the stack ${stack.node.id}: pass a provider of this stack`;
      problems.push(problem(field, "stack", message));
    },
  };
}

/** The problem of a value of a kind that cannot be used at all. */
export function wrongType(field: string, requirement: string, value: unknown): Problem {
  return problem(field, "type", `${requirement}, but is ${showValue(value)}`);
}
