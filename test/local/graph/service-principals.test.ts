import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startManaged } from "../support/cloud.js";
import { deployer, refusal, textIn } from "../support/management-client.js";

const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";

const ROLE = "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01";
const STRANGER = "55555555-5555-4555-8555-555555555555";

const appRole = (id: string, value: string) => ({
  id,
  value,
  allowedMemberTypes: ["Application"],
  description: value,
  displayName: value,
});

/** An application with a role, its service principal, and the principal of who calls. */
async function start(options: LocalCloudOptions = { control: true }) {
  const { cloud, call } = await startManaged(options);
  const find = async (clientId: string) => {
    const filter = `$filter=appId%20eq%20'${clientId}'`;
    return (await call("GET", `/v1.0/servicePrincipals?${filter}`)).body;
  };
  const application = await call("POST", "/v1.0/applications", {
    displayName: "webhook",
    appRoles: [appRole(ROLE, "role")],
  });
  const clientId = textIn(application.body, "appId");
  const principal = await call("POST", "/v1.0/servicePrincipals", { appId: clientId });
  const id = textIn(principal.body, "id");
  const caller = textIn(await find(deployer(cloud).clientId), "value", "0", "id");
  const path = `/v1.0/servicePrincipals/${id}`;
  /** Assigns the role to the caller, apart from what is given. */
  const assign = (given: object = {}) =>
    call("POST", `${path}/appRoleAssignedTo`, {
      ...{ appRoleId: ROLE, principalId: caller, resourceId: id },
      ...given,
    });
  const applicationPath = `/v1.0/applications/${textIn(application.body, "id")}`;
  return { cloud, call, find, clientId, applicationPath, id, caller, path, assign };
}

