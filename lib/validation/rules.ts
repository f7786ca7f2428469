import {
  choiceRule,
  patternRule,
  predicateRule,
  type Rule,
} from "cloud-eventgrid-binding-runtime/contract";

/** A resource ID within a resource group. */
export const resourceIdRule = patternRule({
  name: "resource-id",
  requirement:
    "must be a resource ID that begins with /subscriptions/{id}/resourceGroups/{name}/providers/",
  pattern:
    "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[^/]+(/[^/]+/[^/]+)+$",
});

/** The type of a managed identity. */
export const identityTypeRule = choiceRule("SystemAssigned", "UserAssigned");

/** A text that is short enough, in characters. */
export function lengthRule(max: number): Rule {
  return predicateRule({
    name: "length",
    requirement: `must be a string of at most ${max} characters`,
    length: { max },
    test: (value) => typeof value === "string" && value.length <= max,
  });
}

/**
 * A time in the only form that Azure reads back unchanged: any other form would show a difference
 * at every plan.
 */
export const timeRule = patternRule({
  name: "time",
  requirement: "must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z",
  pattern:
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$",
});
