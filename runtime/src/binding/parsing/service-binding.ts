import { type Problem, problem, problemsOf } from "../../validation/index.js";
import type { CloudEnvironmentName } from "../cloud-environment.js";
import {
  bindingFields,
  type FieldTable,
  isOfDirection,
  isRequired,
  type NamedField,
  namespaceTopicFields,
  pullFields,
  serviceFields,
} from "../fields/index.js";
import type { Direction, PublishWith } from "../props.js";
import type {
  NamespaceTopicRuntimeBinding,
  PullRuntimeBinding,
  RuntimeBinding,
} from "../runtime-binding.js";

/** A runtime binding that is valid, with its defaults filled in. */
export type ServiceBinding<D extends Direction = Direction> = RuntimeBinding<D> & {
  readonly cloudEnvironment: CloudEnvironmentName;
} & (D extends "input" ? unknown : { readonly publishWith: PublishWith });

/** A {@link PullRuntimeBinding} that is valid, with its defaults filled in. */
export type ServicePullBinding = PullRuntimeBinding & {
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly receiveWith: PublishWith;
  readonly receiveLockSeconds: number;
};

/** A {@link NamespaceTopicRuntimeBinding} that is valid, with its defaults filled in. */
export type ServiceNamespaceTopic = NamespaceTopicRuntimeBinding & {
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly publishWith: PublishWith;
};

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
  const used = ofDirection.filter(
    (field) => typeof field.required !== "object" || isRequired(field, values, fields),
  );
  const named = used.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue] as const);
  const parsed = Object.freeze({
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    ...("direction" in fields && { direction }),
  });
  parsedBindings.set(parsed, { fields, direction });
  return parsed as Parsed;
}

function fieldProblems(
  field: NamedField,
  values: Values,
  { nameOf, advice, missing = "is required", supplied = [] }: ServiceCheck,
  fields: FieldTable,
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
