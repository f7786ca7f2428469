import { inspect } from "node:util";
import {
  ConfigurationError,
  choiceRule,
  group,
  integerRule,
  listOf,
  problemsOf,
} from "cloud-eventgrid-binding-runtime/contract";
import { describe, expect, it } from "vitest";
import {
  anyOf,
  callable,
  durationMs,
  objectWith,
  positiveInteger,
} from "../../../runtime/src/validation/index.js";

interface Options {
  readonly timeoutMs?: number;
  readonly limits?: { readonly events?: number };
  readonly ports?: readonly number[];
  readonly rate?: number | "*";
  readonly onEnd?: () => void;
  readonly clock?: object;
}

const options = group<Options>({
  timeoutMs: durationMs,
  limits: group<Options["limits"] & object>({ events: positiveInteger }),
  ports: listOf(integerRule(1, 65_535), {
    of: "ports",
    whenEmpty: "is empty: nothing would be listened to",
  }),
  rate: anyOf(
    { name: "rate", requirement: 'must be a positive whole number, or "*"' },
    positiveInteger,
    choiceRule("*"),
  ),
  onEnd: callable,
  clock: objectWith("must be a clock, with now and schedule", "now", "schedule"),
});

describe("checking an object of options", () => {
  it("accepts valid options, and options that are not set", () => {
    const valid = {
      timeoutMs: 1,
      limits: { events: undefined },
      ports: [80],
      rate: "*",
      onEnd: () => {},
      clock: { now: () => 0, schedule: () => () => {} },
      unrelated: undefined,
    };
    expect(problemsOf(options, "", valid)).toEqual([]);
  });

  it.each<[object, field: string, rule: string, message: string]>([
    [
      { timeoutMs: 0 },
      "timeoutMs",
      "number-range",
      "timeoutMs must be a number from 1 to 2147483647, but is 0",
    ],
    [
      { limits: { events: -1 } },
      "limits.events",
      "positive-integer",
      "limits.events must be a positive whole number, but is -1",
    ],
    [{ limits: 5 }, "limits", "type", "limits must be an object, but is 5"],
    [
      { limits: { evens: 1 } },
      "limits.evens",
      "unknown",
      "limits.evens is unknown: did you mean events?",
    ],
    [
      { limits: { bytes: 1 } },
      "limits.bytes",
      "unknown",
      "limits.bytes is unknown: the options are events",
    ],
    [{ ports: 80 }, "ports", "type", "ports must be a list of ports, but is 80"],
    [{ ports: [] }, "ports", "empty", "ports is empty: nothing would be listened to"],
    [
      { ports: [80, 0] },
      "ports[1]",
      "integer-range",
      "ports[1] must be a whole number from 1 to 65535, but is 0",
    ],
    [
      { rate: "fast" },
      "rate",
      "rate",
      'rate must be a positive whole number, or "*", but is "fast"',
    ],
    [{ onEnd: {} }, "onEnd", "function", "onEnd must be a function, but is an object"],
    [
      { clock: { now: 1 } },
      "clock",
      "object",
      "clock must be a clock, with now and schedule, but is an object",
    ],
  ])("reports %j", (given, field, rule, message) => {
    expect(problemsOf(options, "", given)).toMatchObject([{ field, rule, message }]);
  });

  it("does not show a value that is passed instead of the options, which may be a key", () => {
    const [problem] = problemsOf(options, "", "a-key");
    expect(problem).toEqual({
      field: "options",
      rule: "type",
      message: "the options must be an object",
    });
  });
});

describe("a configuration error", () => {
  class ExampleError extends ConfigurationError {
    readonly code = "ERR_EXAMPLE";
  }

  it("is printed with each problem once, and carries them all", () => {
    const problems = problemsOf(options, "", { timeoutMs: 0, rate: 0 });
    const error = new ExampleError("The example is invalid", problems);
    expect(error.problems).toEqual(problems);
    expect(error.message).toBe(
      "The example is invalid:\n" +
        "- timeoutMs must be a number from 1 to 2147483647, but is 0\n" +
        '- rate must be a positive whole number, or "*", but is 0',
    );
    expect(inspect(error).split("timeoutMs must be")).toHaveLength(2);
  });
});
