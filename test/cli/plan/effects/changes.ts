import type { Finding } from "../../../../cli/src/plan/finding.js";
import { type PlannedChange, readPlan } from "../../../../cli/src/plan/terraform/index.js";
import { type Sides, setsPlan } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";

/** A change of one resource; other fields are those of the plan. */
export function changeOf(address: string, sides: Sides, more: object = {}) {
  const plan = JSON.parse(setsPlan({ [address]: sides }));
  Object.assign(plan.resource_changes[0].change, more);
  const [change] = readPlan(JSON.stringify(plan)).changes;
  if (change === undefined) throw new Error("the plan has no change");
  return change;
}

export const updated = (
  address: string,
  before: Attributes,
  change: Attributes,
  more: object = {},
) => changeOf(address, [before, { ...before, ...change }], more);

/** With a configuration that sets these attributes by references. */
export const configured = (change: PlannedChange, ...names: readonly string[]): PlannedChange => ({
  ...change,
  references: (name) => (names.includes(name) ? ["x_y.z"] : []),
});

export const texts = (findings: readonly Finding[] | undefined) =>
  findings?.map(({ label, check, message }) => `${label} ${check}: ${message}`);
