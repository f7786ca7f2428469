import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";
import {
  type Call,
  newIdentity,
  permit,
  refusal,
  signIn,
  textIn,
} from "../support/management-client.js";

const denied = refusal(
  403,
  "Authorization_RequestDenied",
  "Insufficient privileges to complete the operation.",
);

async function signInWith(cloud: LocalCloud, ...permissions: string[]): Promise<Call> {
  const identity = newIdentity(cloud, "caller");
  permit(cloud, identity.clientId, ...permissions);
  return signIn(cloud, identity);
}

/** The statuses of reading, creating, changing an application, and of assigning its role. */
async function tryAll(call: Call, cloud: LocalCloud) {
  const { application, servicePrincipal } = cloud.applications.create({ displayName: "other" });
  const { objectId } = servicePrincipal;
  const assignment = {
    appRoleId: application.appRoles[0]?.id,
    principalId: objectId,
    resourceId: objectId,
  };
  const path = `/v1.0/applications/${application.objectId}`;
  const assigned = `/v1.0/servicePrincipals/${objectId}/appRoleAssignedTo`;
  const answers = [
    await call("GET", path),
    await call("POST", "/v1.0/applications", { displayName: "new" }),
    await call("PATCH", path, { notes: "changed" }),
    await call("POST", assigned, assignment),
  ];
  return answers.map(({ status }) => status);
}

describe("the Graph permissions of the caller", () => {
  it.each<[permissions: string, read: number, create: number, change: number, assign: number]>([
    ["", 403, 403, 403, 403],
    ["Application.Read.All", 200, 403, 403, 403],
    ["Application.ReadWrite.All", 200, 201, 204, 403],
    ["Application.ReadWrite.OwnedBy", 200, 201, 403, 403],
    ["Directory.ReadWrite.All", 200, 201, 204, 403],
    ["AppRoleAssignment.ReadWrite.All", 403, 403, 403, 403],
    ["AppRoleAssignment.ReadWrite.All Application.Read.All", 200, 403, 403, 201],
  ])("decide what it may do: '%s'", async (permissions, ...statuses) => {
    const cloud = await startCloud({ control: true });
    const call = await signInWith(cloud, ...permissions.split(" ").filter(Boolean));
    expect(await tryAll(call, cloud)).toEqual(statuses);
  });

  it("are required with Graph's own error", async () => {
    const cloud = await startCloud({ control: true });
    const call = await signInWith(cloud);
    expect(await call("GET", "/v1.0/applications")).toMatchObject(denied);
    expect(await call("GET", "/v1.0/applications(appId='missing')")).toMatchObject(denied);
  });

  it("let the deployer create no groups, since docs/permissions.md asks for no such right", async () => {
    const call = await signIn(await startCloud({ control: true }));
    const group = { displayName: "ops", mailEnabled: false, mailNickname: "ops" };
    const answer = await call("POST", "/v1.0/groups", { ...group, securityEnabled: true });
    expect(answer).toMatchObject(denied);
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
