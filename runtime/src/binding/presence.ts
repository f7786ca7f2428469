import { REQUIRED_INPUT_FIELDS } from "./direction.js";
import type { BindingProblem } from "./problem.js";
import type { Direction } from "./props.js";

/** The values that are there, by field. */
export type Values = ReadonlyMap<string, unknown>;

/** Names that fields had in the earlier release: who still uses one is told its new name. */
export const EARLIER_NAMES: Readonly<Record<string, string>> = {
  cloudTenantId: "tenantId",
  cloudSubscriptionId: "subscriptionId",
  cloudClientId: "clientId",
  cloudClientSecret: "clientSecret",
};

/** The problem of every field that is needed and not there. */
export function missing(fields: readonly string[], values: Values, why: string): BindingProblem[] {
  return fields
    .filter((field) => !values.has(field))
    .map((field) => {
      const earlier = EARLIER_NAMES[field];
      const hint =
        earlier !== undefined && values.has(earlier) ? `: ${earlier} is its earlier name` : "";
      return { field, rule: "required", message: `${field} is required ${why}${hint}` };
    });
}

/** The problem of every field that belongs to a half which is not chosen. */
export function misplaced(
  fields: readonly string[],
  values: Values,
  direction: Direction,
): BindingProblem[] {
  const half = direction === "input" ? "output" : "input";
  return fields
    .filter((field) => values.has(field))
    .map((field) => ({
      field,
      rule: "direction",
      message:
        `${field} belongs to the ${half} direction, but direction is "${direction}": ` +
        `remove it, or say "input, output"`,
    }));
}

/** The problem of props that have no field of either half. */
export function nothingGiven(): BindingProblem {
  const message =
    "direction is not named, and no field tells it: give the input fields " +
    `(${REQUIRED_INPUT_FIELDS.join(", ")}), the output fields (topicEndpoint, accessKey), or both`;
  return { field: "direction", rule: "required", message };
}
