import {
  attributeName,
  type FilterCondition,
  filterConditions,
  includedTypes,
  isNegative,
  passesCondition,
} from "cloud-eventgrid-binding-runtime/contract";
import { type Domain, findValue, type Requirement } from "./find-value.js";

/** The schemas of events, in which keys name attributes differently. */
export type Schema = "CloudEventSchemaV1_0" | "EventGridSchema";

/** An event's attributes, proof that there is none, or neither. */
export type Outcome = { readonly event: Readonly<Record<string, unknown>> } | "none" | "unknown";

/** What two filters do with the events of one type. */
export interface Relation {
  /** Whether an event passes the first filter, and so on. */
  readonly before: Outcome;
  readonly after: Outcome;
  readonly both: Outcome;
  /** Whether an event passes the first filter and not the second, and the other way round. */
  readonly lost: Outcome;
  readonly gained: Outcome;
}

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
    this.#rules = schemas.map((schema) => new SchemaRules(schema, before, after));
  }

  relation(type: string | typeof OTHER_TYPES): Relation {
    const isOther = type === OTHER_TYPES;
    const values = isOther ? this.known : [type];
    const condition = typeCondition(values, isOther);
    const relations = this.#rules.map((rules) => rules.relation({ condition, holds: !isOther }));
    return combined((name) => relations.map((relation) => relation[name]).reduce(either, "none"));
  }
}

const NAMES = ["before", "after", "both", "lost", "gained"] as const;

function combined(outcomeOf: (name: (typeof NAMES)[number]) => Outcome): Relation {
  const [before, after, both, lost, gained] = NAMES.map(outcomeOf);
  const or = (outcome: Outcome | undefined) => outcome ?? "unknown";
  return {
    before: or(before),
    after: or(after),
    both: or(both),
    lost: or(lost),
    gained: or(gained),
  };
}

function either(a: Outcome, b: Outcome): Outcome {
  if (typeof a === "object") return a;
  if (typeof b === "object") return b;
  return a === "unknown" ? a : b;
}

function both(a: Outcome, b: Outcome): Outcome {
  if (a === "none" || b === "none") return "none";
  if (typeof a === "string" || typeof b === "string") return "unknown";
  return { event: { ...a.event, ...b.event } };
}

