import { expect, test } from "vitest";
import {
  Directory,
  EVENT_GRID_CLIENT_ID,
  SECURE_WEBHOOK_ROLE,
} from "../../../local/src/directory/index.js";

const role = {
  id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01",
  value: SECURE_WEBHOOK_ROLE,
  displayName: SECURE_WEBHOOK_ROLE,
  description: "Azure Event Grid Role",
  allowedMemberTypes: ["Application", "User"],
  isEnabled: true,
} as const;

function tenantWithWebhook() {
  const tenant = new Directory().createTenant({ tenantId: "11111111-1111-4111-8111-111111111111" });
  const application = tenant.applications.create({ displayName: "webhook", appRoles: [role] });
  const principal = tenant.servicePrincipals.create({ clientId: application.clientId });
  const eventGrid = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
  if (!eventGrid) throw new Error("Event Grid's principal is missing");
  return { tenant, application, principal, eventGrid };
}

test("granting an unknown role reports the roles of the application", () => {
  const { tenant, principal, eventGrid } = tenantWithWebhook();

  expect(() => tenant.grant(eventGrid, principal, "Subscriber")).toThrow(
    "The application 'webhook' has no app role 'Subscriber'. It has: AzureEventGridSecureWebhookSubscriber.",
  );
});

test("a disabled role is not in the roles of a principal", () => {
  const { tenant, application, principal, eventGrid } = tenantWithWebhook();
  tenant.grant(eventGrid, principal, SECURE_WEBHOOK_ROLE);

  tenant.applications.setAppRoles(application, [{ ...role, isEnabled: false }]);

  expect(tenant.rolesOf(eventGrid, application)).toEqual([]);
});

test("deleting a principal deletes its roles and those of others on it", () => {
  const { tenant, application, principal, eventGrid } = tenantWithWebhook();
  tenant.grant(eventGrid, principal, SECURE_WEBHOOK_ROLE);

  tenant.deleteServicePrincipal(principal.objectId);
  tenant.servicePrincipals.create({ clientId: application.clientId });

  expect(tenant.rolesOf(eventGrid, application)).toEqual([]);
});

test("a directory is restored to its snapshot, whatever it had", () => {
  const { tenant, application, principal, eventGrid } = tenantWithWebhook();
  tenant.grant(eventGrid, principal, SECURE_WEBHOOK_ROLE);
  tenant.servicePrincipals.createManagedIdentity({ id: "/identity", name: "identity" });
  application.passwords.add({ secret: "kept" });
  tenant.usersAndGroups.set("group", { displayName: "Writers", type: "Group", members: ["user"] });
  const other = tenantWithWebhook().tenant;
  const { eventGrid: own, principal: webhook } = tenantWithWebhook();
  other.appRoleAssignments.create({
    appRoleId: role.id,
    principalId: own.objectId,
    resourceId: webhook.objectId,
  });

  const shown = (of: object) => JSON.parse(JSON.stringify(Object(of).snapshot()));
  Object(other).restore(shown(tenant));

  expect(shown(other)).toEqual(shown(tenant));
  expect(other.checkSecret(application.clientId, "kept")).toBe("valid");
});
