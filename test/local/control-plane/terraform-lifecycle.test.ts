import { describe, expect, it } from "vitest";
import { startCloud, startWebhook } from "../support/cloud.js";
import {
  type Call,
  finished,
  type ManagementAnswer,
  signIn,
  textIn,
} from "../support/management-client.js";

const SUBSCRIPTION = "/subscriptions/22222222-2222-4222-8222-222222222222";
const GROUP = `${SUBSCRIPTION}/resourceGroups/shop`;
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const ROLE_ID = "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01";
const ROLE = "AzureEventGridSecureWebhookSubscriber";
const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
const DEPLOYER = "33333333-3333-4333-8333-333333333333";
const ASSIGNMENT = `${TOPIC}/providers/Microsoft.Authorization/roleAssignments/7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e01`;
const SUBSCRIBER = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/orders-sub`;
const URL_WITH_SECRET = "https://orders.example.com/api/events?code=s3cret";

const appRole = {
  id: ROLE_ID,
  allowedMemberTypes: ["Application", "User"],
  description: "Azure Event Grid Role",
  displayName: ROLE,
  isEnabled: true,
  value: ROLE,
};

/**
 * The providers' calls, in the order in which azurerm 4.55 and azuread 3.7 make them for a binding
 * that provisions everything: configure, plan, apply, plan again, update, destroy.
 */
describe("a stack with the calls of the Terraform providers", () => {
  it("is configured, applied, planned without changes, updated and destroyed", async () => {
    const webhook = await startWebhook();
    const cloud = await startCloud({
      control: true,
      ingress: { "https://orders.example.com": webhook.url },
    });
    const call = await signIn(cloud);

    await registerEventGrid(call);
    const made = await applyApplication(call);
    await applyResources(call, made);
    expect(cloud.handshakes()).toMatchObject([{ subscription: "orders-sub", succeeded: true }]);
    await expectNoChanges(call, made);
    await updateSubscription(call, made);
    expect(cloud.handshakes()).toHaveLength(2);
    await destroy(call, made);

    expect(cloud.topics.list()).toEqual([]);
    expect(cloud.eventSubscriptions.list()).toEqual([]);
    expect(cloud.directory.applicationOf(made.clientId)).toBeUndefined();
  });
});

async function registerEventGrid(call: Call) {
  const providers = await call("GET", `${SUBSCRIPTION}/providers?api-version=2022-09-01`);
  expect(providers).toMatchObject({
    status: 200,
    body: {
      value: expect.arrayContaining([
        expect.objectContaining({
          namespace: "Microsoft.EventGrid",
          registrationState: "NotRegistered",
        }),
      ]),
    },
  });
  const eventGrid = `${SUBSCRIPTION}/providers/Microsoft.EventGrid`;
  expect((await call("POST", `${eventGrid}/register?api-version=2022-09-01`)).status).toBe(200);
  expect(await call("GET", `${eventGrid}?api-version=2022-09-01`)).toMatchObject({
    status: 200,
    body: { namespace: "Microsoft.EventGrid", registrationState: "Registered" },
  });
  const features = `${SUBSCRIPTION}/providers/Microsoft.Features/providers/Microsoft.EventGrid/features`;
  expect(await call("GET", `${features}?api-version=2021-07-01`)).toMatchObject({
    status: 200,
    body: { value: [] },
  });
}

interface Made {
  readonly applicationId: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly assignments: string[];
}

async function applyApplication(call: Call): Promise<Made> {
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

async function applyResources(call: Call, made: Made) {
  const assignment = `${ASSIGNMENT}?api-version=2022-04-01`;
  const topic = `${TOPIC}?api-version=2025-02-15`;
  expect((await call("PUT", GROUP, { location: "westeurope" })).status).toBe(201);
  expect((await call("GET", topic)).status).toBe(404);
  const topicPut = await call("PUT", topic, {
    location: "westeurope",
    properties: { inputSchema: "CloudEventSchemaV1_0", publicNetworkAccess: "Enabled" },
    tags: {},
  });
  expect(topicPut).toMatchObject({ status: 201, headers: { "retry-after": "0" } });
  expect(await finished(call, topicPut)).toMatchObject({ status: "Succeeded" });

  expect((await call("GET", assignment)).status).toBe(404);
  const granted = await call("PUT", assignment, {
    properties: {
      description: "",
      principalId: made.principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443`,
    },
  });
  expect(granted.status).toBe(201);

  const path = `${SUBSCRIBER}?api-version=2025-02-15`;
  expect((await call("GET", path)).status).toBe(404);
  const put = await call("PUT", path, subscriptionBody(made, []));
  expect(put).toMatchObject({ status: 201, headers: { "retry-after": "0" } });
  expect(await finished(call, put)).toMatchObject({ status: "Succeeded" });
}

