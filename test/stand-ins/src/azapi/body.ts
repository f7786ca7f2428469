import { type Attributes, isAttributes, same, type Value } from "../values/value.js";

/** How a body of the configuration is compared with Azure's answer. */
export interface Comparison {
  readonly ignoreCasing: boolean;
  /** Whether a field that Azure does not return keeps its value. */
  readonly ignoreMissing: boolean;
  /** The fields that identify the items of lists, by the lists' paths. */
  readonly listKeys: Attributes;
}

/**
 * A body in its own shape with the values of Azure's answer: only fields that the body names are
 * compared.
 */
export function inShapeOf(body: Value, answer: Value, by: Comparison, path = ""): Value {
  if (isAttributes(body) && isAttributes(answer)) {
    const fields = Object.entries(body).map(([name, value]) => {
      const at = path === "" ? name : `${path}.${name}`;
      const answered = answer[name];
      return [name, inShapeOf(value, answered ?? null, by, at)];
    });
    return Object.fromEntries(fields);
  }
  if (Array.isArray(body)) {
    if (answer === null && (body.length === 0 || by.ignoreMissing)) return body;
    return Array.isArray(answer) ? listInShapeOf(body, answer, by, path) : answer;
  }
  if (answer === null || answer === "" || answer === "***") return by.ignoreMissing ? body : answer;
  if (by.ignoreCasing && typeof body === "string" && typeof answer === "string") {
    return body.toLowerCase() === answer.toLowerCase() ? body : answer;
  }
  return answer;
}

/** Items with a key may be in another order; others are compared by their position. */
function listInShapeOf(body: Value[], answer: Value[], by: Comparison, path: string): Value {
  const key = by.listKeys[path] ?? "name";
  const keyOf = (item: Value) => (isAttributes(item) ? (item[String(key)] ?? null) : null);
  const areKeyed = body.every((item) => keyOf(item) !== null);
  if (!areKeyed) {
    if (body.length !== answer.length) return answer;
    return body.map((item, i) => inShapeOf(item, answer[i] ?? null, by, path));
  }
  const matched = body.flatMap((item) => {
    const answered = answer.find((other) => same(keyOf(other), keyOf(item)));
    return answered === undefined ? [] : [inShapeOf(item, answered, by, path)];
  });
  const added = answer.filter((other) => !body.some((item) => same(keyOf(item), keyOf(other))));
  return [...matched, ...added];
}

/** The value at a path of names. */
export function valueAt(body: Value, path: string): Value {
  return path
    .split(".")
    .reduce<Value>((value, name) => (isAttributes(value) ? (value[name] ?? null) : null), body);
}

/** The fields at some paths, in objects as in the body. */
export function exported(body: Value, paths: Value): Value {
  const output: Attributes = {};
  for (const path of Array.isArray(paths) ? paths.map(String) : []) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let place = output;
    for (const name of names) {
      const inner = place[name];
      const next: Attributes = isAttributes(inner) ? inner : {};
      place[name] = next;
      place = next;
    }
    place[last] = valueAt(body, path);
  }
  return output;
}

/** Whether a value contains one that is known only during apply. */
export function hasUnknown(value: Value, isUnknown: (value: Value) => boolean): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some((item) => hasUnknown(item, isUnknown));
  return isAttributes(value) && Object.values(value).some((item) => hasUnknown(item, isUnknown));
}
