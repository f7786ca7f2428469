import { expect, it } from "vitest";
import { startManaged } from "../support/cloud.js";
import { type Call, textIn } from "../support/management-client.js";

const ROLE_ID = "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01";
const ROLE = "AzureEventGridSecureWebhookSubscriber";
const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
const DEPLOYER = "33333333-3333-4333-8333-333333333333";
const appRole = {
  id: ROLE_ID,
  allowedMemberTypes: ["Application", "User"],
  description: "Azure Event Grid Role",
  displayName: ROLE,
  isEnabled: true,
  value: ROLE,
};

/** The calls of azuread 3.7, in its order. The stand-ins of test/terraform make fewer. */
it("an application with the calls of the azuread provider is created, planned without changes and destroyed", async () => {
  const { cloud, call } = await startManaged();
  const made = await apply(call);
  await expectNoChanges(call, made);
  await destroy(call, made);
  expect(cloud.directory.applicationOf(made.clientId)).toBeUndefined();
});

interface Made {
  readonly applicationId: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly assignments: string[];
}

async function apply(call: Call): Promise<Made> {
  const created = await call("POST", "/v1.0/applications", {
    "@odata.type": "#microsoft.graph.application",
    api: { requestedAccessTokenVersion: 2 },
    description: null,
    displayName: "orders webhook",
    info: { marketingUrl: null },
    signInAudience: "AzureADMyOrg",
    web: { homePageUrl: null, logoutUrl: null },
  });
  expect(created.status).toBe(201);
  const applicationId = textIn(created.body, "id");
  const clientId = textIn(created.body, "appId");
  const application = `/v1.0/applications/${applicationId}`;
  for (const displayName of ["TERRAFORM_UPDATE_1", "orders webhook"]) {
    expect((await call("PATCH", application, { displayName })).status).toBe(204);
  }
  expect((await call("PATCH", application, { appRoles: [appRole] })).status).toBe(204);
  expect(await call("GET", application)).toMatchObject({
    status: 200,
    body: {
      displayName: "orders webhook",
      api: { requestedAccessTokenVersion: 2 },
      appRoles: [appRole],
      signInAudience: "AzureADMyOrg",
    },
  });

  expect((await find(call, clientId)).body).toMatchObject({ value: [] });
  const caller = textIn((await find(call, DEPLOYER)).body, "value", "0", "id");
  const principal = await call("POST", "/v1.0/servicePrincipals", {
    accountEnabled: true,
    appId: clientId,
    description: "TERRAFORM_UPDATE_2",
    tags: [],
    "owners@odata.bind": [`https://localhost/v1.0/directoryObjects/${caller}`],
  });
  expect(principal).toMatchObject({ status: 201, body: { appRoles: [appRole] } });
  const principalId = textIn(principal.body, "id");
  const path = `/v1.0/servicePrincipals/${principalId}`;
  expect((await call("PATCH", path, { description: null })).status).toBe(204);
  expect(await call("GET", `${path}/owners`)).toMatchObject({ body: { value: [{ id: caller }] } });
  expect((await call("DELETE", `${path}/owners/${caller}/$ref`)).status).toBe(204);

  const eventGrid = textIn((await find(call, EVENT_GRID)).body, "value", "0", "id");
  const assignments: string[] = [];
  for (const assignee of [eventGrid, caller, principalId]) {
    const assigned = await call("POST", `${path}/appRoleAssignedTo`, {
      appRoleId: ROLE_ID,
      principalId: assignee,
      resourceId: principalId,
    });
    expect(assigned).toMatchObject({ status: 201, body: { resourceId: principalId } });
    assignments.push(textIn(assigned.body, "id"));
  }
  return { applicationId, clientId, principalId, assignments };
}

/** All reads of a plan. Each must return the written values, or the plan shows a change. */
async function expectNoChanges(call: Call, made: Made) {
  const read = async (path: string) => {
    const { status, body } = await call("GET", path);
    expect(status, path).toBe(200);
    return body;
  };
  const principal = `servicePrincipals/${made.principalId}`;
  expect(await read(`/v1.0/applications/${made.applicationId}`)).toMatchObject({
    id: made.applicationId,
    appRoles: [appRole],
  });
  expect(await read(`/v1.0/${principal}`)).toMatchObject({
    appId: made.clientId,
    accountEnabled: true,
    description: null,
    appRoleAssignmentRequired: false,
    tags: [],
  });
  await read(`/beta/${principal}?$select=samlMetadataUrl`);
  expect(await read(`/v1.0/${principal}/owners`)).toMatchObject({ value: [] });
  for (const id of made.assignments) {
    expect(await read(`/v1.0/${principal}/appRoleAssignedTo/${id}`)).toMatchObject({
      id,
      appRoleId: ROLE_ID,
      principalType: "ServicePrincipal",
      resourceId: made.principalId,
      resourceDisplayName: "orders webhook",
    });
  }
}

async function destroy(call: Call, made: Made) {
  const principal = `/v1.0/servicePrincipals/${made.principalId}`;
  const application = `/v1.0/applications/${made.applicationId}`;
  const gone = async (path: string) => {
    expect((await call("DELETE", path)).status, path).toBe(204);
    expect((await call("GET", path)).status, path).toBe(404);
  };
  for (const id of made.assignments) await gone(`${principal}/appRoleAssignedTo/${id}`);
  await gone(principal);
  const disabled = { appRoles: [{ ...appRole, isEnabled: false }] };
  expect((await call("PATCH", application, disabled)).status).toBe(204);
  expect((await call("PATCH", application, { appRoles: [] })).status).toBe(204);
  await gone(application);
}

function find(call: Call, clientId: string) {
  return call("GET", `/v1.0/servicePrincipals?$filter=appId%20eq%20'${clientId}'`);
}
