import {
  anyOf,
  type Composite,
  choiceRule,
  durationMs,
  isObject,
  objectWith,
  problemsOf,
} from "../validation/index.js";

const storeOrFalse = anyOf(
  {
    name: "deduplication-store",
    requirement: "must be a store such as new MemoryDeduplication(), or false",
  },
  choiceRule(false),
  objectWith("", "claim"),
);
const leaseMs = anyOf(
  { ...durationMs, requirement: `${durationMs.requirement}, or Infinity` },
  durationMs,
  choiceRule(Number.POSITIVE_INFINITY),
);

/** The check of the option `deduplication`. */
export const deduplicationCheck: Composite = {
  problems(field, value) {
    const problems = problemsOf(storeOrFalse, field, value);
    if (problems.length > 0 || !isObject(value)) return problems;
    return problemsOf(leaseMs, `${field}.leaseMs`, value.leaseMs);
  },
};
