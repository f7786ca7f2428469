import { expect, it } from "vitest";
import {
  delayMs,
  durationMs,
  eventCatalogue,
  integerRule,
  numberRule,
  positiveInteger,
  type Rule,
  signal,
} from "../../../runtime/src/validation/rules.js";

const longest = 2 ** 31 - 1;

it.each<[title: string, rule: Rule, tried: readonly unknown[], accepted: readonly unknown[]]>([
  ["whole numbers", integerRule(2, 5), [1, 2, 2.5, 5, 6, "3"], [2, 5]],
  ["numbers", numberRule(2, 5), [1, 2, 2.5, 5, 6, "3", Number.NaN], [2, 2.5, 5]],
  ["durations", durationMs, [0, 1, longest, longest + 1], [1, longest]],
  ["delays", delayMs, [-1, 0, longest, longest + 1], [0, longest]],
  ["positive whole numbers", positiveInteger, [0, 1, 1.5, 2 ** 53], [1]],
  ["signals", signal, ["SIGTERM", "SIGKILL", "SIGSTOP", "x", 15], ["SIGTERM"]],
  ["catalogues", eventCatalogue, [{}, { types: [] }, { types: "", schemas: new Map() }, []], []],
])("accepts %s within their bounds", (_, rule, tried, accepted) => {
  expect(tried.filter((value) => rule.test(value))).toEqual(accepted);
});
