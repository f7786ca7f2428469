import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { ApplicationPasswordA } from "@cdktf/provider-azuread/lib/application-password/index.js";
import { ApplicationRegistration } from "@cdktf/provider-azuread/lib/application-registration/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

/** The behaviour of the real azuread with plain resources, some of which the constructs avoid. */
let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start({ eventGridRegistered: true });
});
afterEach(() => shop.stop());

describeWithTerraform("a service principal with use_existing", () => {
  it("overwrites the existing one, and deletes it at destroy", async () => {
    const { clientId, servicePrincipal } = shop.cloud.applications.create({ displayName: "old" });
    const build = (useExisting: boolean) =>
      shop.write((stack) => {
        new ServicePrincipal(stack, "principal", { clientId, useExisting, notes: "ours now" });
      });
    await build(false);
    expect(await shop.failedApply()).toContain(
      `A resource with the ID "${servicePrincipal.objectId}" already exists`,
    );
    await build(true);
    await shop.apply();
    expect(servicePrincipal.attributes.notes).toBe("ours now");
    await shop.terraform.destroy();
    expect(shop.tenant.servicePrincipals.byClientId(clientId)).toBeUndefined();
  });
});

describeWithTerraform("an application of separate resources", () => {
  it("has its role, principal and secret, and rotates the secret", async () => {
    const build = (rotation: string) =>
      shop.write((stack) => {
        const registration = new ApplicationRegistration(stack, "registration", {
          displayName: "orders",
          description: "The webhook of the shop",
        });
        const role = new ApplicationAppRoleA(stack, "role", {
          applicationId: registration.id,
          roleId: "5b2a8f1e-0c1d-4a52-9d7e-111111111111",
          value: "Subscriber",
          displayName: "Subscriber",
          description: `Subscribes (${rotation})`,
          allowedMemberTypes: ["User", "Application"],
        });
        new ServicePrincipal(stack, "principal", {
          clientId: registration.clientId,
          dependsOn: [role],
        });
        new ApplicationPasswordA(stack, "secret", {
          applicationId: registration.id,
          displayName: "rotating",
          rotateWhenChanged: { rotation },
        });
      });
    await build("1");
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    await build("2");
    expect(await shop.apply()).toEqual([
      "replace azuread_application_password",
      "update azuread_application_app_role",
    ]);
    expect(await shop.plan()).toEqual([]);

    const [application] = shop.tenant.applications
      .list()
      .filter(({ displayName }) => displayName === "orders");
    expect(application?.appRoles).toMatchObject([
      { value: "Subscriber", description: "Subscribes (2)", isEnabled: true },
    ]);
    expect(application?.passwords.list()).toHaveLength(1);
    await shop.terraform.destroy();
    expect(shop.tenant.applications.byClientId(application?.clientId ?? "")).toBeUndefined();
  });

  it("cannot get a second role of the same value", async () => {
    const { objectId } = shop.cloud.applications.create({ displayName: "orders" });
    await shop.write((stack) => {
      new ApplicationAppRoleA(stack, "role", {
        applicationId: `/applications/${objectId}`,
        roleId: "5b2a8f1e-0c1d-4a52-9d7e-111111111111",
        value: "AzureEventGridSecureWebhookSubscriber",
        displayName: "again",
        description: "again",
        allowedMemberTypes: ["Application"],
      });
    });
    expect(await shop.failedApply()).toContain("contains duplicate value");
  });
});
