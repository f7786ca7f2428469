import { type Attributes, isAttributes, UNKNOWN, type Value } from "../values/value.js";

/**
 * What is wrong with a value; undefined if nothing is. Schemas say the types of values only: everything
 * else that a provider checks before it plans is in its source.
 */
export type Check = (value: Value) => string | undefined;

/** The checks of a resource type or data source. A block has those of its attributes. */
export interface Checks {
  readonly [name: string]: Check | Checks;
}

/** The faults of a configuration, each with the path of its attribute. Unknown values have none. */
export function faultsOf(checks: Checks, config: Attributes, within = ""): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = config[name] ?? null;
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((item, index) => {
      if (item === null || item === UNKNOWN) return [];
      const path = Array.isArray(value) ? `${within}${name}.${index}` : `${within}${name}`;
      if (typeof check !== "function") {
        return isAttributes(item) ? faultsOf(check, item, `${path}.`) : [];
      }
      const fault = check(item);
      return fault === undefined ? [] : [`expected "${path}" ${fault}, got ${item}`];
    });
  });
}

export const matching =
  (pattern: RegExp, meaning: string): Check =>
  (value) =>
    pattern.test(String(value)) ? undefined : meaning;

export const notEmpty = matching(/./s, "to not be an empty string");

export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "to be a valid UUID");

export const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(String(value)) ? undefined : `to be one of ${values.join(", ")}`;

export const between =
  (least: number, most: number): Check =>
  (value) =>
    Number(value) >= least && Number(value) <= most && Number.isInteger(Number(value))
      ? undefined
      : `to be in the range (${least} - ${most})`;

/** The ID of a resource of that type, whose fixed segments have exactly this case. */
export const idOf = (type: string): Check => {
  const [namespace, ...kinds] = type.split("/");
  const path = kinds.map((kind) => `/${kind}/[^/]+`).join("");
  return matching(
    new RegExp(`^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/${namespace}${path}$`),
    `to be the ID of a resource of the type ${type}`,
  );
};

/** The ID of any resource: pairs of segments, of which one is the Azure subscription. */
export const resourceId = matching(
  /^\/subscriptions\/[^/]+(\/[^/]+\/[^/]+)*\/?$/,
  "to be a resource ID",
);
