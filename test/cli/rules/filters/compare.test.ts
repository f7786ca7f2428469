import { describe, expect, it } from "vitest";
import {
  type Change,
  Comparison,
  changeOf,
  OTHER_TYPES,
  type Outcome,
  type Schema,
} from "../../../../cli/src/rules/filters/compare.js";
import { filterConditions } from "../../../../cli/src/rules/filters/event-filter.js";
import { applyFilter } from "../../../../cli/src/rules/filters/index.js";
import { UNKNOWN } from "../../../../cli/src/rules/index.js";
import { RandomFilters } from "../../../support/random-filters.js";
import { eventWith } from "./event-with.js";

const both: readonly Schema[] = ["CloudEventSchemaV1_0", "EventGridSchema"];

/** `lost` and `gained`, in words, for events of one type. */
function change(before: object, after: object, type = "placed"): string {
  const { lost, gained } = new Comparison(before, after, both, [type]).relation(type);
  const word = (outcome: Outcome) => (typeof outcome === "object" ? "some" : outcome);
  return `lost ${word(lost)}, gained ${word(gained)}`;
}

const one = (operatorType: string, values: unknown, key = "data.x") => ({
  advancedFilters: [
    { key, operatorType, ...(Array.isArray(values) ? { values } : { value: values }) },
  ],
});

