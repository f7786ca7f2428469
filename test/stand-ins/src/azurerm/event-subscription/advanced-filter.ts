import { isObject, type Json, type JsonObject, listAt, stringAt } from "../../cloud/json-client.js";
import { blocks, text } from "../../provider/provider.js";
import type { Attributes, Value } from "../../values/value.js";

/** The blocks of `advanced_filter` as Resource Manager's list, in the order of their operators. */
export function toAdvancedFilters(block: Attributes): JsonObject[] {
  return Object.keys(block)
    .sort()
    .flatMap((operator) =>
      blocks(block, operator).map((filter) => ({
        operatorType: pascalCase(operator),
        key: text(filter, "key"),
        ...(filter.value !== undefined && { value: filter.value as Json }),
        ...(filter.values !== undefined && { values: filter.values as Json }),
      })),
    );
}

/** Resource Manager's list of filters as the block `advanced_filter`; none when it is empty. */
export function fromAdvancedFilters(properties: Json | undefined): Attributes[] {
  const filters = listAt(properties, "advancedFilters").filter(isObject);
  if (filters.length === 0) return [];
  const block: Record<string, Value[]> = {};
  for (const filter of filters) {
    const operator = snakeCase(stringAt(filter, "operatorType"));
    block[operator] = [
      ...(block[operator] ?? []),
      {
        key: stringAt(filter, "key"),
        ...(filter.value !== undefined && { value: filter.value as Value }),
        ...(filter.values !== undefined && { values: filter.values as Value }),
      },
    ];
  }
  return [block];
}

function pascalCase(name: string): string {
  return name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function snakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
