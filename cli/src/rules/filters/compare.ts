import { split } from "cloud-eventgrid-binding-runtime/internal";
import { Groups } from "../../collections.js";
import {
  attributeName,
  type FilterCondition,
  filterConditions,
  isNegative,
  isOldName,
  passesCondition,
} from "./event-filter.js";
import { type Domain, type Found, findValue, type Requirement, scalars } from "./find-value.js";

/** The schemas of events, in which keys name attributes differently. */
export type Schema = "CloudEventSchemaV1_0" | "EventGridSchema";

/** An event's attributes, proof that there is none, or neither. */
export type Outcome = { readonly event: Readonly<Record<string, unknown>> } | "none" | "unknown";

/** What two filters do with the events of one type. */
export interface Relation {
  /** Whether an event passes the first filter, and both. */
  readonly before: Outcome;
  readonly both: Outcome;
  /** Whether an event passes the first filter and not the second, and the other way round. */
  readonly lost: Outcome;
  readonly gained: Outcome;
}

/** What the second filter does to the events of a type that the first one let through. */
export type Change = "none" | "new" | "wider" | "narrower" | "other" | "ended" | "unknown";

/** @param isLost whether an event is known that passes the first filter and not the second */
export function changeOf({ before, both, lost, gained }: Relation, isLost: boolean): Change {
  if (lost === "none" && gained === "none") return "none";
  if (before === "none") return "new";
  if (lost === "unknown" && !isLost) return "unknown";
  if (lost === "none") return "wider";
  if (both === "none") return "ended";
  return gained === "none" ? "narrower" : "other";
}

type Conditions = readonly FilterCondition[];

/** Every type that no filter, event or documentation names. */
export const OTHER_TYPES: unique symbol = Symbol("any other type");

/** Compares two filters, for every type. */
export class Comparison {
  readonly #rules: readonly SchemaRules[];

  /**
   * @param schemas that the events may have; an event of either counts
   * @param known the types that have a relation of their own
   */
  constructor(
    before: unknown,
    after: unknown,
    schemas: readonly Schema[],
    private readonly known: readonly string[],
  ) {
    const [first, second] = [filterConditions(before), filterConditions(after)];
    this.#rules = schemas.map((schema) => new SchemaRules(schema, first, second));
  }

  /** @param always what holds for every event of the type */
  relation(type: string | typeof OTHER_TYPES, always: Conditions = []): Relation {
    const isOther = type === OTHER_TYPES;
    const condition: FilterCondition = {
      from: "types",
      key: "type",
      operator: "StringIn",
      values: isOther ? this.known : [type],
      ignoresCase: isOther,
      onArrays: false,
      isUnknown: false,
      text: "",
    };
    const relations = this.#rules.map((rules) =>
      rules.relation({ condition, holds: !isOther }, always),
    );
    const any = (name: keyof Relation) =>
      relations.map((relation) => relation[name]).reduce(either, "none");
    return { before: any("before"), both: any("both"), lost: any("lost"), gained: any("gained") };
  }
}

function either(a: Outcome, b: Outcome): Outcome {
  if (typeof a === "object") return a;
  if (typeof b === "object") return b;
  return a === "unknown" ? a : b;
}

/** The names that keys can have in any case. Other attributes of CloudEvents are extensions. */
const TEMPLATES: Readonly<Record<Schema, Readonly<Record<string, Domain>>>> = {
  CloudEventSchemaV1_0: {
    specversion: "text",
    id: "text",
    source: "text",
    type: "text",
    subject: "optional-text",
    time: "optional-text",
    data: "any",
  },
  EventGridSchema: {
    id: "text",
    topic: "text",
    subject: "text",
    eventType: "text",
    eventTime: "text",
    dataVersion: "optional-text",
    metadataVersion: "optional-text",
    data: "any",
  },
};

const holding = (conditions: Conditions): Requirement[] =>
  conditions.map((condition) => ({ condition, holds: true }));

/** Two filters, for the events of one schema. */
class SchemaRules {
  /** Results by the requirements of a field, since most are the same for every type. */
  readonly #found = new Map<string, Found>();
  readonly #numbers = new Map<FilterCondition, number>();

  constructor(
    private readonly schema: Schema,
    private readonly first: Conditions,
    private readonly second: Conditions,
  ) {}

  relation(type: Requirement, always: Conditions): Relation {
    const given = [type, ...holding(always)];
    const isOpen = [...this.first, ...this.second].some((one) => isCaseOpen(one, type));
    const decided = (conditions: Conditions) =>
      conditions.map((one) =>
        (isOpen && this.#fieldOf(one) === this.#typeField) || this.#isOld(one)
          ? { ...one, isUnknown: true }
          : one,
      );
    const [before, after] = [decided(this.first), decided(this.second)];
    return {
      before: this.#eventFor([...given, ...holding(before)]),
      both: this.#eventFor([...given, ...holding(before), ...holding(after)]),
      lost: this.#difference(before, after, given),
      gained: this.#difference(after, before, given),
    };
  }

  get #typeField(): string {
    return this.schema === "EventGridSchema" ? "eventType" : "type";
  }

