import { ConfigurationError, type Problem, problem, statedProblem } from "../errors.js";
import { isObject, problemsOf, showValue, unknownTooLate } from "../validation/index.js";
import type { CloudEnvironmentName } from "./cloud-environment.js";
import { scopeRule, uuidRule } from "./field-rules.js";
import { bindingFields, namespaceTopicFields, pullFields } from "./field-table.js";
import {
  definitionFields,
  directionOfFields,
  type FieldTable,
  isOfDirection,
  isRequired,
  type NamedField,
  oneDirectionOf,
  serviceFields,
} from "./fields.js";
import type {
  AuthenticationMethod,
  Direction,
  NamespaceTopicRuntimeBinding,
  PullRuntimeBinding,
  RuntimeBinding,
} from "./props.js";
import { parseScope } from "./scope.js";

/** How props are validated. */
export interface ValidationOptions {
  /**
   * Recognises values that are known only at deployment, such as the tokens of an infrastructure
   * tool. They count as set, and are not checked.
   *
   * @default no value is unresolved
   */
  readonly isUnresolved?: (value: unknown) => boolean;
  /**
   * Whether the event subscription already exists, created by other means. Its name may contain
   * hyphens, which Azure allows and the specification does not.
   *
   * @default false
   */
  readonly existingSubscription?: boolean;
}

/** How messages speak of fields, where a binding is not written as props. */
export interface FieldWording {
  /** Name of a field. @default its own */
  nameOf?(field: NamedField): string;
  /** Whether problems have that name as their `field`, too. @default false */
  readonly namesProblems?: boolean;
  /** The message for a missing field. @default "is required" */
  readonly missing?: string;
  /** Completes the message about a missing field. @default nothing */
  advice?(field: NamedField): string;
  /** Whether the text can set `writer` and `publishWith`, so that messages may mention them. @default true */
  readonly hasSwitches?: boolean;
}

type Table = typeof bindingFields;
type RequiredField<D> = {
  [Name in keyof Table]: Table[Name] extends { direction: D; required: true } ? Name : never;
}[keyof Table];

interface ResolvedCommon {
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly cloudAuthorityHost?: string;
}

type ResolvedInput = { readonly [Name in RequiredField<"input">]: string } & {
  readonly eventSubscriptionName?: string;
} & (
    | { readonly writer: "deployer"; readonly cloudClientSecret?: string }
    | { readonly writer: "client"; readonly cloudClientSecret: string }
  );

type ResolvedOutput = { readonly [Name in RequiredField<"output">]: string } & (
  | { readonly publishWith: "accessKey"; readonly accessKey: string }
  | { readonly publishWith: "entra" }
);

/** A binding with its direction, its defaults filled in and its values in normal form. */
export type ResolvedBinding<D extends Direction = Direction> = D extends "input"
  ? { readonly direction: "input" } & ResolvedCommon & ResolvedInput
  : D extends "output"
    ? { readonly direction: "output" } & ResolvedCommon & ResolvedOutput
    : { readonly direction: "input, output" } & ResolvedCommon & ResolvedInput & ResolvedOutput;

/** A runtime binding that is valid, with its defaults filled in. */
export type ServiceBinding<D extends Direction = Direction> = RuntimeBinding<D> & {
  readonly cloudEnvironment: CloudEnvironmentName;
} & (D extends "input" ? unknown : { readonly publishWith: AuthenticationMethod });

/** The same with these fields, which have defaults. */
type WithDefaults<Binding, Field extends keyof Binding> = Binding & {
  readonly [Name in Field]-?: NonNullable<Binding[Name]>;
};

export type ServicePullBinding = WithDefaults<
  PullRuntimeBinding,
  "cloudEnvironment" | "receiveWith" | "receiveLockSeconds"
>;

export type ServiceNamespaceTopic = WithDefaults<
  NamespaceTopicRuntimeBinding,
  "cloudEnvironment" | "publishWith"
>;

/**
 * Parses a definition: the binding in normal form, or everything that is wrong with it. Fields that do
 * not belong to a binding are ignored. Parsing the result again changes nothing.
 *
 * @param table that of the kind of binding
 */
export function parseBinding<Resolved extends object = ResolvedBinding>(
  props: unknown,
  options: ValidationOptions = {},
  table: FieldTable = bindingFields,
  wording: FieldWording = {},
): Resolved | Problem[] {
  if (!isObject(props)) return [notAnObject(props)];
  const direction =
    oneDirectionOf(table) ??
    (namesDirection(props) ? (props.direction as Direction) : undefined) ??
    directionOfFields(table, (field) => props[field] !== undefined);
  const fields = definitionFields(table);
  const parsed = parseFields({ ...options, values: props, table, fields, direction, wording });
  return parsed as Resolved | Problem[];
}

/**
 * As {@link parseBinding}.
 *
 * @throws {ConfigurationError} with everything that is wrong
 */
export function resolveBinding<Resolved extends object = ResolvedBinding>(
  props: object,
  options?: ValidationOptions,
  table?: FieldTable,
): Resolved {
  const binding = parseBinding<Resolved>(props, options, table);
  if (Array.isArray(binding)) throw new ConfigurationError("The binding is invalid", binding);
  return binding;
}

