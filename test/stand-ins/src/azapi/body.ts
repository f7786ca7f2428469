import { type Attributes, at, isAttributes, setAt, text, type Value } from "../values/value.js";

/** How a body of the configuration is compared with Azure's answer. */
export interface Comparison {
  readonly ignoreCasing: boolean;
  /** Whether a field that Azure does not return keeps its value. */
  readonly ignoreMissing: boolean;
  /** The fields that identify the items of lists, by the lists' paths. */
  readonly listKeys: Value;
}

/**
 * A body in its own shape with the values of Azure's answer: only fields that the body names are
 * compared.
 */
export function inShapeOf(body: Value, answer: Value, by: Comparison, path = ""): Value {
  if (isAttributes(body) && isAttributes(answer)) {
    const fields = Object.entries(body).map(([name, value]) => {
      const inner = path === "" ? name : `${path}.${name}`;
      return [name, inShapeOf(value, answer[name] ?? null, by, inner)];
    });
    return Object.fromEntries(fields);
  }
  if (answer === null || answer === "") {
    const isEmpty = Array.isArray(body) && body.length === 0;
    return by.ignoreMissing || isEmpty ? body : answer;
  }
  if (Array.isArray(body) && Array.isArray(answer)) return listInShapeOf(body, answer, by, path);
  if (by.ignoreCasing && typeof body === "string" && typeof answer === "string") {
    return body.toLowerCase() === answer.toLowerCase() ? body : answer;
  }
  return answer;
}

/** Items with a key may be in another order; others are compared by their position. */
function listInShapeOf(body: Value[], answer: Value[], by: Comparison, path: string): Value {
  const key: string = Object(by.listKeys)[path] ?? "name";
  const keyOf = (item: Value) => text(item, key);
  if (body.some((item) => keyOf(item) === "")) {
    if (body.length !== answer.length) return answer;
    return body.map((item, i) => inShapeOf(item, answer[i] ?? null, by, path));
  }
  const matched = body.flatMap((item) => {
    const answered = answer.find((other) => keyOf(other) === keyOf(item));
    return answered === undefined ? [] : [inShapeOf(item, answered, by, path)];
  });
  const added = answer.filter((other) => !body.some((item) => keyOf(item) === keyOf(other)));
  return [...matched, ...added];
}

/** The fields at some paths, in objects as in the body. */
export function exported(body: Value, paths: readonly string[]): Value {
  const output: Attributes = {};
  for (const path of paths) setAt(output, path, at(body, path));
  return output;
}

/** The values of `over` in the place of those of `value`. */
export function merge(value: Value, over: Value): Value {
  if (!isAttributes(value) || !isAttributes(over)) return over;
  const merged = Object.entries(over).map(([name, field]) => [
    name,
    merge(value[name] ?? null, field),
  ]);
  return { ...value, ...Object.fromEntries(merged) };
}
