import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startManaged } from "../support/cloud.js";
import { deployer, refusal, textIn } from "../support/management-client.js";

const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";

async function start(eventGridPrincipal = true, options: LocalCloudOptions = {}) {
  const { cloud, call } = await startManaged({ control: { eventGridPrincipal }, ...options });
  const find = (clientId: string) =>
    call("GET", `/v1.0/servicePrincipals?$filter=appId%20eq%20'${clientId}'`);
  return { cloud, call, find };
}

async function startWithApplication(options: LocalCloudOptions = {}) {
  const { cloud, call, find } = await start(true, options);
  const role = {
    id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01",
    allowedMemberTypes: ["Application"],
    description: "role",
    displayName: "role",
    value: "role",
  };
  const body = { displayName: "webhook", appRoles: [role] };
  const application = await call("POST", "/v1.0/applications", body);
  const clientId = textIn(application.body, "appId");
  const principal = await call("POST", "/v1.0/servicePrincipals", { appId: clientId });
  const id = textIn(principal.body, "id");
  const caller = textIn((await find(deployer(cloud).clientId)).body, "value", "0", "id");
  return {
    cloud,
    call,
    find,
    clientId,
    id,
    caller,
    roleId: role.id,
    path: `/v1.0/servicePrincipals/${id}`,
  };
}

