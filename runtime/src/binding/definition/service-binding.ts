import { type Problem, problem, problemsOf } from "../../validation/index.js";
import type { CloudEnvironmentName } from "../cloud-environment.js";
import {
  bindingFields,
  type FieldTable,
  isOfDirection,
  isRequired,
  type NamedField,
  serviceFields,
} from "../fields/index.js";
import type { Direction, PublishWith } from "../props.js";
import type { RuntimeBinding } from "../runtime-binding.js";

/** A runtime binding that is valid, with its defaults filled in. */
export type ServiceBinding<D extends Direction = Direction> = RuntimeBinding<D> & {
  readonly cloudEnvironment: CloudEnvironmentName;
} & (D extends "input" ? unknown : { readonly publishWith: PublishWith });

/** How the fields of a service are checked. */
export interface ServiceCheck {
  /** Name of a field in messages. @default its own */
  nameOf?(field: NamedField): string;
  /** What a message says about a missing field. @default "is required" */
  readonly missing?: string;
  /** Completes the message about a missing field. @default nothing */
  advice?(field: NamedField): string;
  /** Fields that the service may get in another way, so that they are not required. @default none */
  readonly supplied?: readonly string[];
  readonly fields?: FieldTable;
}

type Values = Readonly<Record<string, unknown>>;

/** The results of {@link parseServiceBinding} with their directions. Nothing validates them again. */
const parsedBindings = new WeakMap<object, Direction>();

/**
 * Parses a binding for a service that has a direction: returns the fields of that direction, or
 * everything that is wrong with them. A binding that was parsed before, such as one from the
 * environment, is returned as it is.
 */
export function parseServiceBinding<D extends Direction>(
  binding: object,
  direction: D,
  check: ServiceCheck = {},
): ServiceBinding<D> | Problem[] {
  if (isParsed(binding, direction)) return binding;
  const { fields = bindingFields } = check;
  const values: Values = { ...binding };
  const ofDirection = serviceFields(fields).filter((field) => isOfDirection(field, direction));
  const problems = ofDirection.flatMap((field) => fieldProblems(field, values, check));
  if (problems.length > 0) return problems;
  const used = ofDirection.filter(
    (field) => typeof field.required !== "object" || isRequired(field, values, fields),
  );
  const named = used.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue] as const);
  const parsed = Object.freeze({
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    direction,
  });
  parsedBindings.set(parsed, direction);
  return parseServiceBinding(parsed, direction);
}

function isParsed<D extends Direction>(
  binding: object,
  direction: D,
): binding is ServiceBinding<D> {
  const parsed = parsedBindings.get(binding);
  return parsed !== undefined && (parsed === direction || parsed === "input, output");
}

function fieldProblems(
  field: NamedField,
  values: Values,
  { nameOf, advice, missing = "is required", supplied = [], fields = bindingFields }: ServiceCheck,
): readonly Problem[] {
  const { name, rule, ruleIfExisting = rule, service, required } = field;
  const value = values[name];
  const shownName = nameOf?.(field) ?? name;
  // The service does not know whether its event subscription existed before.
  if (value !== undefined) return problemsOf(ruleIfExisting, shownName, value);
  const isNeeded =
    service?.required && (typeof required !== "object" || isRequired(field, values, fields));
  if (!isNeeded || supplied.includes(name)) return [];
  const purpose = field.direction === "input" ? "receive" : "publish";
  const message = `${missing} to ${purpose} events${advice?.(field) ?? ""}`;
  return [problem(shownName, "required", message)];
}
