import type { BlockSchema } from "../schema/schema.js";
import { type Attributes, isAttributes, same, UNKNOWN, type Value } from "../values/value.js";
import type { Plan, ResourceType } from "./provider.js";
import { settleAttributes } from "./settle.js";

/** The properties of a resource type that planning depends on. */
export type PlanRules = Pick<
  ResourceType<never>,
  "forceNew" | "defaults" | "filledIn" | "normalize" | "caseInsensitive"
>;

/**
 * Plans a resource from its `prior` state (`null` if it does not exist) and from Terraform's merge
 * of that state and the configuration (`proposed`).
 */
export function plan(
  schema: BlockSchema,
  type: PlanRules,
  prior: Attributes | null,
  proposed: Attributes,
): Plan {
  const wanted = withoutWriteOnly(
    schema,
    written(type, withDefaults(type.defaults ?? {}, proposed)),
  );
  if (prior === null) return { planned: withUnknowns(schema, wanted), replace: [] };
  // As in the providers' toolkit, the computed attributes of a block that is added stay null.
  const planned = settleAttributes(prior, keepFilledIn(type, prior, keepCase(type, prior, wanted)));
  const changed = (name: string) => !same(prior[name] ?? null, planned[name] ?? null);
  return { planned, replace: type.forceNew.filter(changed) };
}

/** Fills in defaults. The defaults of a block apply to every block of that name. */
function withDefaults(defaults: Attributes, proposed: Attributes): Attributes {
  const filled = Object.entries(defaults).map(([name, value]) => {
    const given = proposed[name] ?? null;
    if (isAttributes(value) && Array.isArray(given)) {
      return [name, given.map((item) => (isAttributes(item) ? withDefaults(value, item) : item))];
    }
    return [name, given ?? value];
  });
  return { ...proposed, ...Object.fromEntries(filled) };
}

function written({ normalize = {} }: PlanRules, proposed: Attributes): Attributes {
  const changed = Object.entries(normalize).flatMap(([name, write]) => {
    const value = proposed[name];
    return typeof value === "string" ? [[name, write(value)]] : [];
  });
  return { ...proposed, ...Object.fromEntries(changed) };
}

function withoutWriteOnly({ attributes = {} }: BlockSchema, proposed: Attributes): Attributes {
  const secret = Object.keys(attributes).filter((name) => attributes[name]?.write_only);
  return { ...proposed, ...Object.fromEntries(secret.map((name) => [name, null])) };
}

function keepFilledIn(
  { filledIn = [] }: PlanRules,
  prior: Attributes,
  wanted: Attributes,
): Attributes {
  const kept = filledIn.filter((name) => {
    const blocks = wanted[name];
    return Array.isArray(blocks) && blocks.length === 0;
  });
  return { ...wanted, ...Object.fromEntries(kept.map((name) => [name, prior[name] ?? null])) };
}

function keepCase(
  { caseInsensitive = [] }: PlanRules,
  prior: Attributes,
  wanted: Attributes,
): Attributes {
  const kept = caseInsensitive.filter((name) => {
    const [before, after] = [prior[name], wanted[name]];
    return (
      typeof before === "string" &&
      typeof after === "string" &&
      before.toLowerCase() === after.toLowerCase()
    );
  });
  return { ...wanted, ...Object.fromEntries(kept.map((name) => [name, prior[name] ?? null])) };
}

/** Sets the computed attributes of a new resource to unknown if they are not configured. */
function withUnknowns(
  { attributes = {}, block_types: blocks = {} }: BlockSchema,
  value: Attributes,
): Attributes {
  const result = { ...value };
  for (const [name, { computed, write_only }] of Object.entries(attributes)) {
    if (computed && !write_only && (value[name] ?? null) === null) result[name] = UNKNOWN;
  }
  for (const [name, { block }] of Object.entries(blocks)) {
    const nested = (item: Value) => (isAttributes(item) ? withUnknowns(block, item) : item);
    const items = value[name];
    if (Array.isArray(items)) result[name] = items.map(nested);
    else if (isAttributes(items)) result[name] = nested(items);
  }
  return result;
}