describe("service principals", () => {
  it("sign in with a secret of their own, until it is removed", async () => {
    const { cloud, call, path, clientId } = await start();
    const signInWith = async (secret: string) => {
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: secret,
        scope: `${clientId}/.default`,
      });
      const url = `${cloud.authorityHost}/${cloud.tenantId}/oauth2/v2.0/token`;
      return (await fetch(url, { method: "POST", body })).status;
    };
    const added = await call("POST", `${path}/addPassword`, {
      passwordCredential: { displayName: "ci" },
    });
    expect(added).toMatchObject({ status: 200, body: { displayName: "ci" } });
    const keyId = textIn(added.body, "keyId");
    const { passwordCredentials } = Object((await call("GET", path)).body);
    expect(passwordCredentials).toMatchObject([{ keyId, secretText: null }]);
    expect(await signInWith(textIn(added.body, "secretText"))).toBe(200);
    expect(await signInWith("other")).toBe(401);
    expect((await call("POST", `${path}/removePassword`, { keyId })).status).toBe(204);
    expect(await signInWith(textIn(added.body, "secretText"))).toBe(401);
  });

  it("inherit fields of their application", async () => {
    const { call, path, clientId, applicationPath } = await start();
    const scope = { id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f03", value: "read", isEnabled: true };
    const web = {
      homePageUrl: "https://orders.example.com/",
      logoutUrl: "https://orders.example.com/out",
      redirectUris: ["https://orders.example.com/in"],
    };
    await call("PATCH", applicationPath, {
      displayName: "orders",
      signInAudience: "AzureADMultipleOrgs",
      identifierUris: ["api://orders"],
      web,
      spa: { redirectUris: ["https://spa.example.com/"] },
      api: { oauth2PermissionScopes: [scope] },
      info: { marketingUrl: "https://orders.example.com/about" },
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
      info: { marketingUrl: "https://orders.example.com/about", logoUrl: null },
      // https://learn.microsoft.com/graph/api/resources/approle#properties
      appRoles: [{ ...appRole(ROLE, "role"), isEnabled: true, origin: "Application" }],
      tags: ["shared", "own"],
    });
  });

  it("have no SAML settings if all of these are null", async () => {
    const { call, path } = await start();
    const annotation = { "@odata.type": "#microsoft.graph.samlSingleSignOnSettings" };
    await call("PATCH", path, { samlSingleSignOnSettings: annotation });
    expect((await call("GET", path)).body).toMatchObject({ samlSingleSignOnSettings: null });
    const samlSingleSignOnSettings = { relayState: "/orders" };
    await call("PATCH", path, { samlSingleSignOnSettings });
    expect((await call("GET", path)).body).toMatchObject({ samlSingleSignOnSettings });
  });

  it("exist for Microsoft Graph, with the client ID and the addresses that it has everywhere", async () => {
    const { find } = await start();
    const clientId = "00000003-0000-0000-c000-000000000000";
    const servicePrincipalNames = [clientId, "https://graph.microsoft.com"];
    expect(await find(clientId)).toMatchObject({
      value: [{ displayName: "Microsoft Graph", servicePrincipalNames }],
    });
  });

  it("exist once per application", async () => {
    const { call, clientId } = await start();
    expect(await call("POST", "/v1.0/servicePrincipals", { appId: clientId })).toMatchObject(
      refusal(409, undefined, expect.stringContaining(`${clientId} is already in use`)),
    );
  });

  it("require an application", async () => {
    const { call } = await start();
    expect(await call("POST", "/v1.0/servicePrincipals", { appId: STRANGER })).toMatchObject(
      refusal(
        400,
        undefined,
        `The appId '${STRANGER}' of the service principal does not reference a valid application object.`,
      ),
    );
  });

  it("can be changed, deleted, and created again with other properties", async () => {
    const { call, path, id, clientId } = await start();
    expect((await call("PATCH", path, { notes: "mine", tags: ["a"] })).status).toBe(204);
    expect((await call("GET", path)).body).toMatchObject({ notes: "mine", tags: ["a"] });
    const object = await call("GET", `/v1.0/directoryObjects/${id}?$select=id`);
    expect(object.body).toEqual({
      "@odata.context": expect.stringMatching(/#directoryObjects\(id\)\/\$entity$/),
      "@odata.type": "#microsoft.graph.servicePrincipal",
      id,
    });
    const deleted = await call("DELETE", path);
    expect(deleted.status).toBe(204);
    // RFC 9110, section 8.6: no length where there is no content.
    expect(deleted.headers).not.toHaveProperty("content-length");
    expect((await call("GET", path)).status).toBe(404);
    const again = { appId: clientId, notes: "again" };
    expect((await call("POST", "/v1.0/servicePrincipals", again)).body).toMatchObject(again);
  });

  it("can have owners", async () => {
    const { call, path, caller } = await start();
    const reference = { "@odata.id": `https://localhost/v1.0/directoryObjects/${caller}` };
    expect((await call("POST", `${path}/owners/$ref`, reference)).status).toBe(204);
    expect((await call("POST", `${path}/owners/$ref`, reference)).status).toBe(400);
    const unknown = { "@odata.id": reference["@odata.id"].replace(caller, STRANGER) };
    expect((await call("POST", `${path}/owners/$ref`, unknown)).status).toBe(404);
    expect((await call("POST", `${path}/owners/$ref`, {})).status).toBe(400);
    expect((await call("GET", `${path}/owners`)).body).toMatchObject({
      value: [{ "@odata.type": "#microsoft.graph.servicePrincipal", id: caller }],
    });
    expect((await call("GET", `/v1.0/directoryObjects/${caller}`)).status).toBe(200);
    expect((await call("DELETE", `${path}/owners/${caller}/%24ref`)).status).toBe(204);
    expect((await call("DELETE", `${path}/owners/${caller}/$ref`)).status).toBe(404);
    const quoted = { "@odata.id": `https://localhost/v1.0/directoryObjects('${caller}')` };
    expect((await call("POST", `${path}/owners/$ref`, quoted)).status).toBe(204);
  });
});

