import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startCloud, startManaged } from "../../support/cloud.js";
import { newIdentity, refusal, signIn, textIn } from "../../support/management-client.js";

const DEFINITIONS = "providers/Microsoft.Authorization/roleDefinitions";
const ASSIGNMENTS = "providers/Microsoft.Authorization/roleAssignments";
const SUBSCRIPTION_CONTRIBUTOR = "428e0ff0-5e57-4d9c-a221-2c70d0e0a443";
const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const DEPLOYER = "33333333-3333-4333-8333-333333333333";
const NAME = "7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e01";
const OTHER_NAME = "7d4c2a53-7f5e-4a53-a3a2-0a4a6bb71e02";

const at = (scope: string, name = NAME) =>
  `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}?api-version=2022-04-01`;
const body = (principalId: string, rest: object = { principalType: "ServicePrincipal" }) => ({
  properties: {
    roleDefinitionId: `${SUBSCRIPTION}/${DEFINITIONS}/${SUBSCRIPTION_CONTRIBUTOR}`,
    principalId,
    ...rest,
  },
});

/** A managed cloud with an identity, and a function that assigns a role to it. */
async function start(options: LocalCloudOptions = { control: true }) {
  const { cloud, call } = await startManaged(options);
  await call("PUT", GROUP, { location: "westeurope" });
  const client = newIdentity(cloud, "client");
  const assign = (id = at(GROUP), principalId = client.principalId) =>
    call("PUT", id, body(principalId));
  return { cloud, call, client, principalId: client.principalId, assign };
}

describe("role definitions", () => {
  it("are an empty list for an unknown name and 404 for an unknown ID", async () => {
    const { call } = await startManaged();
    const filter = encodeURIComponent("roleName eq 'EventGrid Wizard'");
    expect((await call("GET", `${GROUP}/${DEFINITIONS}?$filter=${filter}`)).body).toEqual({
      value: [],
    });
    expect(await call("GET", `${SUBSCRIPTION}/${DEFINITIONS}/${NAME}`)).toMatchObject(
      refusal(404, "RoleDefinitionDoesNotExist", expect.stringContaining(`'${NAME}'`)),
    );
    expect(await call("GET", `${SUBSCRIPTION}/${DEFINITIONS}/reader`)).toMatchObject(
      refusal(400, "InvalidRoleDefinitionId"),
    );
  });

  it("are shown with every field", async () => {
    const { call } = await startManaged();
    expect((await call("GET", `${GROUP}/${DEFINITIONS}/${READER}`)).body).toEqual({
      id: `${SUBSCRIPTION}/${DEFINITIONS}/${READER}`,
      name: READER,
      type: "Microsoft.Authorization/roleDefinitions",
      properties: {
        roleName: "Reader",
        type: "BuiltInRole",
        description: "View all resources, but does not allow you to make any changes.",
        permissions: [{ actions: ["*/read"], notActions: [], dataActions: [], notDataActions: [] }],
        assignableScopes: ["/"],
        ...{ createdOn: "2015-02-02T21:55:09.8806423Z", createdBy: null },
        ...{ updatedOn: "2015-02-02T21:55:09.8806423Z", updatedBy: null },
      },
    });
  });
});

