import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { it } from "vitest";
import { explainPlan, planText, readPlan } from "../../../cli/src/plan/index.js";
import { planOf } from "./world.js";

interface PlannedResource {
  readonly change: { actions: string[]; after: unknown; after_unknown?: unknown };
}

const fixtures = join(__dirname, "fixtures");
const ranges = [{ number_in_range: [{ key: "data.total", values: [[1, 2]] }] }];
const plans = [
  planOf({ "azurerm_eventgrid_event_subscription.app": { advanced_filter: ranges } }),
  ...readdirSync(fixtures)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(fixtures, name), "utf8")),
];

/** The path of every value inside of a value, and of what contains it. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}

/** Everything in the plans that can be known only after the apply. */
const places = plans.flatMap((plan, index) => {
  const { resource_changes: changes }: { resource_changes: PlannedResource[] } = JSON.parse(plan);
  return changes.flatMap(({ change }, resource) =>
    pathsIn(change.after).map((path) => ({ plan: index, resource, path })),
  );
});

/** The marks of Terraform for one unknown value: `{ "a": [false, { "b": true }] }`. */
function marksFor([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return true;
  const inner: unknown = Object(value)[name];
  if (!Array.isArray(value)) return { [name]: marksFor(rest, inner) };
  return value.map((_, index) => String(index) === name && marksFor(rest, inner));
}

function withUnknown({ plan, resource, path }: (typeof places)[number]): string {
  const json: { resource_changes: PlannedResource[] } = JSON.parse(plans[plan] ?? "");
  const change = json.resource_changes[resource]?.change;
  if (change === undefined) throw new Error("the resource is in the plan");
  if (change.actions[0] === "no-op") change.actions = ["update"];
  change.after_unknown = marksFor(path, change.after);
  return JSON.stringify(json);
}

it("explains a plan in which the end of a range is known only after the apply", async () => {
  const ends = places.filter(({ path }) => path.includes("number_in_range"));
  for (const place of ends) planText(await explainPlan(readPlan(withUnknown(place)), [], []));
});

it("explains a plan in which any one value is known only after the apply", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), async (place) => {
      planText(await explainPlan(readPlan(withUnknown(place)), [], []));
    }),
    { numRuns: 200 },
  );
});
