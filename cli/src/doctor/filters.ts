import { listAt, textAt } from "../azure/index.js";
import { applyFilter, filterConditions, includedTypes } from "../rules/filters/index.js";

/** The conditions of a filter besides the types, with their values. */
export function furtherConditions(filter: unknown): string[] {
  return textsOf({ ...Object(filter), includedEventTypes: [] });
}

/**
 * The types that pass every condition on the type; undefined when no condition lists types, so that
 * others may pass, too.
 */
export function passingTypes(filter: unknown): readonly string[] | undefined {
  const included = includedTypes(filter);
  const list = filtersOnType(filter).find(
    (advanced) => textAt(advanced, "operatorType") === "StringIn",
  );
  if (included.length === 0 && list === undefined) return undefined;
  const types = included.length > 0 ? included : listAt(list, "values").map(String);
  return types.filter((type) => excludingType(filter, type).length === 0);
}

/** The conditions of a filter on the type. */
export function conditionsOnType(filter: unknown): string[] {
  const includedEventTypes = includedTypes(filter);
  return textsOf({ includedEventTypes, advancedFilters: filtersOnType(filter) });
}

function textsOf(filter: object): string[] {
  return filterConditions(filter).map(({ text }) => text);
}

function filtersOnType(filter: unknown): readonly unknown[] {
  return listAt(filter, "advancedFilters").filter(
    (advanced) => textAt(advanced, "key")?.toLowerCase() === "type",
  );
}

/** The conditions that exclude every event of a type. */
export function excludingType(filter: unknown, type: string): readonly string[] {
  return applyFilter(filter, { attributes: { type }, isPartial: true }).excluding;
}

/** Whether it is certain that no event matches both filters. */
export function areDisjoint(a: unknown, b: unknown): boolean {
  return excludesAllOf(a, b) || excludesAllOf(b, a) || haveDisjointSubjects(a, b);
}

function excludesAllOf(filter: unknown, other: unknown): boolean {
  return passingTypes(other)?.every((type) => excludingType(filter, type).length > 0) ?? false;
}

function haveDisjointSubjects(a: unknown, b: unknown): boolean {
  const edges = (name: string) => [a, b].map((filter) => textAt(filter, name)?.toLowerCase() ?? "");
  const [begin = "", otherBegin = ""] = edges("subjectBeginsWith");
  const [end = "", otherEnd = ""] = edges("subjectEndsWith");
  return (
    !(begin.startsWith(otherBegin) || otherBegin.startsWith(begin)) ||
    !(end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}