describe("service principals", () => {
  it("inherit fields of their application", async () => {
    const { call, path, clientId } = await startWithApplication();
    const application = textIn(
      (await call("GET", `/v1.0/applications?$filter=appId%20eq%20'${clientId}'`)).body,
      "value",
      "0",
      "id",
    );
    const scope = { id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f03", value: "read", isEnabled: true };
    const web = {
      homePageUrl: "https://orders.example.com/",
      logoutUrl: "https://orders.example.com/out",
      redirectUris: ["https://orders.example.com/in"],
    };
    await call("PATCH", `/v1.0/applications/${application}`, {
      displayName: "orders",
      signInAudience: "AzureADMultipleOrgs",
      identifierUris: ["api://orders"],
      web,
      spa: { redirectUris: ["https://spa.example.com/"] },
      api: { oauth2PermissionScopes: [scope] },
      tags: ["shared"],
    });
    await call("PATCH", path, { tags: ["own", "shared"] });
    expect((await call("GET", path)).body).toMatchObject({
      appDisplayName: "orders",
      signInAudience: "AzureADMultipleOrgs",
      servicePrincipalNames: [clientId, "api://orders"],
      homepage: web.homePageUrl,
      logoutUrl: web.logoutUrl,
      replyUrls: ["https://orders.example.com/in", "https://spa.example.com/"],
      oauth2PermissionScopes: [scope],
      tags: ["shared", "own"],
    });
  });

  it("have no SAML settings if all of these are null", async () => {
    const { call, path } = await startWithApplication();
    const annotation = { "@odata.type": "#microsoft.graph.samlSingleSignOnSettings" };
    await call("PATCH", path, { samlSingleSignOnSettings: annotation });
    expect((await call("GET", path)).body).toMatchObject({ samlSingleSignOnSettings: null });
    const samlSingleSignOnSettings = { relayState: "/orders" };
    await call("PATCH", path, { samlSingleSignOnSettings });
    expect((await call("GET", path)).body).toMatchObject({ samlSingleSignOnSettings });
  });

  it("exist once per application", async () => {
    const { call, clientId } = await startWithApplication();
    expect(await call("POST", "/v1.0/servicePrincipals", { appId: clientId })).toMatchObject(
      refusal(409, undefined, expect.stringContaining(`${clientId} is already in use`)),
    );
  });

  it("require an application", async () => {
    const { call } = await start();
    const appId = "55555555-5555-4555-8555-555555555555";
    expect(await call("POST", "/v1.0/servicePrincipals", { appId })).toMatchObject(
      refusal(
        400,
        undefined,
        `The appId '${appId}' of the service principal does not reference a valid application object.`,
      ),
    );
  });

  it("can be changed and deleted", async () => {
    const { call, path } = await startWithApplication();
    expect((await call("PATCH", path, { notes: "mine", tags: ["a"] })).status).toBe(204);
    expect((await call("GET", path)).body).toMatchObject({ notes: "mine", tags: ["a"] });
    const deleted = await call("DELETE", path);
    expect(deleted.status).toBe(204);
    // RFC 9110, section 8.6: no length where there is no content.
    expect(deleted.headers).not.toHaveProperty("content-length");
    expect((await call("GET", path)).status).toBe(404);
  });

  it("can have owners", async () => {
    const { call, path, caller } = await startWithApplication();
    const reference = { "@odata.id": `https://localhost/v1.0/directoryObjects/${caller}` };
    expect((await call("POST", `${path}/owners/$ref`, reference)).status).toBe(204);
    expect((await call("POST", `${path}/owners/$ref`, reference)).status).toBe(400);
    expect((await call("GET", `${path}/owners`)).body).toMatchObject({
      value: [{ "@odata.type": "#microsoft.graph.servicePrincipal", id: caller }],
    });
    expect((await call("GET", `/v1.0/directoryObjects/${caller}`)).status).toBe(200);
    expect((await call("DELETE", `${path}/owners/${caller}/%24ref`)).status).toBe(204);
    expect((await call("DELETE", `${path}/owners/${caller}/$ref`)).status).toBe(404);
  });
});

it("Event Grid's own service principal can be missing, and be created by an administrator", async () => {
  const { call, find } = await start(false);
  expect((await find(EVENT_GRID)).body).toMatchObject({ value: [] });
  expect((await call("POST", "/v1.0/servicePrincipals", { appId: EVENT_GRID })).status).toBe(201);
  const names = [EVENT_GRID, "https://eventgrid.azure.net"];
  expect((await find(EVENT_GRID)).body).toMatchObject({
    value: [{ appId: EVENT_GRID, servicePrincipalNames: names }],
  });
});

describe("app role assignments", () => {
  it("cannot be created twice", async () => {
    const { call, path, id, caller, roleId } = await startWithApplication();
    const body = { appRoleId: roleId, principalId: caller, resourceId: id };
    const made = await call("POST", `${path}/appRoleAssignedTo`, body);
    // The principal has it, not the resource.
    const ofResource = `${path}/appRoleAssignments/${textIn(made.body, "id")}`;
    expect((await call("DELETE", ofResource)).status).toBe(404);
    expect(await call("POST", `${path}/appRoleAssignedTo`, body)).toMatchObject(
      refusal(400, "Request_BadRequest", "Permission being assigned already exists on the object"),
    );
  });

  it("are listed as a query asks", async () => {
    const { call, path, id, caller, roleId } = await startWithApplication();
    const body = { appRoleId: roleId, principalId: caller, resourceId: id };
    await call("POST", `${path}/appRoleAssignedTo`, body);
    const listed = (query: string) => call("GET", `${path}/appRoleAssignedTo?${query}`);
    expect((await listed(`$filter=principalId%20eq%20${caller}&$select=appRoleId`)).body).toEqual(
      expect.objectContaining({ value: [{ appRoleId: roleId }] }),
    );
    expect((await listed(`$filter=principalId%20eq%20${id}`)).body).toMatchObject({ value: [] });
  });

  it("conflict with the same assignment for the configured time after deletion", async () => {
    const { cloud, call, path, id, caller, roleId } = await startWithApplication({
      control: { assignmentDeletionDelaySeconds: 30 },
      clock: "stepped",
    });
    const body = { appRoleId: roleId, principalId: caller, resourceId: id };
    const assign = () => call("POST", `${path}/appRoleAssignedTo`, body);
    const assignment = textIn((await assign()).body, "id");
    await call("DELETE", `${path}/appRoleAssignedTo/${assignment}`);
    expect((await call("GET", `${path}/appRoleAssignedTo/${assignment}`)).status).toBe(404);
    expect((await assign()).status).toBe(400);
    await cloud.clock.advance({ seconds: 30 });
    expect((await assign()).status).toBe(201);
  });

  it("are refused for a new role until the configured time has passed", async () => {
    const { cloud, call, clientId, path, id, caller, roleId } = await startWithApplication({
      control: { appRoleDelaySeconds: 30 },
      clock: "stepped",
    });
    const assign = (appRoleId: string) =>
      call("POST", `${path}/appRoleAssignedTo`, { appRoleId, principalId: caller, resourceId: id });
    expect((await assign(roleId)).status).toBe(201);
    const found = cloud.directory.tenant(cloud.tenantId)?.applications.byClientId(clientId);
    const added = { id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f02", value: "added" };
    const role = { allowedMemberTypes: ["Application"], description: "a", displayName: "a" };
    const appRoles = [...(found?.appRoles ?? []), { ...role, ...added }];
    await call("PATCH", `/v1.0/applications/${found?.objectId}`, { appRoles });
    expect(await assign(added.id)).toMatchObject(
      refusal(
        400,
        undefined,
        `Permission being assigned was not found on application '${clientId}'.`,
      ),
    );
    await cloud.clock.advance({ seconds: 30 });
    expect((await assign(added.id)).status).toBe(201);
  });

  it("require a role of the resource and a principal of the tenant", async () => {
    const { call, path, id, caller, roleId } = await startWithApplication();
    const stranger = "55555555-5555-4555-8555-555555555555";
    const assign = (body: object) => call("POST", `${path}/appRoleAssignedTo`, body);
    expect(
      await assign({ appRoleId: stranger, principalId: caller, resourceId: id }),
    ).toMatchObject(refusal(400, "Request_BadRequest"));
    expect(
      await assign({ appRoleId: roleId, principalId: stranger, resourceId: id }),
    ).toMatchObject(refusal(404, "Request_ResourceNotFound"));
    expect((await assign({ principalId: caller, resourceId: id })).status).toBe(400);
  });

  it("can be given to a declared user or group", async () => {
    const { cloud, call } = await start();
    const group = "66666666-6666-4666-8666-666666666666";
    const tenant = cloud.directory.tenant(cloud.tenantId);
    tenant?.usersAndGroups.set(group, { displayName: "platform team", type: "Group" });
    const { servicePrincipal, application } = cloud.applications.create({ displayName: "webhook" });
    const id = servicePrincipal.objectId;
    const body = {
      appRoleId: application.appRoles[0]?.id,
      principalId: group,
      resourceId: id,
    };
    expect(
      await call("POST", `/v1.0/servicePrincipals/${id}/appRoleAssignedTo`, body),
    ).toMatchObject({
      status: 201,
      body: { principalDisplayName: "platform team", principalType: "Group" },
    });
  });
});
