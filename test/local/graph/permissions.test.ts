import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";
import { type Call, newIdentity, signIn, textIn } from "../support/management-client.js";

const GRAPH = "00000003-0000-0000-c000-000000000000";
const denied = {
  status: 403,
  body: {
    error: {
      code: "Authorization_RequestDenied",
      message: "Insufficient privileges to complete the operation.",
    },
  },
};

async function signInWith(cloud: LocalCloud, ...permissions: string[]): Promise<Call> {
  const identity = newIdentity(cloud, "caller");
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const graph = tenant?.servicePrincipals.byClientId(GRAPH);
  const caller = tenant?.servicePrincipals.byClientId(identity.clientId);
  for (const permission of permissions) {
    if (graph && caller) tenant?.grant(caller, graph, permission);
  }
  return signIn(cloud, identity);
}

async function tryAll(call: Call, cloud: LocalCloud) {
  const { application, servicePrincipal } = cloud.applications.create({ displayName: "other" });
  const { objectId } = servicePrincipal;
  const assignment = {
    appRoleId: application.appRoles[0]?.id,
    principalId: objectId,
    resourceId: objectId,
  };
  const path = `/v1.0/applications/${application.objectId}`;
  return {
    read: (await call("GET", path)).status,
    create: (await call("POST", "/v1.0/applications", { displayName: "new" })).status,
    change: (await call("PATCH", path, { notes: "changed" })).status,
    assign: (
      await call("POST", `/v1.0/servicePrincipals/${objectId}/appRoleAssignedTo`, assignment)
    ).status,
  };
}

describe("the Graph permissions of the caller", () => {
  it.each([
    ["nothing", [], { read: 403, create: 403, change: 403, assign: 403 }],
    [
      "Application.Read.All",
      ["Application.Read.All"],
      { read: 200, create: 403, change: 403, assign: 403 },
    ],
    [
      "Application.ReadWrite.All",
      ["Application.ReadWrite.All"],
      { read: 200, create: 201, change: 204, assign: 403 },
    ],
    [
      "Application.ReadWrite.OwnedBy",
      ["Application.ReadWrite.OwnedBy"],
      { read: 200, create: 201, change: 403, assign: 403 },
    ],
    [
      "Directory.ReadWrite.All",
      ["Directory.ReadWrite.All"],
      { read: 200, create: 201, change: 204, assign: 403 },
    ],
    [
      "AppRoleAssignment.ReadWrite.All",
      ["AppRoleAssignment.ReadWrite.All"],
      { read: 403, create: 403, change: 403, assign: 403 },
    ],
    [
      "AppRoleAssignment.ReadWrite.All beside Application.Read.All",
      ["AppRoleAssignment.ReadWrite.All", "Application.Read.All"],
      { read: 200, create: 403, change: 403, assign: 201 },
    ],
  ])("decide what it may do: %s", async (_, permissions, expected) => {
    const cloud = await startCloud({ control: true });
    expect(await tryAll(await signInWith(cloud, ...permissions), cloud)).toEqual(expected);
  });

  it("are required with Graph's own error", async () => {
    const cloud = await startCloud({ control: true });
    const call = await signInWith(cloud);
    expect(await call("GET", "/v1.0/applications")).toMatchObject(denied);
  });

  it("limited to owned objects allow changes of created objects", async () => {
    const cloud = await startCloud({ control: true });
    const call = await signInWith(cloud, "Application.ReadWrite.OwnedBy");
    const made = await call("POST", "/v1.0/applications", { displayName: "mine" });
    const path = `/v1.0/applications/${textIn(made.body, "id")}`;
    expect((await call("PATCH", path, { notes: "changed" })).status).toBe(204);
    expect((await call("POST", `${path}/addPassword`, {})).status).toBe(200);
    const body = { appId: textIn(made.body, "appId") };
    const principal = await call("POST", "/v1.0/servicePrincipals", body);
    const at = `/v1.0/servicePrincipals/${textIn(principal.body, "id")}`;
    expect((await call("DELETE", at)).status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(204);
  });

  it("limited to owned objects do not allow a service principal of another application", async () => {
    const cloud = await startCloud({ control: { eventGridPrincipal: false } });
    const call = await signInWith(cloud, "Application.ReadWrite.OwnedBy");
    const tenant = cloud.directory.tenant(cloud.tenantId);
    const other = tenant?.applications.create({ displayName: "other" });
    for (const appId of [other?.clientId, "4962773b-9cdb-44cf-a8bf-237846a00ab7"]) {
      expect(await call("POST", "/v1.0/servicePrincipals", { appId })).toMatchObject(denied);
    }
  });
});
