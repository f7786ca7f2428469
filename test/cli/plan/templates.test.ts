import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../support/draws.js";
import { LATER, only, type Sets, type Sides, setsPlan } from "./graph/changed-world.js";
import { effects } from "./world.js";

const aside = fc.constantFrom(
  ...[
    "Microsoft.Insights/metricAlerts",
    "microsoft.insights/workbooks",
    "Microsoft.Portal/dashboards",
  ],
  "Microsoft.OperationalInsights/workspaces",
);
const others = fc.constantFrom(
  ...["Microsoft.EventGrid/topics", "Microsoft.Resources/deployments", "[parameters('type')]"],
  ...[
    "Microsoft.Web/sites",
    "Microsoft.Storage/storageAccounts/providers/locks",
    "New.Thing/things",
  ],
);
const types = fc.oneof(fc.array(aside), fc.array(fc.oneof(aside, others), { minLength: 1 }));

/** A template with resources of these types, each with one inside. */
const templateOf = (all: readonly string[]) => ({
  parameters: { a: { type: "string" } },
  resources: all.map((type) => ({ type, name: "n", resources: [{ type: "inner" }] })),
});
const deployed: Readonly<Record<string, (template: object, mode: string) => object>> = {
  "azurerm_resource_group_template_deployment.d": (template, deployment_mode) => ({
    ...{ resource_group_name: "shop", deployment_mode },
    template_content: JSON.stringify(template),
  }),
  "azapi_resource.d": (template, mode) => ({
    ...{ type: "Microsoft.Resources/deployments@2024-03-01", name: "d" },
    body: { properties: { mode, template } },
  }),
};
const planWith = (sets: Sets) => setsPlan({ ...only("azurerm_eventgrid_topic.shop"), ...sets });
const saidOf = (address: string, sides: Sides) => effects(planWith({ [address]: sides }));
const unknownAt = (address: string) =>
  expect.stringMatching(`^unknown plan ${address}: what its template does`);
const isAside = (type: string) => /^microsoft\.(insights|portal|operational)/i.test(type);

describe.each(Object.entries(deployed))("a template in %s", (address, deploy) => {
  const unknown = [unknownAt(address)];

  it("is unknown unless all that it deploys only observes", async () => {
    await fc.assert(
      fc.asyncProperty(types, types, async (old, next) => {
        const [before, after] = [old, next].map((all) => deploy(templateOf(all), "Incremental"));
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        const drawn = [
          [`${address}1`, [{ ...before }, { ...after }], isSame ? [] : [...old, ...next]],
          [`${address}2`, [null, { ...after }], next],
          [`${address}3`, [{ ...before }, null], old],
        ] as const;
        const plan = planWith(Object.fromEntries(drawn.map(([at, sides]) => [at, sides])));
        const expected = drawn.flatMap(([at, _, all]) => (all.every(isAside) ? [] : unknownAt(at)));
        expect(await effects(plan)).toEqual(expected);
      }),
      { numRuns: draws(40) },
    );
  });

  it("is unknown if it destroys what it does not name, or is known later", async () => {
    const template = templateOf(["Microsoft.Insights/metricAlerts"]);
    const later = { resources: [{ type: LATER, name: "n" }] };
    for (const side of [deploy(template, "Complete"), deploy(template, LATER)]) {
      expect(await saidOf(address, [null, { ...side }])).toEqual(unknown);
    }
    if (address.startsWith("azapi")) {
      expect(await saidOf(address, [null, { ...deploy(later, "Incremental") }])).toEqual(unknown);
    } else {
      const side = { ...deploy(template, "Incremental"), template_content: LATER };
      expect(await saidOf(address, [null, side])).toEqual(unknown);
    }
  });
});
