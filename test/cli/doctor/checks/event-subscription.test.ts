import { describe, expect, it } from "vitest";
import {
  judgeRetries,
  judgeState,
  pathOf,
  sameUrl,
} from "../../../../cli/src/doctor/checks/event-subscription.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");

describe("an event subscription", () => {
  const judged = (provisioningState: string | undefined, inMs?: number) => {
    const expirationTimeUtc = inMs === undefined ? undefined : new Date(NOW + inMs).toISOString();
    const properties = { provisioningState, expirationTimeUtc };
    const remedyOf = (state: string) => `repair ${state}`;
    const { check, ...finding } = judgeState(
      { name: "orders", properties },
      "works",
      remedyOf,
      NOW,
    );
    const text = "remedy" in finding ? finding.remedy?.text : undefined;
    expect([check, text === undefined]).toEqual(["event-subscription", finding.status === "ok"]);
    return `${finding.status}: ${finding.message}`;
  };

  it("is judged by its state", () => {
    expect(judged("succeeded")).toBe('ok: "orders" works');
    for (const state of ["creating", "Updating", "Deleting"])
      expect(judged(state)).toBe(`unknown: "orders" is being changed (${state})`);
    for (const state of ["Failed", "NotSucceeded", "SucceededNot", "NotCreating", "DeletingNot"]) {
      const message = `"orders" is in the state ${state}: nothing is delivered`;
      expect(judged(state)).toBe(`failed: ${message}`);
    }
    expect(judged(undefined)).toBe('unknown: Azure does not show the state of "orders"');
  });

  it("is judged by its expiration time, which is near a day before", () => {
    const day = 24 * 3_600_000;
    expect(judged("Succeeded", day + 1)).toBe('ok: "orders" works');
    const at = "2026-02-01T12:00:00.000Z";
    expect(judged("Succeeded", day)).toBe(`warning: "orders" works, but expires at ${at}`);
    expect(judged("Succeeded", 1)).toMatch(/^warning/);
    expect(judged("Succeeded", 0)).toBe('failed: "orders" expired at 2026-01-31T12:00:00.000Z');
    expect(judged("Failed", day)).toMatch(/^failed: "orders" is in the state Failed/);
  });
});

it("warns of a single attempt, and of less than ten minutes", () => {
  const said = (attempts: unknown, minutes: unknown) =>
    judgeRetries("orders", { attempts, minutes }, ["tries", "time"]).map(
      ({ check, status, message, remedy }) =>
        [check, status, message.split(" ")[1], remedy?.text].join(" "),
    );
  const once = "retry-policy warning delivers raise tries of the binding";
  const short = "retry-policy warning keeps raise time of the binding";
  expect(said(1, 9)).toEqual([once, short]);
  expect(said(2, 10)).toEqual([]);
  expect(said(0, 10)).toEqual([]);
  expect(said("1", "9")).toEqual([]);
});

describe("a webhook", () => {
  it("is compared by its URL, whose host has no case", () => {
    expect(sameUrl("https://A.example.com/x", "https://a.example.com/x")).toBe(true);
    expect(sameUrl("https://a.example.com/x", "https://a.example.com/X")).toBe(false);
    expect(sameUrl("odd", "odd")).toBe(true);
    expect(sameUrl("odd", "https://a.example.com/")).toBe(false);
    expect(sameUrl(undefined, undefined)).toBe(false);
    expect(sameUrl("odd", undefined)).toBe(false);
    expect([pathOf("https://a/x?y"), pathOf("odd"), pathOf(undefined)]).toEqual([
      ...["/x", undefined, undefined],
    ]);
  });
});