  /** An event of the type that passes the first conditions and fails one of the others. */
  #difference(passing: Conditions, failing: Conditions, given: readonly Requirement[]): Outcome {
    const passed = [...given, ...holding(passing)];
    if (this.#eventFor(passed) === "none") return "none";
    return failing
      .map((condition): Outcome => {
        if (condition.isUnknown) return "unknown";
        if (passing.some((one) => isSame(one, condition))) return "none";
        const found = this.#eventFor([...passed, { condition, holds: false }]);
        return found === "none" && this.#isOpen(passing, condition) ? "unknown" : found;
      })
      .reduce(either, "none");
  }

  /** An event that meets all requirements. Each field is independent of the others. */
  #eventFor(requirements: readonly Requirement[]): Outcome {
    const byField = new Groups<string, Requirement>();
    for (const one of requirements.filter(({ condition }) => !condition.isUnknown)) {
      byField.add(this.#fieldOf(one.condition), one);
    }
    const fields = [...byField].map(([field]) => field);
    const overlaps = fields.some((a) => fields.some((b) => b.startsWith(`${a}.`)));
    let isUnknown = overlaps || requirements.some(({ condition }) => condition.isUnknown);
    const event: Record<string, unknown> = {};
    for (const [field, group] of byField) {
      const found = this.#valueFor(field, group);
      const isAmbiguous = new Set(group.map(({ condition }) => isAlias(condition))).size > 1;
      if (found === "none" && !isAmbiguous) return "none";
      if (typeof found === "object") event[field] = found.value;
      else isUnknown = true;
    }
    return isUnknown ? "unknown" : { event };
  }

  #valueFor(field: string, requirements: readonly Requirement[]): Found {
    const numbers = requirements.map(({ condition, holds }) => {
      const number = this.#numbers.get(condition) ?? this.#numbers.size;
      this.#numbers.set(condition, number);
      return holds ? number : -1 - number;
    });
    const key = numbers.join(" ");
    const found = this.#found.get(key) ?? findValue(requirements, this.#domainOf(field));
    this.#found.set(key, found);
    return found;
  }

  /**
   * Whether the documentation leaves open what both do with a value, so that they may differ in Azure:
   * null, another type, arrays without the setting. Operators of one kind do the same with it.
   */
  #isOpen(passing: Conditions, failing: FilterCondition): boolean {
    const field = this.#fieldOf(failing);
    const same = passing.filter((one) => this.#fieldOf(one) === field);
    const domain = this.#domainOf(field);
    if (domain !== "any" && domain !== "attribute") return false;
    const texts = same.filter(({ operator }) => operator.startsWith("String"));
    const text = findValue(holding(texts), "text");
    const simple = [
      ...(typeof text === "object" ? [text.value] : []),
      ...scalars(holding([failing, ...same])),
    ];
    const arrays = simple.map((each) => [each]);
    return [undefined, null, {}, [], ...simple, ...arrays].some((value) => {
      if (domain === "attribute" && typeof value === "object") return false;
      if (!(isOpenFor(failing, value) || !passesCondition(failing, value))) return false;
      if (!same.every((one) => isOpenFor(one, value) || passesCondition(one, value))) return false;
      const open = same.filter((one) => isOpenFor(one, value));
      if (!isOpenFor(failing, value)) return open.length > 0;
      return !open.some((one) => kindOf(one) === kindOf(failing));
    });
  }

  #isOld(condition: FilterCondition): boolean {
    return this.schema === "CloudEventSchemaV1_0" && isOldName(condition);
  }

  #fieldOf({ from, key }: FilterCondition): string {
    if (from === "types") return this.#typeField;
    const [first, ...path] = split(key, ".");
    const template = TEMPLATES[this.schema];
    return [attributeName(first, "specversion" in template, template), ...path].join(".");
  }

  #domainOf(field: string): Domain {
    const [name, ...path] = split(field, ".");
    const template = TEMPLATES[this.schema];
    const domain = Object.hasOwn(template, name) ? template[name] : undefined;
    if (path.length > 0) return domain === "any" ? "any" : "missing";
    return domain ?? ("specversion" in template ? "attribute" : "missing");
  }
}

function isSame(a: FilterCondition, b: FilterCondition): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a list has the type in another case only, which the documentation leaves open. */
function isCaseOpen({ from, values }: FilterCondition, { condition, holds }: Requirement): boolean {
  if (!holds || from !== "types") return false;
  const [type] = condition.values;
  const folded = values.map((value) => String(value).toLowerCase());
  return folded.includes(String(type).toLowerCase()) && !values.includes(type);
}

/** `topic` means the source of a CloudEvent, but it may be the name of an extension, too. */
function isAlias({ from, key }: FilterCondition): boolean {
  return from === "advanced" && `${key}.`.toLowerCase().startsWith("topic.");
}

function kindOf({ operator }: FilterCondition): string {
  return `${operator.slice(0, 6)} ${isNegative(operator)}`;
}

/** Whether the documentation leaves open what an operator does with a value. docs/parity.md has a table. */
function isOpenFor({ operator, onArrays, from }: FilterCondition, value: unknown): boolean {
  if (from !== "advanced") return false;
  if (value === undefined) return operator.endsWith("Range");
  const isNullTest = operator.startsWith("Is");
  if (Array.isArray(value)) return !onArrays && (isNullTest || isNegative(operator));
  if (isNullTest) return false;
  if (value === null) return isNegative(operator);
  const type = operator.startsWith("Number")
    ? "number"
    : operator.startsWith("Bool")
      ? "boolean"
      : "string";
  return typeof value !== type;
}
