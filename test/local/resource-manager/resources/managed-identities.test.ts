import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { textIn } from "../../support/management-client.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const TENANT_ID = "11111111-1111-4111-8111-111111111111";
const DATA_SENDER = "d5a91429-5739-47e2-a06b-3470a27159e7";
const USER_ASSIGNED = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`;

const properties = {
  source: `${GROUP}/providers/Microsoft.Storage/storageAccounts/photos`,
  topicType: "Microsoft.Storage.StorageAccounts",
};
const body = (identity?: unknown) => ({ location: "westeurope", properties, identity });

describe.each([
  ["custom topics", `${EVENT_GRID}/topics/orders`],
  ["system topics", `${EVENT_GRID}/systemTopics/orders`],
])("identities of %s", (_what, path) => {
  async function start(identity?: unknown) {
    const { call } = await startGroup();
    const put = await call("PUT", path, body(identity));
    expect(put.status).toBeLessThan(300);
    return { call, put };
  }
  async function withPrincipal() {
    const { call } = await start({ type: "SystemAssigned" });
    const read = await call("GET", path);
    return { call, read, principalId: textIn(read.body, "identity", "principalId") };
  }

  it("return a principal that stays the same after changes", async () => {
    const { call, read, principalId } = await withPrincipal();
    const identity = { type: "SystemAssigned", principalId, tenantId: TENANT_ID };
    expect(read.body).toMatchObject({ identity });
    for (const [method, change] of [
      ["PATCH", { tags: { team: "shop" } }],
      ["PATCH", { identity: { type: "SystemAssigned" } }],
      ["PUT", body({ type: "SystemAssigned" })],
    ] as const) {
      expect((await call(method, path, change)).body).toMatchObject({ identity });
    }
  });

  it("are service principals that are deleted with the resource", async () => {
    const { call, principalId } = await withPrincipal();
    expect((await call("GET", `/v1.0/servicePrincipals/${principalId}`)).body).toMatchObject({
      id: principalId,
      displayName: "orders",
      servicePrincipalType: "ManagedIdentity",
      alternativeNames: ["isExplicit=False", path],
    });
    await call("DELETE", path);
    expect((await call("GET", `/v1.0/servicePrincipals/${principalId}`)).status).toBe(404);
  });

  it("keep their principal, whatever is written to it or to another", async () => {
    const { call, principalId } = await withPrincipal();
    const names = { alternativeNames: ["x"], servicePrincipalType: "Application" };
    await call("PATCH", `/v1.0/servicePrincipals/${principalId}`, names);
    const application = await call("POST", "/v1.0/applications", { displayName: "other" });
    const twin = {
      appId: textIn(application.body, "appId"),
      servicePrincipalType: "ManagedIdentity",
      alternativeNames: ["isExplicit=False", path],
    };
    expect((await call("POST", "/v1.0/servicePrincipals", twin)).body).toMatchObject({
      servicePrincipalType: "Application",
    });
    expect((await call("PUT", path, body({ type: "SystemAssigned" }))).body).toMatchObject({
      identity: { principalId },
    });
  });

  it("are deleted with the resource group", async () => {
    const { call, principalId } = await withPrincipal();
    await call("PUT", GROUP, { location: "westeurope" });
    await call("DELETE", GROUP);
    expect((await call("GET", `/v1.0/servicePrincipals/${principalId}`)).status).toBe(404);
  });

  it("can have roles without a principal type in the request", async () => {
    const { call, principalId } = await withPrincipal();
    const name = "7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e01";
    const roleDefinitionId = `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${DATA_SENDER}`;
    const assigned = await call(
      "PUT",
      `${GROUP}/providers/Microsoft.Authorization/roleAssignments/${name}`,
      { properties: { roleDefinitionId, principalId } },
    );
    expect(assigned).toMatchObject({
      status: 201,
      body: { properties: { principalId, principalType: "ServicePrincipal" } },
    });
  });

  it("are deleted by a change to None", async () => {
    const { call, principalId } = await withPrincipal();
    const patched = await call("PATCH", path, { identity: { type: "None" } });
    expect(patched.body).toMatchObject({ identity: { type: "None", principalId: null } });
    expect((await call("GET", `/v1.0/servicePrincipals/${principalId}`)).status).toBe(404);
  });

  it("may be elsewhere, and may be deleted while a resource has them", async () => {
    const { call } = await startGroup();
    await call("PUT", USER_ASSIGNED, { location: "westeurope" });
    const elsewhere = USER_ASSIGNED.replace("/shop/", "/others/");
    const userAssignedIdentities = { [USER_ASSIGNED]: {}, [elsewhere]: {} };
    const identity = { type: "UserAssigned", userAssignedIdentities };
    expect((await call("PUT", path, body(identity))).status).toBeLessThan(300);
    await call("DELETE", USER_ASSIGNED);
    const patched = await call("PATCH", path, { tags: { team: "shop" } });
    const unknown = { principalId: null, clientId: null };
    expect(patched.body).toMatchObject({
      identity: { principalId: null, userAssignedIdentities: { [USER_ASSIGNED]: unknown } },
    });
  });

  it("have the IDs of user-assigned identities, whatever their case", async () => {
    const { call } = await startGroup();
    const { body: made } = await call("PUT", USER_ASSIGNED, { location: "westeurope" });
    const id = USER_ASSIGNED.replace("/resourceGroups/", "/RESOURCEGROUPS/");
    await call("PUT", path, body({ type: "UserAssigned", userAssignedIdentities: { [id]: {} } }));
    const principalId = textIn(made, "properties", "principalId");
    const clientId = textIn(made, "properties", "clientId");
    const { body: shown } = await call("GET", path);
    expect(Object(shown).identity.userAssignedIdentities).toEqual({
      [id]: { principalId, clientId },
    });
  });
});
