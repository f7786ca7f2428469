import { type Problem, problem } from "../errors.js";
import { problemsOf } from "../validation/index.js";
import type { CloudEnvironmentName } from "./cloud-environment.js";
import { bindingFields, namespaceTopicFields, pullFields } from "./field-table.js";
import {
  type FieldTable,
  isOfDirection,
  isUsed,
  type NamedField,
  serviceFields,
} from "./fields.js";
import type {
  Direction,
  NamespaceTopicRuntimeBinding,
  PublishWith,
  PullRuntimeBinding,
  RuntimeBinding,
} from "./props.js";

/** A runtime binding that is valid, with its defaults filled in. */
export type ServiceBinding<D extends Direction = Direction> = RuntimeBinding<D> & {
  readonly cloudEnvironment: CloudEnvironmentName;
} & (D extends "input" ? unknown : { readonly publishWith: PublishWith });

/** The same with these fields, which have defaults. */
type Completed<Binding, Field extends keyof Binding> = Binding & {
  readonly [Name in Field]-?: NonNullable<Binding[Name]>;
};

export type ServicePullBinding = Completed<
  PullRuntimeBinding,
  "cloudEnvironment" | "receiveWith" | "receiveLockSeconds"
>;

export type ServiceNamespaceTopic = Completed<
  NamespaceTopicRuntimeBinding,
  "cloudEnvironment" | "publishWith"
>;

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
}

type Values = Readonly<Record<string, unknown>>;

/** What {@link parseValues} returned, with its table and direction. Nothing validates it again. */
const parsedBindings = new WeakMap<object, { fields: FieldTable; direction: Direction }>();

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
  return parseValues<ServiceBinding<D>>(binding, direction, check, bindingFields);
}

/** As {@link parseServiceBinding}, for a receiver. */
export function parsePullBinding(
  binding: object,
  check: ServiceCheck = {},
): ServicePullBinding | Problem[] {
  return parseValues<ServicePullBinding>(binding, "input", check, pullFields);
}

/** As {@link parseServiceBinding}, for a publisher of a namespace topic. */
export function parseNamespaceTopic(
  binding: object,
  check: ServiceCheck = {},
): ServiceNamespaceTopic | Problem[] {
  return parseValues<ServiceNamespaceTopic>(binding, "output", check, namespaceTopicFields);
}

function parseValues<Parsed extends object>(
  binding: object,
  direction: Direction,
  check: ServiceCheck,
  fields: FieldTable,
): Parsed | Problem[] {
  const known = parsedBindings.get(binding);
  if (
    known?.fields === fields &&
    (known.direction === direction || known.direction === "input, output")
  ) {
    return binding as Parsed;
  }
  const values: Values = { ...binding };
  const ofDirection = serviceFields(fields).filter((field) => isOfDirection(field, direction));
  const problems = ofDirection.flatMap((field) => fieldProblems(field, values, check, fields));
  if (problems.length > 0) return problems;
  const parsed: Record<string, unknown> = {};
  for (const field of ofDirection) {
    const value = values[field.name] ?? field.defaultValue;
    if (value !== undefined && isUsed(field, values, fields)) parsed[field.name] = value;
  }
  if ("direction" in fields) parsed.direction = direction;
  parsedBindings.set(Object.freeze(parsed), { fields, direction });
  return parsed as Parsed;
}

function fieldProblems(
  field: NamedField,
  values: Values,
  { nameOf, advice, missing = "is required", supplied = [] }: ServiceCheck,
  fields: FieldTable,
): readonly Problem[] {
  const { name, rule, ruleIfExisting = rule, service } = field;
  const value = values[name];
  const shownName = nameOf?.(field) ?? name;
  // The service does not know whether its event subscription existed before.
  if (value !== undefined) return problemsOf(ruleIfExisting, shownName, value);
  const isNeeded = service?.required && isUsed(field, values, fields);
  if (!isNeeded || supplied.includes(name)) return [];
  const purpose = field.direction === "input" ? "receive" : "publish";
  const message = `${missing} to ${purpose} events${advice?.(field) ?? ""}`;
  return [problem(shownName, "required", message)];
}