/**
 * Reports everything that is wrong with a set of props; an empty list means that they are valid.
 * Fields that do not belong to a binding are ignored.
 */
export function validateBinding(props: unknown, options: ValidationOptions = {}): Problem[] {
  const binding = parseBinding(props, options);
  return Array.isArray(binding) ? binding : [];
}

/** How the binding of a service is parsed. */
export interface ServiceOptions extends FieldWording {
  /** Fields that the service may get in another way, so that they are not required. @default none */
  readonly supplied?: readonly string[];
}

/** The results of {@link parseForService} with table and direction, which are not validated again. */
const parsedBindings = new WeakMap<object, { table: FieldTable; direction: Direction }>();

/**
 * Parses a binding for a service that has a direction: returns the fields of that direction, or
 * everything that is wrong with them. A binding that was parsed before, such as one from the
 * environment, is returned as it is.
 */
export function parseServiceBinding<D extends Direction>(
  binding: object,
  direction: D,
  options?: ServiceOptions,
): ServiceBinding<D> | Problem[] {
  return parseForService<ServiceBinding<D>>(binding, direction, bindingFields, options);
}

/** As {@link parseServiceBinding}, for a receiver. */
export function parsePullBinding(
  binding: object,
  options?: ServiceOptions,
): ServicePullBinding | Problem[] {
  return parseForService<ServicePullBinding>(binding, "input", pullFields, options);
}

/** As {@link parseServiceBinding}, for a publisher of a namespace topic. */
export function parseNamespaceTopic(
  binding: object,
  options?: ServiceOptions,
): ServiceNamespaceTopic | Problem[] {
  return parseForService<ServiceNamespaceTopic>(binding, "output", namespaceTopicFields, options);
}

function parseForService<Parsed extends object>(
  binding: object,
  direction: Direction,
  table: FieldTable,
  { supplied = [], ...wording }: ServiceOptions = {},
): Parsed | Problem[] {
  const known = parsedBindings.get(binding);
  if (
    known?.table === table &&
    (known.direction === direction || known.direction === "input, output")
  ) {
    return binding as Parsed;
  }
  if (!isObject(binding)) return [notAnObject(binding)];
  const fields = serviceFields(table).filter((field) => isOfDirection(field, direction));
  const service = { supplied };
  const parsed = parseFields({ values: binding, table, fields, direction, wording, service });
  if (!Array.isArray(parsed)) parsedBindings.set(Object.freeze(parsed), { table, direction });
  return parsed as Parsed | Problem[];
}

type Values = Readonly<Record<string, unknown>>;

/** Values that are parsed as the fields of a binding. */
interface Source extends ValidationOptions {
  readonly values: Values;
  readonly table: FieldTable;
  /** The fields that are read; others are ignored. */
  readonly fields: readonly NamedField[];
  /** Undefined if nothing that is set has one. */
  readonly direction: Direction | undefined;
  readonly wording: FieldWording;
  /** For a running service, which needs other fields, and does not know its event subscription. */
  readonly service?: { readonly supplied: readonly string[] };
}

function parseFields(source: Source): Record<string, unknown> | Problem[] {
  const { values, table, fields, direction, isUnresolved = () => false } = source;
  const problems = fields.flatMap((field) => problemsOfField(field, source));
  if (direction === undefined && values.direction === undefined) problems.push(nothingSet(source));
  problems.push(...otherSubscription(source));
  if (problems.length > 0) return problems;
  const binding: Record<string, unknown> = {};
  for (const field of fields) {
    if (direction === undefined || !isOfDirection(field, direction)) continue;
    if (isUnused(field, values, table)) continue;
    const set = values[field.name] ?? field.defaultValue;
    // Only text has a normal form, and a value that is known only later may be text, too.
    const normal =
      typeof set === "string" ? (field.normalize?.(set, isUnresolved(set)) ?? set) : set;
    if (normal !== undefined) binding[field.name] = normal;
  }
  if ("direction" in table) binding.direction = direction;
  return binding;
}

function problemsOfField(field: NamedField, source: Source): readonly Problem[] {
  const { values, table, direction, service } = source;
  const { name } = field;
  const isMisplaced = direction !== undefined && !isOfDirection(field, direction);
  if (values[name] === undefined) {
    if (isMisplaced || direction === undefined || !isNeeded(field, source)) return [];
    return [missing(field, source)];
  }
  if (isMisplaced) return misplaced(name, direction);
  const isExcess = service === undefined && isUnused(field, values, table);
  return [...(isExcess ? unused(field, source) : []), ...brokenRules(field, source)];
}

function isNeeded(field: NamedField, { values, table, service }: Source): boolean {
  if (service === undefined) return isRequired(field, values, table);
  if (!field.service?.required || service.supplied.includes(field.name)) return false;
  return typeof field.required !== "object" || isRequired(field, values, table);
}