describe("custom roles", () => {
  const ROLE = `${SUBSCRIPTION}/${DEFINITIONS}/${NAME}`;
  const publisher = (change: object = {}) => ({
    properties: {
      roleName: "Shop Publisher",
      type: "CustomRole",
      permissions: [
        {
          actions: ["Microsoft.EventGrid/topics/read"],
          dataActions: ["Microsoft.EventGrid/*"],
          notDataActions: ["Microsoft.EventGrid/events/receive/action"],
        },
      ],
      assignableScopes: [GROUP],
      ...change,
    },
  });

  it("allow what they say where they are assigned, until they are changed", async () => {
    const { cloud, call, client } = await start();
    const roleDefinitionId = `${SUBSCRIPTION}/${DEFINITIONS}/${NAME}`;
    expect((await call("PUT", ROLE, publisher())).status).toBe(201);
    const properties = { roleDefinitionId, principalId: client.principalId };
    expect((await call("PUT", at(GROUP), { properties })).status).toBe(201);
    const topicId = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const asClient = await signIn(cloud, client);
    expect((await asClient("GET", topicId)).status).toBe(200);
    expect((await asClient("DELETE", topicId)).status).toBe(403);
    expect(cloud.control.maySend(client.principalId, topic.id)).toBe(true);
    const permissions = [{ dataActions: ["Microsoft.EventGrid/events/receive/action"] }];
    await call("PUT", ROLE, publisher({ permissions }));
    expect(cloud.control.maySend(client.principalId, topic.id)).toBe(false);
    expect((await asClient("GET", topicId)).status).toBe(403);
  });

  it("are listed at their assignable scopes, and deleted when nobody has them", async () => {
    const { call, client } = await start();
    await call("PUT", ROLE, publisher());
    const custom = `?$filter=${encodeURIComponent("type eq 'CustomRole'")}`;
    const listed = async (scope: string) =>
      (await call("GET", `${scope}/${DEFINITIONS}${custom}`)).body;
    expect(await listed(GROUP)).toMatchObject({ value: [{ id: ROLE, name: NAME }] });
    expect(await listed(SUBSCRIPTION)).toEqual({ value: [] });
    const below = `${SUBSCRIPTION}/${DEFINITIONS}${custom}%20and%20atScopeAndBelow()`;
    expect((await call("GET", below)).body).toMatchObject({ value: [{ name: NAME }] });
    const properties = { roleDefinitionId: ROLE, principalId: client.principalId };
    await call("PUT", at(GROUP, OTHER_NAME), { properties });
    expect(await call("DELETE", ROLE)).toMatchObject(refusal(400, "RoleDefinitionHasAssignments"));
    await call("DELETE", at(GROUP, OTHER_NAME));
    expect((await call("DELETE", ROLE)).body).toMatchObject({ id: ROLE });
    expect((await call("GET", ROLE)).status).toBe(404);
  });

  it("are shown with who wrote them and when, and cannot replace a built-in one", async () => {
    const { cloud, call } = await startManaged({ control: true, clock: "stepped" });
    await call("PUT", GROUP, { location: "westeurope" });
    const named = { roleName: "n".repeat(512), description: "mine", type: "customrole" };
    const { body: made } = await call("PUT", ROLE, publisher(named));
    const { createdOn, createdBy } = Object(made).properties;
    const writer = cloud.directory.tenant(cloud.tenantId)?.servicePrincipals.byClientId(DEPLOYER);
    expect(made).toEqual({
      ...{ id: ROLE, name: NAME, type: "Microsoft.Authorization/roleDefinitions" },
      properties: {
        ...{ ...named, type: "CustomRole", assignableScopes: [GROUP] },
        permissions: [
          {
            actions: ["Microsoft.EventGrid/topics/read"],
            notActions: [],
            dataActions: ["Microsoft.EventGrid/*"],
            notDataActions: ["Microsoft.EventGrid/events/receive/action"],
          },
        ],
        ...{ createdOn, updatedOn: createdOn, createdBy: writer?.objectId, updatedBy: createdBy },
      },
    });
    await cloud.clock.advance({ seconds: 1 });
    const updatedOn = new Date(Date.parse(createdOn) + 1000).toISOString();
    expect((await call("PUT", ROLE, publisher())).body).toMatchObject({
      properties: { roleName: "Shop Publisher", description: "", createdOn, createdBy, updatedOn },
    });
    expect(await call("DELETE", `${SUBSCRIPTION}/${DEFINITIONS}/${READER}`)).toMatchObject(
      refusal(409, "RoleDefinitionExists"),
    );
  });

  const OTHER = `${SUBSCRIPTION}/${DEFINITIONS}/${OTHER_NAME}`;

  it.each<[string, string, object, number, string]>([
    [
      "a built-in role's name",
      OTHER,
      { roleName: "reader" },
      409,
      "RoleDefinitionWithSameNameExists",
    ],
    [
      "a built-in role's ID",
      `${SUBSCRIPTION}/${DEFINITIONS}/${READER}`,
      {},
      409,
      "RoleDefinitionExists",
    ],
    ["another type", ROLE, { type: "BuiltInRole" }, 400, "InvalidRoleDefinitionType"],
    ["a blank name", ROLE, { roleName: " " }, 400, "RoleDefinitionNameNullOrEmpty"],
    [
      "a name of 513 characters",
      ROLE,
      { roleName: "n".repeat(513) },
      400,
      "RoleDefinitionNameNullOrEmpty",
    ],
    ["no scope", ROLE, { assignableScopes: [] }, 400, "MissingAssignableScopes"],
    [
      "a scope that is no ID",
      ROLE,
      { assignableScopes: ["subscriptions/a"] },
      400,
      "LinkedInvalidPropertyId",
    ],
    ...["actions", "notActions", "dataActions", "notDataActions"].flatMap((list) =>
      ["", "read", "A/", "/read", "A/b c/read"].map(
        (action): [string, string, object, number, string] => [
          `'${action}' among its ${list}`,
          ROLE,
          { permissions: [{ [list]: ["*", "Microsoft.A/b-c/*/read", action] }] },
          400,
          "InvalidActionOrNotAction",
        ],
      ),
    ),
    ["the root as scope", ROLE, { assignableScopes: ["/"] }, 400, "LinkedInvalidPropertyId"],
    [
      "a scope where the writer may not write",
      ROLE,
      { assignableScopes: [GROUP, `/subscriptions/${NAME}`] },
      403,
      "LinkedAuthorizationFailed",
    ],
  ])("are refused with %s", async (_, id, change, status, code) => {
    const { call } = await start();
    await call("PUT", ROLE, publisher());
    expect(await call("PUT", id, publisher(change))).toMatchObject(refusal(status, code));
  });
});