function subscriptionBody(made: Made, labels: string[]) {
  return {
    properties: {
      deadLetterDestination: null,
      destination: {
        endpointType: "WebHook",
        properties: {
          azureActiveDirectoryApplicationIdOrUri: made.clientId,
          azureActiveDirectoryTenantId: "11111111-1111-4111-8111-111111111111",
          deliveryAttributeMappings: [],
          endpointUrl: URL_WITH_SECRET,
        },
      },
      eventDeliverySchema: "CloudEventSchemaV1_0",
      expirationTimeUtc: "",
      filter: {},
      labels,
    },
  };
}

/** All reads of a plan. Each must return the written values, or the plan shows a change. */
async function expectNoChanges(call: Call, made: Made, labels: string[] = []) {
  const read = async (path: string) => {
    const answer: ManagementAnswer = await call("GET", path);
    expect(answer.status, path).toBe(200);
    return answer.body;
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
  expect(await read(`${ASSIGNMENT}?api-version=2022-04-01`)).toMatchObject({
    id: ASSIGNMENT,
    name: "7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e01",
    properties: {
      scope: TOPIC,
      description: "",
      principalId: made.principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443`,
    },
  });
  expect(
    await read(
      `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443?api-version=2022-05-01-preview`,
    ),
  ).toMatchObject({ properties: { roleName: "EventGrid EventSubscription Contributor" } });
  expect(await read(`${TOPIC}?api-version=2025-02-15`)).toMatchObject({
    id: TOPIC,
    location: "westeurope",
    properties: {
      endpoint: expect.stringMatching(/\/api\/events$/),
      inputSchema: "CloudEventSchemaV1_0",
      publicNetworkAccess: "Enabled",
    },
  });
  const keys = await call("POST", `${TOPIC}/listKeys?api-version=2025-02-15`);
  expect(keys.body).toEqual({ key1: expect.any(String), key2: expect.any(String) });
  expect(await read(`${SUBSCRIBER}?api-version=2025-02-15`)).toEqual({
    id: SUBSCRIBER,
    name: "orders-sub",
    type: "Microsoft.EventGrid/eventSubscriptions",
    systemData: null,
    properties: {
      destination: {
        endpointType: "WebHook",
        properties: {
          azureActiveDirectoryApplicationIdOrUri: made.clientId,
          azureActiveDirectoryTenantId: "11111111-1111-4111-8111-111111111111",
          endpointUrl: null,
          endpointBaseUrl: "https://orders.example.com/api/events",
          maxEventsPerBatch: 1,
          preferredBatchSizeInKilobytes: 64,
        },
      },
      eventDeliverySchema: "CloudEventSchemaV1_0",
      filter: { subjectBeginsWith: "", subjectEndsWith: "" },
      labels,
      provisioningState: "Succeeded",
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
      topic: TOPIC.replace("Microsoft.EventGrid", "microsoft.eventgrid"),
    },
  });
  const fullUrl = await call("POST", `${SUBSCRIBER}/getFullUrl?api-version=2025-02-15`);
  expect(fullUrl).toMatchObject({ status: 200, body: { endpointUrl: URL_WITH_SECRET } });
}

async function updateSubscription(call: Call, made: Made) {
  const put = await call(
    "PUT",
    `${SUBSCRIBER}?api-version=2025-02-15`,
    subscriptionBody(made, ["blue"]),
  );
  expect(put.status).toBe(201);
  expect(await finished(call, put)).toMatchObject({ status: "Succeeded" });
  await expectNoChanges(call, made, ["blue"]);
}

async function destroy(call: Call, made: Made) {
  const principal = `/v1.0/servicePrincipals/${made.principalId}`;
  const application = `/v1.0/applications/${made.applicationId}`;
  const gone = async (path: string, ...accepted: number[]) => {
    expect(accepted, path).toContain((await call("DELETE", path)).status);
    expect((await call("GET", path)).status, path).toBe(404);
  };
  await gone(`${SUBSCRIBER}?api-version=2025-02-15`, 200, 202, 204);
  await gone(`${ASSIGNMENT}?api-version=2022-04-01`, 200);
  for (const id of made.assignments) await gone(`${principal}/appRoleAssignedTo/${id}`, 204);
  await gone(`${TOPIC}?api-version=2025-02-15`, 202, 204);
  await gone(principal, 204);
  const disabled = { appRoles: [{ ...appRole, isEnabled: false }] };
  expect((await call("PATCH", application, disabled)).status).toBe(204);
  expect((await call("PATCH", application, { appRoles: [] })).status).toBe(204);
  await gone(application, 204);
}

function find(call: Call, clientId: string) {
  return call("GET", `/v1.0/servicePrincipals?$filter=appId%20eq%20'${clientId}'`);
}
