import { type Attributes, isAttributes, UNKNOWN, type Value } from "../values/value.js";

/**
 * Returns `next`, but keeps the value of `previous` where both are empty. The real providers'
 * toolkit treats null, an empty string, zero, false and an empty list as equal, and plans no change
 * between them.
 */
function settle(previous: Value | undefined, next: Value): Value {
  if (previous === undefined || previous === UNKNOWN) return next;
  if (isNothing(previous) && isNothing(next)) return previous;
  if (Array.isArray(previous) && Array.isArray(next) && previous.length === next.length) {
    return next.map((item, i) => settle(previous[i], item));
  }
  if (isAttributes(previous) && isAttributes(next)) {
    const silent = Object.keys(previous).map((name) => [name, null]);
    return settleAttributes(previous, { ...Object.fromEntries(silent), ...next });
  }
  return next;
}

/** {@link settle} for a whole resource. Attributes that `next` does not have keep their values. */
export function settleAttributes(previous: Attributes, next: Attributes): Attributes {
  const settled = Object.entries(next).map(([name, value]) => [
    name,
    settle(previous[name], value),
  ]);
  return { ...previous, ...Object.fromEntries(settled) };
}

/** Replaces unknowns by null. */
function withoutUnknowns(value: Value): Value {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return value.map(withoutUnknowns);
  return isAttributes(value) ? attributesWithoutUnknowns(value) : value;
}

/** {@link withoutUnknowns} for a whole object. */
export function attributesWithoutUnknowns(value: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutUnknowns(item)]),
  );
}

function isNothing(value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isAttributes(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || value === false || value === 0;
}
