import type { EventFilter, FilterCondition } from "cloud-eventgrid-local";

/** Random filters and events over few values, so that they meet. The same seed gives the same ones. */
export class RandomFilters {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to 1, by mulberry32. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  pick<const Items extends readonly unknown[]>(items: Items): Items[number] {
    return items[Math.floor(this.number() * items.length)];
  }

  some<Item>(items: readonly Item[], most: number): Item[] {
    const count = 1 + Math.floor(this.number() * most);
    return [...new Set(Array.from({ length: count }, () => this.pick(items)))];
  }

  filter(): EventFilter {
    const conditions = this.pick([0, 0, 1, 1, 2, 3]);
    return {
      ...(this.chance(0.6) && { includedEventTypes: this.some(TYPES, 3) }),
      ...(this.chance(0.25) && { subjectBeginsWith: this.pick(BEGINNINGS) }),
      ...(this.chance(0.2) && { subjectEndsWith: this.pick(ENDS) }),
      ...(this.chance(0.2) && { isSubjectCaseSensitive: true }),
      ...(this.chance(0.3) && { enableAdvancedFilteringOnArrays: true }),
      advancedFilters: Array.from({ length: conditions }, () => this.condition()),
    };
  }

  /** A filter that a person might make of another one: mostly a single change. */
  changed(filter: EventFilter): EventFilter {
    const { includedEventTypes: types = [], advancedFilters = [] } = filter;
    const without = advancedFilters.filter((_, index) => index > 0);
    const change: EventFilter = this.pick<readonly EventFilter[]>([
      { includedEventTypes: types.slice(1) },
      { includedEventTypes: [...new Set([...types, this.pick(TYPES)])] },
      { subjectBeginsWith: this.pick(BEGINNINGS) },
      { subjectBeginsWith: undefined, subjectEndsWith: undefined },
      { isSubjectCaseSensitive: !filter.isSubjectCaseSensitive },
      { enableAdvancedFilteringOnArrays: !filter.enableAdvancedFilteringOnArrays },
      { advancedFilters: [...advancedFilters, this.condition()] },
      { advancedFilters: without },
      { advancedFilters: [...without, this.condition()] },
      { advancedFilters: advancedFilters.map((each) => this.#shifted(each)) },
      {},
      this.filter(),
    ]);
    return { ...filter, ...change };
  }

  condition(): FilterCondition {
    const [kind, key] = this.pick(KEYS);
    const operators = this.chance(0.85)
      ? OPERATORS[kind]
      : OPERATORS[this.pick(["text", "number"])];
    return { key, ...this.#operand(this.pick(operators)) } as FilterCondition;
  }

  #operand(operatorType: string): object {
    if (operatorType.startsWith("Is")) return { operatorType };
    if (operatorType === "BoolEquals") return { operatorType, value: this.chance(0.5) };
    if (operatorType.endsWith("Range")) {
      const from = this.pick(NUMBERS);
      return { operatorType, values: [[from, from + this.pick([0, 5, 50])]] };
    }
    if (/^Number(Not)?In$/.test(operatorType)) {
      return { operatorType, values: this.some(NUMBERS, 3) };
    }
    if (operatorType.startsWith("Number")) return { operatorType, value: this.pick(NUMBERS) };
    return { operatorType, values: this.some(TEXTS, 3) };
  }

  /** The same condition with other values, or with another operator on them. */
  #shifted(condition: FilterCondition): FilterCondition {
    if (this.chance(0.5)) {
      return { key: condition.key, ...this.#operand(condition.operatorType) } as FilterCondition;
    }
    if (!("values" in condition) || condition.values.length < 2) return condition;
    return { ...condition, values: condition.values.slice(1) } as FilterCondition;
  }

  /** A CloudEvent, or an event in the Event Grid schema. */
  event(isCloudEvent: boolean): Record<string, unknown> {
    const id = this.pick(["1", "order-7"]);
    const type = this.pick(TYPES);
    const subject = this.chance(0.85) ? this.pick(SUBJECTS) : undefined;
    const data = this.chance(0.95) ? this.#data() : undefined;
    if (!isCloudEvent) {
      const time = "2026-01-01T00:00:00Z";
      const head = { id, eventType: type, subject: subject ?? "-", eventTime: time };
      return { ...head, dataVersion: "1", data: data ?? {} };
    }
    const region = this.pick([undefined, "north", "South", 5, true]);
    const optional = { subject, region, data };
    return {
      specversion: "1.0",
      id,
      source: this.pick(["/shop", "/Orders/7"]),
      type,
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    };
  }

  #data(): Record<string, unknown> {
    const value = (items: readonly unknown[]): unknown => {
      if (this.chance(0.08)) return undefined;
      if (this.chance(0.06)) return null;
      if (this.chance(0.1)) return this.pick([...TEXTS, ...NUMBERS, true, {}]);
      return this.chance(0.12) ? this.some(items, 3) : this.pick(items);
    };
    return {
      total: value(NUMBERS),
      state: value(TEXTS),
      paid: value([true, false]),
      tags: this.chance(0.7) ? this.some<unknown>([...TEXTS, 5], 3) : value(TEXTS),
      order: this.chance(0.8) ? { id: value(TEXTS), lines: value(NUMBERS) } : value(TEXTS),
    };
  }
}

const TYPES = [
  "shop.order.placed",
  "shop.order.paid",
  "shop.order.cancelled",
  "shop.parcel.sent",
] as const;
const BEGINNINGS = ["orders/", "Orders/", "orders/1", "parcels/"] as const;
const ENDS = ["/7", ".json", ".JSON"] as const;
const SUBJECTS = ["orders/17", "ORDERS/7", "orders/1/a.json", "parcels/7", "x", "orders/"] as const;
const TEXTS = ["open", "Open", "opened", "closed", "reopen", "order-7", "north", "5"] as const;
const NUMBERS = [0, 1, 5, 10, 55, 100, -3, 2.5] as const;

const KEYS = [
  ["number", "data.total"],
  ["number", "Data.total"],
  ["number", "data.order.lines"],
  ["text", "data.state"],
  ["text", "data.tags"],
  ["text", "data.order.id"],
  ["truth", "data.paid"],
  ["text", "data.missing"],
  ["text", "subject"],
  ["text", "Subject"],
  ["text", "type"],
  ["text", "EventType"],
  ["text", "source"],
  ["text", "region"],
  ["text", "ID"],
] as const;

const TEXT_OPERATORS = [
  "StringIn",
  "StringNotIn",
  "StringContains",
  "StringNotContains",
  "StringBeginsWith",
  "StringNotBeginsWith",
  "StringEndsWith",
  "StringNotEndsWith",
  "IsNotNull",
  "IsNullOrUndefined",
] as const;

const OPERATORS = {
  text: TEXT_OPERATORS,
  truth: ["BoolEquals", "BoolEquals", "IsNotNull", "IsNullOrUndefined"],
  number: [
    "NumberIn",
    "NumberNotIn",
    "NumberLessThan",
    "NumberLessThanOrEquals",
    "NumberGreaterThan",
    "NumberGreaterThanOrEquals",
    "NumberInRange",
    "NumberNotInRange",
    "IsNotNull",
    "IsNullOrUndefined",
  ],
} as const;
