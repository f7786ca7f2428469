import { Application } from "@cdktf/provider-azuread/lib/application/index.js";
import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { ApplicationPasswordA } from "@cdktf/provider-azuread/lib/application-password/index.js";
import { ApplicationRegistration } from "@cdktf/provider-azuread/lib/application-registration/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
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

describeWithTerraform("an application with its roles in one resource", () => {
  const own = "5b2a8f1e-0c1d-4a52-9d7e-111111111111";
  const other = "5b2a8f1e-0c1d-4a52-9d7e-222222222222";
  const role = (id: string) => ({
    id,
    value: `Role.${id.slice(-1)}`,
    displayName: "a role",
    description: "a role",
    allowedMemberTypes: ["Application"],
  });
  const build = (roles: string[], more: (application: Application, stack: ShopStack) => void) =>
    shop.write((stack) => {
      const application = new Application(stack, "application", {
        displayName: "orders",
        identifierUris: ["api://orders"],
        api: { requestedAccessTokenVersion: 2 },
        appRole: roles.map(role),
      });
      more(application, stack);
    });

  it("is created, changed role by role, and destroyed", async () => {
    await build([own, other], () => {});
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    const application = shop.tenant.applications.byClientIdOrUri("api://orders");
    expect(application?.requestedAccessTokenVersion).toBe(2);
    expect(application?.appRoles.map(({ id }) => id).sort()).toEqual([own, other]);

    await build([other], () => {});
    expect(await shop.apply()).toEqual(["update azuread_application"]);
    expect(await shop.plan()).toEqual([]);
    expect(application?.appRoles.map(({ id }) => id)).toEqual([other]);
    await shop.terraform.destroy();
    expect(shop.tenant.applications.byClientIdOrUri("api://orders")).toBeUndefined();
  });

  it("conflicts with a role that is a separate resource", async () => {
    const more = (application: Application, stack: ShopStack) => {
      new ApplicationAppRoleA(stack, "role", {
        applicationId: application.id,
        roleId: other,
        value: "Another",
        displayName: "another",
        description: "another",
        allowedMemberTypes: ["Application"],
      });
    };
    await build([own], more);
    await shop.apply();
    expect(await shop.plan(), "it wants the other's role away").toEqual([
      "update azuread_application",
    ]);
  });
});
