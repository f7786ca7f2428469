import { describe, expect, it } from "vitest";
import { applyFilter } from "../../../cli/src/doctor/filters.js";

const event = {
  type: "shop.order.placed",
  subject: "orders/17",
  Region: "west",
  data: { total: 17, country: "ch", express: true, tags: ["new", "gift"], note: null },
};

/** Whether an event passes one advanced filter. */
function passes(key: string, operatorType: string, values: unknown, onArrays = false): boolean {
  const condition = {
    key,
    operatorType,
    ...(Array.isArray(values) ? { values } : { value: values }),
  };
  const filter = { advancedFilters: [condition], enableAdvancedFilteringOnArrays: onArrays };
  return applyFilter(filter, { attributes: event, isPartial: false }).excluding.length === 0;
}

describe("the filters of the doctor", () => {
  it.each([
    ["data.total", "NumberIn", [16, 17], true],
    ["data.total", "NumberNotIn", [17], false],
    ["data.total", "NumberLessThan", 17, false],
    ["data.total", "NumberLessThanOrEquals", 17, true],
    ["data.total", "NumberGreaterThan", 17, false],
    ["data.total", "NumberGreaterThanOrEquals", 17, true],
    ["data.total", "NumberInRange", [[1, 17]], true],
    ["data.total", "NumberNotInRange", [[1, 16]], true],
    ["data.express", "BoolEquals", true, true],
    ["data.country", "StringIn", ["CH"], true],
    ["data.country", "StringNotIn", ["CH"], false],
    ["data.country", "StringContains", ["H"], true],
    ["data.country", "StringBeginsWith", ["h"], false],
    ["data.country", "StringEndsWith", ["H"], true],
    ["Subject", "StringNotContains", ["returns"], true],
    ["region", "StringIn", ["West"], true],
    ["data.note", "IsNullOrUndefined", [], true],
    ["data.total", "IsNotNull", [], true],
  ])("evaluate %s %s %j as %s", (key, operator, values, expected) => {
    expect(passes(key, operator, values)).toBe(expected);
  });

  it.each([
    ["NumberNotIn", true],
    ["StringNotIn", true],
    ["IsNullOrUndefined", true],
    ["StringNotContains", false],
    ["StringNotBeginsWith", false],
    ["StringNotEndsWith", false],
    ["StringIn", false],
    ["IsNotNull", false],
  ])("evaluate %s of a missing key as %s", (operator, expected) => {
    expect(passes("data.missing", operator, ["x"])).toBe(expected);
  });

  it("compare elements of arrays only if the subscription asks for it", () => {
    expect(passes("data.tags", "StringIn", ["gift"])).toBe(false);
    expect(passes("data.tags", "StringIn", ["gift"], true)).toBe(true);
    expect(passes("data.tags", "StringNotIn", ["gift"], true)).toBe(false);
  });

  it("compare the subject's case only if the subscription asks for it", () => {
    const judge = (isSubjectCaseSensitive: boolean) =>
      applyFilter(
        { subjectBeginsWith: "ORDERS/", isSubjectCaseSensitive },
        { attributes: event, isPartial: false },
      ).excluding;
    expect(judge(false)).toEqual([]);
    expect(judge(true)).toEqual(['the subject begins with "ORDERS/"']);
  });

  it("leave conditions on unknown attributes undecided", () => {
    const filter = { includedEventTypes: ["shop.order.placed"], subjectEndsWith: "/17" };
    const known = { attributes: { type: "shop.order.placed" }, isPartial: true };
    expect(applyFilter(filter, known)).toEqual({
      excluding: [],
      undecided: ['the subject ends with "/17"'],
    });
  });
});
