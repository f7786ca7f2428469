import { describe, expect, it } from "vitest";
import { applyFilter } from "../../../cli/src/doctor/filters.js";

/* Both evaluate all operators and keys of test/local/parity. */

const event = { type: "shop.order.placed", subject: "orders/17" };

describe("the filters of the doctor", () => {
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