it("Event Grid's own service principal can be missing, and be created by an administrator", async () => {
  const { call, find } = await start({ control: { eventGridPrincipal: false } });
  expect(await find(EVENT_GRID)).toMatchObject({ value: [] });
  expect((await call("POST", "/v1.0/servicePrincipals", { appId: EVENT_GRID })).status).toBe(201);
  const names = [EVENT_GRID, "https://eventgrid.azure.net"];
  expect(await find(EVENT_GRID)).toMatchObject({
    value: [{ appId: EVENT_GRID, servicePrincipalNames: names }],
  });
});

describe("app role assignments", () => {
  it("cannot be created twice", async () => {
    const { call, path, assign } = await start();
    const made = await assign();
    // The principal has it, not the resource.
    const ofResource = `${path}/appRoleAssignments/${textIn(made.body, "id")}`;
    expect((await call("DELETE", ofResource)).status).toBe(404);
    expect(await assign()).toMatchObject(
      refusal(400, "Request_BadRequest", "Permission being assigned already exists on the object"),
    );
  });

  it("are listed as a query asks", async () => {
    const { call, path, id, caller, assign } = await start();
    await assign();
    const listed = (query: string) => call("GET", `${path}/appRoleAssignedTo?${query}`);
    expect((await listed(`$filter=principalId%20eq%20${caller}&$select=appRoleId`)).body).toEqual(
      expect.objectContaining({ value: [{ appRoleId: ROLE }] }),
    );
    expect((await listed(`$filter=principalId%20eq%20${id}`)).body).toMatchObject({ value: [] });
  });

  it("conflict with the same assignment for the configured time after deletion", async () => {
    const control = { assignmentDeletionDelaySeconds: 30 };
    const { cloud, call, path, assign } = await start({ control, clock: "stepped" });
    const assignment = `${path}/appRoleAssignedTo/${textIn((await assign()).body, "id")}`;
    await call("DELETE", assignment);
    expect((await call("GET", assignment)).status).toBe(404);
    expect((await assign()).status).toBe(400);
    await cloud.clock.advance({ seconds: 30 });
    expect((await assign()).status).toBe(201);
  });

  it("are refused for a new role until the configured time has passed", async () => {
    const control = { appRoleDelaySeconds: 30 };
    const started = await start({ control, clock: "stepped" });
    const { cloud, call, clientId, applicationPath, assign } = started;
    expect((await assign()).status).toBe(201);
    const appRoleId = ROLE.replace(/1$/, "2");
    const appRoles = [appRole(ROLE, "role"), appRole(appRoleId, "added")];
    await call("PATCH", applicationPath, { appRoles });
    const message = `Permission being assigned was not found on application '${clientId}'.`;
    expect(await assign({ appRoleId })).toMatchObject(refusal(400, undefined, message));
    await cloud.clock.advance({ seconds: 30 });
    expect((await assign({ appRoleId })).status).toBe(201);
  });

  it.each<[string, object, number, string]>([
    ["a role of the resource", { appRoleId: STRANGER }, 400, "Request_BadRequest"],
    ["a principal of the tenant", { principalId: STRANGER }, 404, "Request_ResourceNotFound"],
    ["the ID of a role", { appRoleId: undefined }, 400, "Request_BadRequest"],
  ])("require %s", async (_, given, status, code) => {
    const { assign } = await start();
    expect(await assign(given)).toMatchObject(refusal(status, code));
  });

  it("can be given to a declared user or group", async () => {
    const { cloud, assign } = await start();
    const principalId = "66666666-6666-4666-8666-666666666666";
    const tenant = cloud.directory.tenant(cloud.tenantId);
    tenant?.usersAndGroups.set(principalId, { displayName: "platform team", type: "Group" });
    expect(await assign({ principalId })).toMatchObject({
      status: 201,
      body: { principalDisplayName: "platform team", principalType: "Group" },
    });
  });
});
