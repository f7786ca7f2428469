import { describe, expect, it } from "vitest";
import { PUBLIC_URL, startHooked } from "../support/cloud.js";
import { deployer, finished, permit, signIn } from "../support/management-client.js";
import * as graph from "./graph-shapes.js";
import * as arm from "./resource-manager-shapes.js";
import { differences, type Shape } from "./shape.js";

/** @param shape missing for a response without a body */
type Check = (method: string, path: string, shape?: Shape, body?: unknown) => Promise<unknown>;

/** A function that calls an operation, and what it has found: how responses differ from the published fields. */
async function start() {
  const { cloud } = await startHooked({ control: { eventGridRegistered: true } });
  permit(cloud, deployer(cloud).clientId, "Group.ReadWrite.All");
  const call = await signIn(cloud);
  const found: string[] = [];
  const called = new Set<string>();
  const check: Check = async (method, path, shape, content) => {
    const pathname = path.split("?")[0] ?? "";
    const operation = cloud.control.operations.find(
      (each) => each.method === method && patternOf(each.path).test(pathname),
    );
    const name = `${method} ${operation?.path ?? path}`;
    called.add(name);
    const answer = await call(method, path, content);
    const { status, body, headers } = answer;
    const operationUrl = headers["azure-asyncoperation"];
    if (operationUrl !== undefined) {
      await finished(call, answer);
      await check("GET", new URL(String(operationUrl)).pathname, arm.operation);
    }
    if (status === 202) await check("GET", new URL(String(headers.location)).pathname);
    if (shape !== undefined) {
      const isFirst = operationUrl !== undefined && method === "PUT";
      const different = differences(body, isFirst ? whileChanging(shape) : shape);
      found.push(...different.map((each) => `${name}: ${each}`));
    } else if (body !== undefined || status >= 300) {
      found.push(`${name}: ${status} ${JSON.stringify(body)}`);
    }
    return body;
  };
  const uncalled = (inGraph: boolean) =>
    cloud.control.operations
      .filter(({ path }) => path.startsWith("/:version/") === inGraph)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((each) => !called.has(each));
  return { cloud, check, found, uncalled };
}

/** The shape of the first response to a change, which lacks what the service fills in later. */
function whileChanging(shape: Shape): Shape {
  const { properties, sku: _, kind: __, ...others } = Object(shape);
  const optional = (fields: object): Shape =>
    Object.fromEntries(
      Object.entries(fields).map(([name, of]) => [
        name.endsWith("?") ? name : `${name}?`,
        typeof of === "object" && !Array.isArray(of) ? optional(of) : of,
      ]),
    );
  const endpoint = "endpoint" in properties ? { "endpoint?": "null" } : {};
  return {
    ...others,
    "sku?": "object",
    "kind?": "string",
    properties: { ...Object(optional(properties)), ...endpoint },
  };
}

function patternOf(path: string): RegExp {
  const segments = path
    .split("/")
    .slice(1)
    .map((segment) => {
      if (segment.startsWith("*")) return "(/[^/]+)*";
      return segment.startsWith(":") ? "/[^/]+" : `/${segment.replaceAll("$", "[$]")}`;
    });
  return new RegExp(`^${segments.join("")}/?$`, "i");
}

const destination = {
  endpointType: "WebHook",
  properties: {
    endpointUrl: PUBLIC_URL,
    deliveryAttributeMappings: [
      { name: "x-a", type: "Static", properties: { value: "b", isSecret: false } },
    ],
  },
};
const subscribed = { destination, eventDeliverySchema: "CloudEventSchemaV1_0" };

/** All operations on event subscriptions of one collection. */
async function checkEventSubscriptions(check: Check, root: string): Promise<void> {
  const path = `${root}/eventSubscriptions/orders-sub`;
  await check("PUT", path, arm.eventSubscription, { properties: subscribed });
  await check("PATCH", path, arm.eventSubscription, { labels: ["a"] });
  await check("GET", path, arm.eventSubscription);
  await check("GET", `${root}/eventSubscriptions`, arm.list(arm.eventSubscription));
  await check("GET", `${path}/providers/Microsoft.Insights/metrics`, arm.metrics);
  await check("POST", `${path}/getFullUrl`, arm.fullUrl);
  await check("POST", `${path}/getDeliveryAttributes`, arm.deliveryAttributes);
}