it.each([
  [`${GROUP}/${DEFINITIONS}?$filter=type eq 'CustomRole'`, []],
  [`${GROUP}/${DEFINITIONS}?$filter=atScopeAndBelow() and roleName eq 'Owner'`, ["Owner"]],
  [`${GROUP}/${DEFINITIONS}?$filter=not (type eq 'BuiltInRole')`, []],
  [`${GROUP}/${DEFINITIONS}?$filter=roleName`, "UnsupportedQuery"],
  [`${GROUP}/${ASSIGNMENTS}?$filter=atScope()`, 1],
  [`${GROUP}/${ASSIGNMENTS}?$filter=assignedTo('${NAME}')`, 0],
  [`${GROUP}/${ASSIGNMENTS}?$filter=atScope() and assignedTo('${NAME}')`, 0],
  [`${GROUP}/${ASSIGNMENTS}?$filter=principalId eq '${NAME}'`, 0],
  [`${GROUP}/${ASSIGNMENTS}?$filter=atScope() and principalId eq '${NAME}'`, "UnsupportedQuery"],
  [`${GROUP}/${ASSIGNMENTS}?$filter=roleDefinitionId eq '${NAME}'`, "UnsupportedQuery"],
])("the list %s has or is %j", async (path, expected) => {
  const { call } = await startManaged();
  const { body: answer } = await call("GET", path.replaceAll(" ", "%20"));
  const { value, error } = Object(answer);
  const names = value?.map(({ properties }: Record<string, object>) =>
    Reflect.get(properties ?? {}, "roleName"),
  );
  expect(typeof expected === "number" ? names.length : (names ?? error.code)).toEqual(expected);
});