/** Reports whether a field means nothing with the value that another field has. */
function isUnused(field: NamedField, values: Values, table: FieldTable): boolean {
  const { required } = field;
  return (
    typeof required === "object" &&
    required.otherwise === "unused" &&
    !isRequired(field, values, table)
  );
}

function namesDirection({ direction }: Values): boolean {
  return bindingFields.direction.rule.test(direction);
}

function notAnObject(value: unknown): Problem {
  const received = showValue(value);
  const message = `A binding must be an object with the fields of its direction, but is ${received}`;
  return { received, ...statedProblem("binding", { type: message }) };
}

function nameOf(field: NamedField, { wording }: Source): string {
  return wording.nameOf?.(field) ?? field.name;
}

function missing(field: NamedField, source: Source): Problem {
  const { values, wording } = source;
  const shown = nameOf(field, source);
  const isUndefined = field.name in values && wording.missing === undefined;
  const state = isUndefined ? "is undefined, but required" : (wording.missing ?? "is required");
  const message = `${state} ${reasonFor(field, source)}${wording.advice?.(field) ?? ""}`;
  return { ...problem(shown, { required: message }), field: problemField(field, source) };
}

function problemField(field: NamedField, source: Source): string {
  return source.wording.namesProblems ? nameOf(field, source) : field.name;
}

/** Explains why a field is required. */
function reasonFor({ direction, required }: NamedField, source: Source): string {
  const { values, wording, table, service } = source;
  const purpose = `to ${direction === "input" ? "receive" : "publish"} events`;
  if (service !== undefined) return purpose;
  const isNamed = namesDirection(values) || oneDirectionOf(table) !== undefined;
  const why = isNamed ? purpose : `${purpose} (${fieldsThatAreSet(direction, source)})`;
  if (typeof required !== "object" || wording.hasSwitches === false) return why;
  const { defaultValue, rule } = table[required.field] ?? {};
  if (required.value !== defaultValue) return `because ${required.field} is "${required.value}"`;
  const other = rule?.choices?.find((choice) => choice !== required.value);
  return `${why}, unless ${required.field} is "${other}"`;
}

/** Names the fields that imply a direction which the definition does not name. */
function fieldsThatAreSet(direction: NamedField["direction"], source: Source): string {
  const { values, wording, fields } = source;
  const set = fields
    .filter((field) => field.direction === direction && values[field.name] !== undefined)
    .filter(
      ({ name }) => wording.hasSwitches !== false || name !== ("writer" satisfies keyof Table),
    )
    .map((field) => nameOf(field, source));
  return `${set.join(", ")} ${set.length > 1 ? "are" : "is"} set`;
}

function unused({ name, required }: NamedField, { values, table }: Source): Problem[] {
  if (typeof required !== "object") return [];
  const { field: other, value: needed } = required;
  // An invalid value of the other field is a problem of its own.
  if (values[other] !== undefined && !table[other]?.rule.test(values[other])) return [];
  const message = `is not used unless ${other} is "${needed}": remove it, or set that`;
  return [problem(name, { unused: message })];
}

function misplaced(name: string, direction: Direction): Problem[] {
  const other = direction === "input" ? "output" : "input";
  const message =
    `belongs to the ${other} direction, but direction is "${direction}": ` +
    'remove it, or set direction to "input, output"';
  return [problem(name, { direction: message })];
}

function nothingSet(source: Source): Problem {
  const { values, table, fields } = source;
  const needed = (direction: Direction, separator: string) =>
    fields
      .filter((field) => field.direction === direction && isRequired(field, values, table))
      .map((field) => nameOf(field, source))
      .join(separator);
  const message =
    `is not set, and neither is a field of one: set ${needed("input", ", ")} to receive events, ` +
    `${needed("output", " and ")} to publish events`;
  return problem("direction", { required: message });
}

function brokenRules(field: NamedField, source: Source): readonly Problem[] {
  const { isUnresolved = () => false, existingSubscription, service, values } = source;
  const { name, rule, ruleIfExisting = rule, isSwitch } = field;
  const value = values[name];
  if (isUnresolved(value)) return isSwitch ? [unknownTooLate(name)] : [];
  const tested = existingSubscription || service !== undefined ? ruleIfExisting : rule;
  const problems = problemsOf(tested, nameOf(field, source), value);
  return problems.map((broken) => ({ ...broken, field: problemField(field, source) }));
}

function otherSubscription(source: Source): Problem[] {
  const { scope, cloudSubscriptionId: own } = source.values;
  if (typeof scope !== "string" || !scopeRule.test(scope)) return [];
  if (typeof own !== "string" || !uuidRule.test(own) || source.isUnresolved?.(scope)) return [];
  const { subscriptionId } = parseScope(scope);
  if (subscriptionId.toLowerCase() === own.toLowerCase()) return [];
  const name = nameOf(
    { name: "cloudSubscriptionId", ...bindingFields.cloudSubscriptionId },
    source,
  );
  const message =
    `must lie in the subscription of ${name} (${own}), ` +
    `but names the subscription ${subscriptionId}`;
  return [{ ...problem("scope", { "scope-subscription": message }), received: showValue(scope) }];
}
