import { afterEach, beforeEach, expect, it } from "vitest";
import { type Providers, prepareProviders, Terraform } from "../stand-ins/src/index.js";
import { Scenario, summary } from "./scenario.js";
import { describeWithTerraform, source } from "./with-terraform.js";

const COLLEAGUE = "44444444-4444-4444-8444-444444444444";
const GRAPH = "00000003-0000-0000-c000-000000000000";

let shop: Scenario;
let providers: Providers;
let colleague: Terraform;
let clientId: string;
let colleagueId: string;

/** The pipeline that applies by default, and a colleague with the same rights. */
beforeEach(async () => {
  shop = await Scenario.start();
  const { cloud } = shop;
  const secret = "only-for-tests";
  const { servicePrincipal } = cloud.applications.create({
    displayName: "colleague",
    clientId: COLLEAGUE,
    secret,
    roles: [],
  });
  colleagueId = servicePrincipal.objectId;
  cloud.control.assignRole("Owner", colleagueId, shop.subscription);
  const { tenant } = shop;
  const microsoftGraph = tenant.servicePrincipals.byClientId(GRAPH);
  for (const permission of ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"]) {
    if (microsoftGraph) tenant.grant(servicePrincipal, microsoftGraph, permission);
  }
  providers = await prepareProviders(source, {
    ...cloud.terraformEnvironment(),
    ARM_CLIENT_ID: COLLEAGUE,
    ARM_CLIENT_SECRET: secret,
  });
  colleague = new Terraform({ directory: shop.directory, providers });
  clientId = shop.newApplication();
});
afterEach(async () => {
  await providers.stop();
  await shop.stop();
});

describeWithTerraform("an apply by another identity", () => {
  it("replaces the assignment of the app role if no writers are named", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    expect(summary((await colleague.apply()).changes)).toEqual([
      "replace azuread_app_role_assignment",
    ]);
    expect(summary((await colleague.plan()).changes)).toEqual([]);

    await shop.write(shop.orders(clientId, { labels: ["shop"] }));
    expect(await shop.apply(), "by the first one, who has it again before writing").toEqual([
      "replace azuread_app_role_assignment",
      "update azurerm_eventgrid_event_subscription",
    ]);
  });

  it("changes nothing if both identities are named as writers", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    const [caller] = (await shop.terraform.state()).filter(({ address }) =>
      /subscriber_caller/.test(address),
    );
    const pipelineId = String(caller?.values.principal_object_id);
    await shop.terraform.destroy();

    const named = {
      writerPrincipals: [pipelineId, colleagueId].map((objectId) => ({
        objectId,
        principalType: "ServicePrincipal",
      })),
    };
    await shop.write(shop.orders(clientId, named));
    await shop.apply();
    expect(summary((await colleague.plan()).changes)).toEqual([]);
    await shop.write(shop.orders(clientId, { ...named, labels: ["shop"] }));
    expect(summary((await colleague.apply()).changes)).toEqual([
      "update azurerm_eventgrid_event_subscription",
    ]);
    expect(await shop.plan()).toEqual([]);
  });
});