describe("every response of Resource Manager", () => {
  it("has the published fields", async () => {
    const { cloud, check, found, uncalled } = await start();
    const subscription = `/subscriptions/${cloud.subscriptionId}`;
    const group = `${subscription}/resourcegroups/shop`;
    const eventGrid = `${group}/providers/Microsoft.EventGrid`;
    const location = "westeurope";

    await check("GET", "/subscriptions", arm.list(arm.subscription));
    await check("GET", subscription, arm.subscription);
    await check("GET", `${subscription}/locations`, arm.list(arm.location));
    await check("GET", "/tenants", arm.list(arm.tenant));
    await check("GET", `${subscription}/providers`, arm.list(arm.provider));
    await check("GET", "/providers", arm.list(arm.provider));
    for (const root of [subscription, ""]) {
      await check("GET", `${root}/providers/Microsoft.Storage`, arm.provider);
    }
    const registered = `${subscription}/providers/Microsoft.Devices`;
    await check("POST", `${registered}/unregister`, arm.provider);
    for (const namespace of ["Devices", "Storage"]) {
      const path = `${subscription}/providers/Microsoft.${namespace}/register`;
      await check("POST", path, arm.provider);
    }
    const features = "Microsoft.Features/providers/Microsoft.Storage/features";
    await check("GET", `${subscription}/providers/${features}`, arm.list("object"));

    await check("PUT", group, arm.resourceGroup, { location });
    await check("PATCH", group, arm.resourceGroup, { tags: { a: "b" } });
    await check("GET", group, arm.resourceGroup);
    await check("HEAD", group);
    await check("GET", `${subscription}/resourcegroups`, arm.list(arm.resourceGroup));

    /** All operations on a resource of a type, apart from its deletion. */
    const checkResource = async (type: string, name: string, shape: Shape, body: object) => {
      const path = `${group}/providers/${type}/${name}`;
      await check("PUT", path, shape, { location, ...body });
      await check("PATCH", path, shape, { tags: { a: "b" } });
      await check("GET", path, shape);
      await check("GET", `${subscription}/providers/${type}`, arm.list(shape));
      return path;
    };
    for (const [type, shape] of [
      ["topics", arm.topic],
      ["domains", arm.domain],
    ] as const) {
      const properties = { inputSchema: "CloudEventSchemaV1_0" };
      const path = await checkResource(`Microsoft.EventGrid/${type}`, "orders", shape, {
        properties,
      });
      await check("GET", `${eventGrid}/${type}`, arm.list(shape));
      await check("POST", `${path}/listKeys`, arm.keys);
      await check("POST", `${path}/regenerateKey`, arm.keys, { keyName: "key1" });
      await checkEventSubscriptions(check, path);
    }
    const domainTopic = `${eventGrid}/domains/orders/topics/europe`;
    await check("PUT", domainTopic, arm.domainTopic, {});
    await check("GET", domainTopic, arm.domainTopic);
    await check("GET", `${eventGrid}/domains/orders/topics`, arm.list(arm.domainTopic));
    await checkEventSubscriptions(check, domainTopic);

    const storage = { kind: "StorageV2", sku: { name: "Standard_LRS" } };
    const accounts = "Microsoft.Storage/storageAccounts";
    const account = await checkResource(accounts, "files", arm.genericResource, storage);
    await check("HEAD", account);
    await check("POST", `${account}/listKeys`, { keys: "array" });
    await check(
      "POST",
      `${subscription}/providers/Microsoft.Storage/checkNameAvailability`,
      { nameAvailable: "boolean", reason: "string|null", message: "string|null" },
      { name: "files", type: "Microsoft.Storage/storageAccounts" },
    );
    // azurerm sends only the name of an IoT hub, as Microsoft's types of the request have it.
    await check(
      "POST",
      `${subscription}/providers/Microsoft.Devices/checkNameAvailability`,
      { nameAvailable: "boolean", reason: "string|null", message: "string|null" },
      { name: "hub" },
    );

    const systemTopic = await checkResource(
      "Microsoft.EventGrid/systemTopics",
      "files",
      arm.systemTopic,
      { properties: { source: account, topicType: "Microsoft.Storage.StorageAccounts" } },
    );
    await check("GET", `${eventGrid}/systemTopics`, arm.list(arm.systemTopic));
    await checkEventSubscriptions(check, systemTopic);

    await checkEventSubscriptions(check, `${account}/providers/Microsoft.EventGrid`);
    await checkEventSubscriptions(check, `${group}/providers/Microsoft.EventGrid`);
    for (const above of [subscription, group]) {
      for (const place of ["", `/locations/${location}`]) {
        for (const filter of ["", "/topicTypes/Microsoft.Storage.StorageAccounts"]) {
          const path = `${above}/providers/Microsoft.EventGrid${place}${filter}/eventSubscriptions`;
          await check("GET", path, arm.list(arm.eventSubscription));
        }
      }
    }

    const topicTypes = "/providers/Microsoft.EventGrid/topicTypes";
    const storageType = `${topicTypes}/Microsoft.Storage.StorageAccounts`;
    await check("GET", topicTypes, arm.list(arm.topicType));
    await check("GET", storageType, arm.topicType);
    await check("GET", `${storageType}/eventTypes`, arm.list(arm.eventType));
    const eventTypes = `${account}/providers/Microsoft.EventGrid/eventTypes`;
    await check("GET", eventTypes, arm.list(arm.eventType));

    const roles = `${subscription}/providers/Microsoft.Authorization/roleDefinitions`;
    const reader = `${roles}/acdd72a7-3385-48ef-bd42-f606fba81ae7`;
    await check("GET", roles, arm.list(arm.roleDefinition));
    await check("GET", reader, arm.roleDefinition);
    const assignments = `${group}/providers/Microsoft.Authorization/roleAssignments`;
    const assignment = `${assignments}/99999999-9999-4999-8999-999999999999`;
    const principalId = "88888888-8888-4888-8888-888888888888";
    const assigned = { roleDefinitionId: reader, principalId, principalType: "User" };
    await check("PUT", assignment, arm.roleAssignment, { properties: assigned });
    await check("GET", assignment, arm.roleAssignment);
    await check("GET", assignments, arm.list(arm.roleAssignment));
    await check("DELETE", assignment, arm.roleAssignment);

    const permissions = `${group}/providers/Microsoft.Authorization/permissions`;
    await check("GET", permissions, arm.list(arm.permission));

    const tags = `${group}/providers/Microsoft.Resources/tags/default`;
    const tagged = { operation: "Merge", properties: { tags: { team: "shop" } } };
    for (const method of ["PUT", "PATCH", "GET", "DELETE"]) {
      await check(method, tags, arm.tags, tagged);
    }

    await check("GET", `${subscription}/resources`, arm.list(arm.listedResource));
    await check("GET", `${group}/resources`, arm.list(arm.listedResource));

    for (const scope of [
      ...[`${eventGrid}/topics/orders`, `${eventGrid}/domains/orders`, domainTopic, systemTopic],
      ...[account, group].map((scope) => `${scope}/providers/Microsoft.EventGrid`),
    ]) {
      await check("DELETE", `${scope}/eventSubscriptions/orders-sub`);
    }
    for (const id of ["topics/orders", "domains/orders", "systemTopics/files"]) {
      await check("DELETE", `${eventGrid}/${id}`);
    }
    await check("DELETE", account);
    await check("DELETE", group);

    expect(found).toEqual([]);
    expect(uncalled(false)).toEqual([]);
  });
});

