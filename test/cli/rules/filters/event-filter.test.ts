import { describe, expect, it } from "vitest";
import { applyFilter } from "../../../../cli/src/rules/filters/index.js";
import type { EventContent } from "../../../../local/src/eventgrid/events/index.js";
import { compileFilter } from "../../../../local/src/eventgrid/filters/index.js";
import { readRecordedEvent } from "../../../../local/src/eventgrid/index.js";
import { RandomFilters } from "../../../support/random-filters.js";

/* test/local/parity evaluates all operators and keys with it, too. */

const event = { type: "shop.order.placed", subject: "orders/17" };

describe("the evaluation of filters", () => {
  it("leaves operators undecided that it does not know, whatever their names", () => {
    for (const operatorType of ["__proto__", "constructor", "StringLike", "StringNotLike"]) {
      const filter = { advancedFilters: [{ key: "subject", operatorType, values: ["orders/17"] }] };
      const judged = applyFilter(filter, { attributes: event, isPartial: false });
      expect(judged).toMatchObject({ excluding: [], undecided: [expect.any(String)] });
    }
  });

  it("leaves conditions on unknown attributes undecided", () => {
    const filter = { includedEventTypes: ["shop.order.placed"], subjectEndsWith: "/17" };
    const known = { attributes: { type: "shop.order.placed" }, isPartial: true };
    expect(applyFilter(filter, known)).toEqual({
      excluding: [],
      undecided: ['the subject ends with "/17"'],
    });
  });

  it("agrees with the local Azure about 10,000 random filters and events", () => {
    const random = new RandomFilters(55);
    const disagreements: object[] = [];
    let delivered = 0;
    for (let round = 0; round < 10_000; round++) {
      const filter = random.filter();
      const content = JSON.parse(JSON.stringify(random.event(random.chance(0.7))));
      const delivers = deliversLocally(filter, content);
      const { excluding } = applyFilter(filter, { attributes: content, isPartial: false });
      if (delivers !== (excluding.length === 0)) disagreements.push({ filter, content, delivers });
      if (delivers) delivered++;
    }
    expect(disagreements).toEqual([]);
    expect(delivered).toBeGreaterThan(1000);
    expect(delivered).toBeLessThan(9000);
  });
});

function deliversLocally(filter: Parameters<typeof compileFilter>[0], content: EventContent) {
  const schema = "specversion" in content ? "CloudEventSchemaV1_0" : "EventGridSchema";
  const json = JSON.stringify(content);
  const { event } = readRecordedEvent({ json, schema }, "/topics/shop", 0);
  return compileFilter(filter)(event, content) === undefined;
}
