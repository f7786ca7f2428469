import { compileFilter as compile, type FilterUse } from "../../api/index.js";
import { invalidRequest, ServiceError } from "../../base/index.js";

/** What the `$filter` of a list may use. Names are compared case-insensitively. */
export interface FilterRules {
  /** Properties for `eq` and `ne`. */
  readonly compared: readonly string[];
  /** Properties that each function searches. */
  readonly functions?: Readonly<
    Partial<Record<"contains" | "startswith" | "substringof", readonly string[]>>
  >;
}

/** The properties of an item by their lower-case names. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

const MAX_LENGTH = 2_000;

/**
 * Compiles the filter of a list.
 *
 * @param rules `undefined` where no filter is supported
 * @throws ServiceError 400 for what the rules do not contain
 */
export function compileFilter(filter: string, rules: FilterRules = { compared: [] }) {
  if (filter.length > MAX_LENGTH)
    throw invalidRequest(`The $filter is longer than ${MAX_LENGTH} characters.`);
  return compile<FilterValues>(filter, {
    property: (name, use) => {
      const isKnown = propertiesFor(use, rules).some(
        (each) => each.toLowerCase() === name.toLowerCase(),
      );
      return isKnown ? (values) => values[name.toLowerCase()] ?? "" : undefined;
    },
    refused: () => refusal(filter, rules),
  });
}

function propertiesFor(use: FilterUse, { compared, functions }: FilterRules): readonly string[] {
  if (use === "comparison") return compared;
  return use === "in" || use === "any" ? [] : (functions?.[use] ?? []);
}

function refusal(filter: string, { compared, functions = {} }: FilterRules): ServiceError {
  const supported = [
    ...compared.map((property) => `${property} eq|ne '…'`),
    ...Object.entries(functions).flatMap(([name, properties]) =>
      properties.map((property) =>
        name === "substringof" ? `${name}('…', ${property})` : `${name}(${property}, '…')`,
      ),
    ),
  ];
  const remedy =
    supported.length === 0 ? "This list has no filter." : `It may use ${supported.join(", ")}.`;
  return new ServiceError(
    400,
    "InvalidFilterInQueryString",
    `Invalid $filter '${filter}' specified in the query string. ${remedy}`,
  );
}