describe("every response of Graph", () => {
  it("has the published fields", async () => {
    const { cloud, check, found, uncalled } = await start();
    const idOf = (body: unknown, name = "id") => String(Object(body)[name]);

    const roleId = "77777777-7777-4777-8777-777777777777";
    const appRole = {
      id: roleId,
      value: "Reader",
      displayName: "Reader",
      description: "reads",
      allowedMemberTypes: ["Application"],
      isEnabled: true,
    };
    const created = await check("POST", "/v1.0/applications", graph.application, {
      displayName: "shop",
      appRoles: [appRole],
    });
    const application = `/v1.0/applications/${idOf(created)}`;
    await check("GET", "/v1.0/applications", graph.list(graph.application));
    await check("GET", application, graph.entity(graph.application));
    await check("PATCH", application, undefined, { notes: "changed" });
    const checkPasswords = async (holder: string) => {
      const password = await check("POST", `${holder}/addPassword`, graph.password, {
        passwordCredential: { displayName: "first" },
      });
      const keyId = idOf(password, "keyId");
      await check("POST", `${holder}/removePassword`, undefined, { keyId });
    };
    await checkPasswords(application);

    await check("GET", "/v1.0/applications/$count", "number");
    const federated = `${application}/federatedIdentityCredentials`;
    const credential = await check("POST", federated, graph.federatedCredential, {
      name: "main",
      issuer: "https://token.actions.githubusercontent.com",
      subject: "repo:shop/orders:ref:refs/heads/main",
      audiences: ["api://AzureADTokenExchange"],
    });
    await check("GET", federated, graph.list(graph.federatedCredential));
    await check("GET", `${federated}/$count`, "number");
    const ownCredential = `${federated}/${idOf(credential)}`;
    await check("GET", ownCredential, graph.federatedCredential);
    await check("PATCH", ownCredential, undefined, { description: "of main" });
    await check("DELETE", ownCredential);

    const body = { appId: idOf(created, "appId") };
    const made = await check("POST", "/v1.0/servicePrincipals", graph.servicePrincipal, body);
    const principalId = idOf(made);
    const principal = `/v1.0/servicePrincipals/${principalId}`;
    await check("GET", "/v1.0/servicePrincipals", graph.list(graph.servicePrincipal));
    await check("GET", "/v1.0/servicePrincipals/$count", "number");
    await check("GET", principal, graph.entity(graph.servicePrincipal));
    await check("PATCH", principal, undefined, { notes: "changed" });
    await checkPasswords(principal);

    const assignment = { principalId, resourceId: principalId, appRoleId: roleId };
    const assigned = `${principal}/appRoleAssignedTo`;
    const { id } = Object(await check("POST", assigned, graph.appRoleAssignment, assignment));
    await check("GET", assigned, graph.list(graph.appRoleAssignment));
    await check("GET", `${assigned}/$count`, "number");
    await check("GET", `${assigned}/${id}`, graph.appRoleAssignment);
    await check("DELETE", `${assigned}/${id}`);
    const own = `${principal}/appRoleAssignments`;
    const again = await check("POST", own, graph.appRoleAssignment, assignment);
    await check("GET", own, graph.list(graph.appRoleAssignment));
    await check("GET", `${own}/$count`, "number");
    await check("GET", `${own}/${idOf(again)}`, graph.appRoleAssignment);
    await check("DELETE", `${own}/${idOf(again)}`);

    const directory = cloud.directory.tenant(cloud.tenantId)?.usersAndGroups;
    for (const [type, collection, shape] of [
      ["User", "users", graph.user],
      ["Group", "groups", graph.group],
    ] as const) {
      directory?.set(roleId, { displayName: "Bern", type });
      await check("GET", `/v1.0/${collection}`, graph.list(shape));
      await check("GET", `/v1.0/${collection}/$count`, "number");
      await check("GET", `/v1.0/${collection}/${roleId}`, shape);
    }
    const named = { displayName: "Basel", mailNickname: "basel" };
    const team = { ...named, mailEnabled: false, securityEnabled: true };
    const group = `/v1.0/groups/${idOf(await check("POST", "/v1.0/groups", graph.group, team))}`;
    await check("PATCH", group, undefined, { description: "a city" });
    await check("DELETE", group);
    await check("GET", "/v1.0/domains", graph.list(graph.domain));
    await check("GET", "/v1.0/domains/$count", "number");
    await check("GET", "/v1.0/domains/local.onmicrosoft.com", graph.entity(graph.domain));
    const reference = {
      "@odata.id": `https://graph.microsoft.com/v1.0/directoryObjects/${principalId}`,
    };
    for (const owned of [application, principal]) {
      await check("POST", `${owned}/owners/$ref`, undefined, reference);
      await check("GET", `${owned}/owners`, graph.list(graph.reference));
      await check("DELETE", `${owned}/owners/${principalId}/$ref`);
    }
    const objects = "/v1.0/directoryObjects";
    await check("GET", `${objects}/${principalId}`, graph.entity(graph.servicePrincipal));
    const ids = { ids: [principalId] };
    await check("POST", `${objects}/getByIds`, graph.list(graph.servicePrincipal), ids);
    await check("GET", "/v1.0/organization", graph.list(graph.organization));
    await check("DELETE", principal);
    await check("DELETE", application);

    expect(found).toEqual([]);
    expect(uncalled(true)).toEqual([]);
    expect(cloud.directory.tenant(cloud.tenantId)?.applications.get(idOf(created))).toBeUndefined();
  });
});