function typeCondition(values: readonly string[], ignoresCase: boolean): FilterCondition {
  const common = { from: "types", key: "type", operator: "StringIn", text: "" } as const;
  return { ...common, values, ignoresCase, onArrays: false, isUnknown: false };
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

/** Two filters, for the events of one schema. */
class SchemaRules {
  readonly #before: Side;
  readonly #after: Side;
  readonly #others: Relation;

  constructor(
    private readonly schema: Schema,
    before: unknown,
    after: unknown,
  ) {
    this.#before = this.#side(before);
    this.#after = this.#side(after);
    this.#others = this.#relate(this.#before.others, this.#after.others);
  }

  relation(restriction: Requirement): Relation {
    const [type] = restriction.condition.values;
    const isOpen =
      restriction.holds &&
      [this.#before, this.#after].some((side) => side.isCaseOpen(String(type)));
    const types = isOpen
      ? combined(() => "unknown")
      : this.#relate(this.#before.types, this.#after.types, [restriction]);
    const others = this.#others;
    return {
      before: both(types.before, others.before),
      after: both(types.after, others.after),
      both: both(types.both, others.both),
      lost: either(both(types.lost, others.before), both(types.before, others.lost)),
      gained: either(both(types.gained, others.after), both(types.after, others.gained)),
    };
  }

  #side(filter: unknown): Side {
    const conditions = filterConditions(filter);
    const isType = (one: FilterCondition) => this.#fieldOf(one) === this.#typeField;
    const types = includedTypes(filter);
    const folded = new Set(types.map((type) => type.toLowerCase()));
    return {
      types: conditions.filter(isType),
      others: conditions.filter((one) => !isType(one)),
      isCaseOpen: (type) => folded.has(type.toLowerCase()) && !types.includes(type),
    };
  }

  get #typeField(): string {
    return this.schema === "EventGridSchema" ? "eventType" : "type";
  }

  #relate(
    before: readonly FilterCondition[],
    after: readonly FilterCondition[],
    restrictions: readonly Requirement[] = [],
  ): Relation {
    const event = (conditions: readonly FilterCondition[]) =>
      this.#eventFor([
        ...restrictions,
        ...conditions.map((condition) => ({ condition, holds: true })),
      ]);
    return {
      before: event(before),
      after: event(after),
      both: event([...before, ...after]),
      lost: this.#difference(before, after, restrictions),
      gained: this.#difference(after, before, restrictions),
    };
  }

  /** An event that passes the first conditions and fails one of the others. */
  #difference(
    passing: readonly FilterCondition[],
    failing: readonly FilterCondition[],
    restrictions: readonly Requirement[],
  ): Outcome {
    const passed = [...restrictions, ...passing.map((condition) => ({ condition, holds: true }))];
    const any = this.#eventFor(passed);
    if (any === "none") return any;
    return failing
      .map((condition): Outcome => {
        if (condition.isUnknown) return "unknown";
        const found = this.#eventFor([...passed, { condition, holds: false }]);
        return found === "none" && this.#isOpen(passing, condition) ? "unknown" : found;
      })
      .reduce(either, "none");
  }

  /** An event that meets all requirements. Each field is independent of the others. */
  #eventFor(requirements: readonly Requirement[]): Outcome {
    const byField = new Map<string, Requirement[]>();
    for (const one of requirements.filter(({ condition }) => !condition.isUnknown)) {
      const field = this.#fieldOf(one.condition);
      byField.set(field, [...(byField.get(field) ?? []), one]);
    }
    let outcome: Outcome = { event: {} };
    for (const [field, group] of byField) {
      const found = findValue(group, this.#domainOf(field));
      const isAmbiguous = new Set(group.map(({ condition }) => isAlias(condition))).size > 1;
      const next: Outcome =
        typeof found === "object"
          ? { event: { [field]: found.value } }
          : isAmbiguous
            ? "unknown"
            : found;
      outcome = both(outcome, next);
    }
    const isUncertain = requirements.some(({ condition }) => condition.isUnknown);
    const fields = [...byField.keys()];
    const overlaps = fields.some((a) => fields.some((b) => b.startsWith(`${a}.`)));
    return typeof outcome === "object" && (isUncertain || overlaps) ? "unknown" : outcome;
  }

  /**
   * Whether the documentation leaves open what both do with a value, so that they may differ in Azure:
   * null, another type, arrays without the setting. Operators of one kind do the same with it.
   */
  #isOpen(passing: readonly FilterCondition[], failing: FilterCondition): boolean {
    const field = this.#fieldOf(failing);
    const same = passing.filter((one) => this.#fieldOf(one) === field);
    const domain = this.#domainOf(field);
    if (domain !== "any" && domain !== "attribute") return false;
    return [undefined, null, true, 5, "x", {}, [5], ["x"], []].some((value) => {
      if (domain === "attribute" && typeof value === "object") return false;
      if (!(isOpenFor(failing, value) || !passesCondition(failing, value))) return false;
      if (!same.every((one) => isOpenFor(one, value) || passesCondition(one, value))) return false;
      const open = same.filter((one) => isOpenFor(one, value));
      if (!isOpenFor(failing, value)) return open.length > 0;
      return !open.some((one) => kindOf(one) === kindOf(failing));
    });
  }

  #fieldOf({ from, key }: FilterCondition): string {
    if (from === "types") return this.#typeField;
    const [first = "", ...path] = key.split(".");
    const template = TEMPLATES[this.schema];
    return [attributeName(first, "specversion" in template, template), ...path].join(".");
  }

  #domainOf(field: string): Domain {
    const [name = "", ...path] = field.split(".");
    const template = TEMPLATES[this.schema];
    const domain = Object.hasOwn(template, name) ? template[name] : undefined;
    if (path.length > 0) return domain === "any" ? "any" : "missing";
    return domain ?? ("specversion" in template ? "attribute" : "missing");
  }
}

interface Side {
  readonly types: readonly FilterCondition[];
  readonly others: readonly FilterCondition[];
  /** Whether a type is included in another case only, which the documentation leaves open. */
  readonly isCaseOpen: (type: string) => boolean;
}

/** `topic` means the source of a CloudEvent, but it may be the name of an extension, too. */
function isAlias({ from, key }: FilterCondition): boolean {
  return from === "advanced" && /^topic(\.|$)/i.test(key);
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