describe("the comparison of two filters", () => {
  it("proves that nothing is lost by a filter that is wider", () => {
    const wider: [object, object][] = [
      [one("NumberGreaterThan", 10), one("NumberGreaterThan", 9.5)],
      [one("NumberInRange", [[1, 5]]), one("NumberInRange", [[0, 5]])],
      [one("StringIn", ["ABC"]), one("StringBeginsWith", ["ab"])],
      [one("StringBeginsWith", ["abc"]), one("StringContains", ["B"])],
      [one("StringNotContains", ["a"]), one("StringNotBeginsWith", ["a"])],
      [one("StringIn", ["a"]), one("StringIn", ["a", "b"])],
      [{ subjectBeginsWith: "orders/17" }, { subjectBeginsWith: "ORDERS/" }],
      [{ subjectBeginsWith: "a/", isSubjectCaseSensitive: true }, { subjectBeginsWith: "A/" }],
    ];
    for (const [before, after] of wider) {
      expect(change(before, after)).toMatch(/^lost none, gained (some|unknown)$/);
      expect(change(after, before)).toMatch(/^lost some, gained none$/);
    }
  });

  it("finds what two conditions exclude together", () => {
    const between = {
      advancedFilters: [
        { key: "data.x", operatorType: "NumberGreaterThan", value: 1 },
        { key: "data.x", operatorType: "NumberLessThan", value: 2 },
      ],
    };
    const { lost } = new Comparison(between, one("NumberIn", [1, 2, 3]), both, []).relation(
      "placed",
    );
    expect(lost).toEqual({ event: { type: "placed", "data.x": 1.5 } });
  });

  it("finds what passes both", () => {
    const relation = (after: object) =>
      new Comparison(one("NumberGreaterThan", 1), after, both, []).relation("placed");
    expect(relation(one("NumberLessThan", 1)).both).toBe("none");
    expect(relation(one("NumberLessThan", 2)).both).toEqual({
      event: { type: "placed", "data.x": 1.5 },
    });
  });

  it.each<[before: Outcome, both: Outcome, lost: Outcome, gained: Outcome, Change, Change]>([
    ["unknown", "unknown", "none", "none", "none", "none"],
    ["none", "none", "none", "unknown", "new", "new"],
    ["unknown", "none", "unknown", "none", "unknown", "ended"],
    ["unknown", "unknown", "unknown", "none", "unknown", "narrower"],
    ["unknown", "unknown", "none", "unknown", "wider", "wider"],
    ["unknown", "unknown", "unknown", "unknown", "unknown", "other"],
  ])(
    "finds before %s, both %s, lost %s and gained %s to be %s, and %s if a lost event is known",
    (before, both, lost, gained, change, known) => {
      const relation = { before, both, lost, gained };
      expect([changeOf(relation, false), changeOf(relation, true)]).toEqual([change, known]);
    },
  );

  it("says unknown where a value is known only after the apply, and decides what it can", () => {
    const before = { includedEventTypes: ["placed", "paid"] };
    const after = { includedEventTypes: ["placed"], ...one("NumberIn", [UNKNOWN]) };
    expect(change(before, after)).toBe("lost unknown, gained none");
    expect(change(before, after, "paid")).toBe("lost some, gained none");
  });

  it("says unknown where the documentation leaves open what Azure does", () => {
    expect(change({ includedEventTypes: ["placed"] }, { includedEventTypes: ["Placed"] })).toBe(
      "lost unknown, gained unknown",
    );
    // Whether null passes StringNotIn.
    expect(change(one("StringNotIn", ["a"]), one("IsNotNull", []))).toMatch(/^lost some/);
    // Whether an array passes a negative operator without the setting for arrays.
    const onArrays = { ...one("StringNotIn", ["a"]), enableAdvancedFilteringOnArrays: true };
    expect(change(one("StringNotIn", ["a"]), onArrays)).toMatch(/^lost unknown/);
    expect(change(one("NumberNotIn", [1]), one("NumberNotInRange", [[1, 1]]))).toMatch(
      /^lost (unknown|none)/,
    );
  });

  it("says unknown for a condition known after the apply, even if both filters have it", () => {
    const later = one("NumberIn", [UNKNOWN]);
    expect(change(later, later)).toBe("lost unknown, gained unknown");
  });

  it("says unknown where only some values of another type reach an open question", () => {
    const lost = (after: object, ...before: object[]) =>
      change({ advancedFilters: before.flatMap((each) => Object(each).advancedFilters) }, after);
    // Whether a number passes StringNotIn, and a text NumberNotIn.
    const exclude = one("StringNotIn", ["a"]);
    expect(lost(exclude, one("NumberGreaterThan", 10))).toBe("lost unknown, gained some");
    expect(lost(exclude, one("NumberLessThan", -10))).toBe("lost unknown, gained some");
    const [begins, ends] = [one("StringBeginsWith", ["a"]), one("StringEndsWith", ["b"])];
    expect(lost(one("NumberNotIn", [1]), begins, ends)).toBe("lost unknown, gained some");
    const arrays = { enableAdvancedFilteringOnArrays: true };
    expect(change({ ...begins, ...arrays }, { ...exclude, ...arrays })).toMatch(/^lost some/);
  });

  it("loses nothing that no event of the type has", () => {
    const always = filterConditions(one("NumberIn", [1]));
    const after = { ...one("IsNotNull", []), enableAdvancedFilteringOnArrays: true };
    const comparison = new Comparison({}, after, both, []);
    expect(comparison.relation("placed", always).lost).toBe("none");
  });

  it("knows the attributes of the Event Grid schema, which has no others", () => {
    const before = (key: string, schema: Schema) =>
      new Comparison(one("StringIn", ["a"], key), {}, [schema], []).relation("placed").before;
    expect(before("tenant", "EventGridSchema")).toBe("none");
    expect(before("tenant", "CloudEventSchemaV1_0")).toHaveProperty("event");
  });

  it("says unknown for a key of the Event Grid schema, which may match no CloudEvent", () => {
    const lost = (key: string, schema: Schema) =>
      new Comparison({}, one("StringIn", ["a"], key), [schema], []).relation("placed").lost;
    for (const key of ["topic", "eventType", "EventID"]) {
      expect(lost(key, "CloudEventSchemaV1_0")).toBe("unknown");
    }
    expect(lost("topic", "EventGridSchema")).toHaveProperty("event");
    expect(lost("source", "CloudEventSchemaV1_0")).toHaveProperty("event");
  });

  it("decides 25 texts that a value must contain, which Azure allows", () => {
    const contains = (count: number) => ({
      advancedFilters: Array.from({ length: count }, (_, index) => ({
        key: "data.x",
        operatorType: "StringContains",
        values: [`word${String.fromCharCode(97 + index)}s`],
      })),
    });
    const relation = (before: object, after: object) =>
      new Comparison(before, after, both, []).relation(OTHER_TYPES);
    expect(relation(contains(25), contains(24)).lost).toBe("none");
    expect(relation(contains(24), contains(25)).lost).toHaveProperty("event");
  });

  it("chooses among the values of several conditions those that no other excludes", () => {
    const filter = (operatorType: string, values: string[]) => ({
      key: "data.x",
      operatorType,
      values,
    });
    const before = {
      advancedFilters: [
        filter("StringContains", ["bad", "good"]),
        filter("StringContains", ["worse", "fine"]),
        filter("StringNotContains", ["ad", "wors"]),
      ],
    };
    const lost = (...values: string[]) =>
      new Comparison(before, one("StringContains", values), both, []).relation(OTHER_TYPES).lost;
    expect(lost("never")).toEqual({ event: { type: "x", "data.x": "xgoodxfinex" } });
    expect(lost("never", "INE")).toBe("none");
  });

  it("never says that nothing is lost of 500 random pairs of which an event is", () => {
    const random = new RandomFilters(7);
    const wrong: object[] = [];
    const verdicts = { some: 0, none: 0, unknown: 0 };
    for (let round = 0; round < 500; round++) {
      const schema = random.pick(both);
      const before = random.filter();
      const after = random.changed(before);
      const comparison = new Comparison(before, after, [schema], []);
      const passes = (filter: object, attributes: Record<string, unknown>) =>
        applyFilter(filter, { attributes, isPartial: false }).excluding.length === 0;
      const { lost } = comparison.relation(OTHER_TYPES);
      verdicts[typeof lost === "object" ? "some" : lost]++;
      if (typeof lost === "object") {
        const event = eventWith(lost.event, schema);
        if (!passes(before, event) || passes(after, event)) wrong.push({ before, after, event });
      } else if (lost === "none") {
        for (let tries = 0; tries < 20; tries++) {
          const event = JSON.parse(JSON.stringify(random.event(schema !== "EventGridSchema")));
          if (passes(before, event) && !passes(after, event)) wrong.push({ before, after, event });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(verdicts.some).toBeGreaterThan(100);
    expect(verdicts.unknown).toBeLessThan(50);
  });
});
