import type { BlockSchema } from "../values/schema.js";
import { type Attributes, isAttributes, same, UNKNOWN, type Value } from "../values/value.js";
import type { Plan, ResourceType } from "./provider.js";

/**
 * Plans a resource from its `prior` state (`null` if it does not exist) and from Terraform's merge
 * of that state and the configuration (`proposed`).
 */
export function plan(
  schema: BlockSchema,
  { defaults = {}, filledIn = [], forceNew }: ResourceType,
  prior: Attributes | null,
  proposed: Attributes,
): Plan {
  const wanted = { ...proposed };
  for (const [name, value] of Object.entries(defaults)) wanted[name] ??= value;
  if (typeof wanted.location === "string") wanted.location = shortName(wanted.location);
  if (prior === null) return { planned: withUnknowns(schema, wanted), replace: [] };
  for (const name of filledIn) if (isNothing(wanted[name] ?? null)) delete wanted[name];
  // As in the providers' toolkit, the computed attributes of a block that is added stay null.
  const planned = settle(prior, wanted);
  const changed = (name: string) => !same(prior[name] ?? null, planned[name] ?? null);
  return { planned, replace: forceNew.filter(changed) };
}

/** Azure's short form of a region's name: `West Europe` is `westeurope`. */
export const shortName = (region: string) => region.replaceAll(" ", "").toLowerCase();

/** Sets the computed attributes of a new resource to unknown if they are not configured. */
function withUnknowns({ attributes = {}, block_types = {} }: BlockSchema, value: Attributes) {
  const result = { ...value };
  for (const [name, { computed }] of Object.entries(attributes)) {
    if (computed) result[name] ??= UNKNOWN;
  }
  for (const [name, { block }] of Object.entries(block_types)) {
    const nested = (item: Value) => (isAttributes(item) ? withUnknowns(block, item) : item);
    const items = value[name] ?? null;
    result[name] = Array.isArray(items) ? items.map(nested) : nested(items);
  }
  return result;
}

/**
 * Returns `next` on top of `previous`, but keeps the values of `previous` where both are empty. The
 * real providers' toolkit treats null, an empty string, zero, false and an empty list as equal, and
 * plans no change between them.
 */
export function settle(previous: Attributes, next: Attributes): Attributes {
  const settled = Object.entries(next).map(([name, value]) => [
    name,
    settledValue(previous[name] ?? null, value),
  ]);
  return { ...previous, ...Object.fromEntries(settled) };
}

function settledValue(previous: Value, next: Value): Value {
  if (isNothing(previous) && isNothing(next)) return previous;
  if (Array.isArray(previous) && Array.isArray(next) && previous.length === next.length) {
    return next.map((item, i) => settledValue(previous[i] ?? null, item));
  }
  if (!isAttributes(previous) || !isAttributes(next)) return next;
  // What `next` does not have is null there.
  const silent = Object.keys(previous).map((name) => [name, null]);
  return settle(previous, { ...Object.fromEntries(silent), ...next });
}

function isNothing(value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isAttributes(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || value === false || value === 0;
}