describe("role assignments", () => {
  it("are created with 201, read and deleted, and 404 before and after", async () => {
    const { cloud, call, principalId, assign } = await start();
    expect(await call("GET", at(GROUP))).toMatchObject(refusal(404, "RoleAssignmentNotFound"));
    expect((await assign()).status).toBe(201);
    const writer = cloud.directory.tenant(cloud.tenantId)?.servicePrincipals.byClientId(DEPLOYER);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect((await call("GET", at(GROUP))).body).toEqual({
      id: at(GROUP).split("?")[0],
      name: NAME,
      type: "Microsoft.Authorization/roleAssignments",
      properties: {
        roleDefinitionId: `${SUBSCRIPTION}/${DEFINITIONS}/${SUBSCRIPTION_CONTRIBUTOR}`,
        ...{ scope: GROUP, principalId, principalType: "ServicePrincipal" },
        ...{ description: null, condition: null, conditionVersion: null },
        delegatedManagedIdentityResourceId: null,
        ...{ createdOn: time, createdBy: writer?.objectId },
        ...{ updatedOn: time, updatedBy: writer?.objectId },
      },
    });
    const older = await call("GET", at(GROUP).replace("2022-04-01", "2018-07-01"));
    expect(Object(older.body).properties).not.toHaveProperty("condition");
    expect(await call("DELETE", at(GROUP))).toMatchObject({
      status: 200,
      body: { type: "Microsoft.Authorization/roleAssignments", properties: { principalId } },
    });
    expect((await call("DELETE", at(GROUP))).status).toBe(204);
  });

  it.each(["User", "Group"] as const)("find a declared %s by its ID", async (type) => {
    const { cloud, call } = await startManaged();
    const usersAndGroups = cloud.directory.tenant(cloud.tenantId)?.usersAndGroups;
    await call("PUT", GROUP, { location: "westeurope" });
    usersAndGroups?.set(OTHER_NAME, { displayName: "Ada", type });
    expect((await call("PUT", at(GROUP), body(OTHER_NAME.toUpperCase(), {}))).status).toBe(201);
    expect((await call("GET", at(GROUP))).body).toMatchObject({
      properties: { principalType: type },
    });
  });

  it.each<[string, object, string, string?]>([
    ["an empty principal ID", { principalId: "" }, "InvalidPrincipalId", "must be provided"],
    [
      "a name as principal ID",
      { principalId: "shop" },
      "InvalidPrincipalId",
      "'shop' is not valid",
    ],
    ["another type than the principal's", { principalType: "User" }, "UnmatchedPrincipalType"],
    [
      "an unknown principal without its type",
      { principalId: OTHER_NAME, principalType: undefined },
      "PrincipalNotFound",
    ],
    [
      "an unknown role",
      { roleDefinitionId: `/${DEFINITIONS}/${NAME}` },
      "RoleDefinitionDoesNotExist",
    ],
  ])("are refused for %s", async (_, wrong, code, message = "") => {
    const { call, principalId } = await start();
    const properties = { ...body(principalId).properties, ...wrong };
    expect(await call("PUT", at(GROUP), { properties })).toMatchObject(
      refusal(400, code, expect.stringContaining(message)),
    );
  });

  it.each(["GET", "PUT", "DELETE"])("have a GUID as their name for %s", async (method) => {
    const { call, principalId } = await start();
    const content = method === "PUT" ? body(principalId) : undefined;
    expect(await call(method, at(GROUP, "orders"), content)).toMatchObject(
      refusal(
        400,
        "InvalidRoleAssignmentId",
        "The role assignment ID 'orders' is not valid. The role assignment ID must be a GUID.",
      ),
    );
  });

  it("can change description and condition", async () => {
    const { cloud, call, principalId } = await start({ control: true, clock: "stepped" });
    const written = {
      description: "one",
      condition: "a",
      conditionVersion: "2.0",
      delegatedManagedIdentityResourceId: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/customer`,
    };
    const put = await call("PUT", at(GROUP), body(principalId, written));
    await cloud.clock.advance({ minutes: 1 });
    await call("PUT", at(GROUP), body(principalId, { ...written, description: "two" }));
    const read = await call("GET", at(GROUP));
    expect(read.body).toMatchObject({
      properties: { ...written, description: "two", principalType: "ServicePrincipal" },
    });
    expect(textIn(read.body, "properties", "createdOn")).toBe(
      textIn(put.body, "properties", "createdOn"),
    );
    expect(textIn(read.body, "properties", "updatedOn")).not.toBe(
      textIn(put.body, "properties", "updatedOn"),
    );
  });

  it.each([
    ["Contributor", 403],
    ["EventGrid Contributor", 403],
    ["Owner", 201],
    ["User Access Administrator", 201],
    ["Role Based Access Control Administrator", 201],
  ])("written by %s are answered with %i", async (roleName, status) => {
    const cloud = await startCloud({ control: true });
    const identity = newIdentity(cloud, "assigner");
    cloud.control.assignRole(roleName, identity.principalId, SUBSCRIPTION);
    const call = await signIn(cloud, identity);
    expect((await call("PUT", at(SUBSCRIPTION), body(OTHER_NAME))).status).toBe(status);
  });

  it("take effect after the configured delay on the cloud's clock", async () => {
    const control = { roleAssignmentDelaySeconds: 30 };
    const { cloud, client, assign } = await start({ control, clock: "stepped" });
    await assign();
    const asClient = await signIn(cloud, client);
    const subscriber = `${GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;

    await cloud.clock.advance({ seconds: 29 });
    expect(await asClient("GET", subscriber)).toMatchObject(refusal(403, "AuthorizationFailed"));
    await cloud.clock.advance({ seconds: 1 });
    expect((await asClient("GET", subscriber)).status).toBe(404);
  });

  it("conflict with the same assignment for the configured time after deletion", async () => {
    const control = { assignmentDeletionDelaySeconds: 30 };
    const { cloud, call, assign } = await start({ control, clock: "stepped" });
    await assign();
    await call("DELETE", at(GROUP));
    expect((await call("GET", at(GROUP))).status).toBe(404);
    const again = () => assign(at(GROUP, OTHER_NAME));
    expect(await again()).toMatchObject(refusal(409, "RoleAssignmentExists"));
    await cloud.clock.advance({ seconds: 30 });
    expect((await again()).status).toBe(201);
  });

  it("can be replaced by single actions at a scope and below it", async () => {
    const cloud = await startCloud({ control: true });
    const client = newIdentity(cloud, "client");
    const call = await signIn(cloud, client);
    cloud.control.allow(client.principalId, ["Microsoft.EventGrid/eventSubscriptions/*"], GROUP);
    const subscriber = "providers/Microsoft.EventGrid/eventSubscriptions/orders";
    expect((await call("GET", `${GROUP}/${subscriber}`)).status).toBe(404);
    expect((await call("GET", `${SUBSCRIPTION}/${subscriber}`)).status).toBe(403);
    expect((await call("GET", at(GROUP))).status).toBe(403);
    // Everybody may read the built-in roles.
    const role = `${GROUP}/${DEFINITIONS}/${SUBSCRIPTION_CONTRIBUTOR}`;
    expect((await call("GET", role)).status).toBe(200);
  });
});
