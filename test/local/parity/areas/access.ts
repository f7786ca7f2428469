import { randomUUID } from "node:crypto";
import { textIn } from "../../support/management-client.js";
import { type Area, eventGrid, type Row, row, rowsThat, type Source } from "../row.js";
import { cloudEvent, ended, GROUP, ORIGIN, prepared, publish, type Stage } from "../stage.js";
import { errorOf, location, PROVIDERS, ROOT } from "./recorded/recordings.js";

const FIREWALL = eventGrid("consume-private-endpoints", "Firewall and virtual network rules");
const STORAGE = "azure/storage/common/storage-network-security";
const TRUSTED: Source = {
  page: `${STORAGE}-trusted-azure-services`,
  section: "Trusted access based on a managed identity",
};
const PERIMETER: Source = {
  page: `${STORAGE}-perimeter`,
  section: "Access Modes",
  quote: "even Azure’s trusted service exceptions aren't honored",
};
const PUBLIC_ACCESS: Source = {
  page: `${STORAGE}-set-default-access`,
  section: "Change the default network access rule",
};

type Identity = "SystemAssigned" | "UserAssigned" | "none";

interface Letters {
  readonly identity: Identity;
  /** Properties of the storage account, which are written after the event subscription. */
  readonly account: object | ((topicId: string) => object);
  /** What is deleted after the event subscription was written. */
  readonly deleted?: "account" | "container";
}

/** How an event ends that a webhook refuses, with a container in such an account. */
const lettersOf = rowsThat(async (stage, { identity, account, deleted }: Letters = OPEN) => {
  await prepared(stage);
  const name = stage.newName();
  const topicId = `${PROVIDERS}/Microsoft.EventGrid/topics/${name}`;
  const identityId = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const accountId = `${PROVIDERS}/Microsoft.Storage/storageAccounts/${name.replace("-", "")}`;
  await stage.call("PUT", accountId, { location });
  const containerId = `${accountId}/blobServices/default/containers/dead`;
  await stage.call("PUT", containerId, {});
  const user = await stage.call("PUT", identityId, { location });
  const userAssignedIdentities = identity === "UserAssigned" ? { [identityId]: {} } : undefined;
  const type = identity === "none" ? "SystemAssigned" : identity;
  const topic = await stage.call("PUT", topicId, {
    location,
    identity: { type, userAssignedIdentities },
    properties: { inputSchema: "CloudEventSchemaV1_0" },
  });
  const principalId = userAssignedIdentities
    ? textIn(user.body, "properties", "principalId")
    : textIn(topic.body, "identity", "principalId");
  stage.cloud.control.assignRole("Storage Blob Data Contributor", principalId, accountId);
  const deadLetterDestination = {
    endpointType: "StorageBlob",
    properties: { resourceId: accountId, blobContainerName: "dead" },
  };
  const used = { type: identity, userAssignedIdentity: userAssignedIdentities && identityId };
  const endpointUrl = stage.answering(name, [400]);
  const written = await stage.call("PUT", `${topicId}/eventSubscriptions/${name}`, {
    properties: {
      destination: { endpointType: "WebHook", properties: { endpointUrl } },
      eventDeliverySchema: "CloudEventSchemaV1_0",
      ...(identity === "none"
        ? { deadLetterDestination }
        : { deadLetterWithResourceIdentity: { identity: used, deadLetterDestination } }),
    },
  });
  await ended(stage, written);
  const properties = typeof account === "function" ? account(topicId) : account;
  await stage.call("PUT", accountId, { location, properties });
  if (deleted) await stage.call("DELETE", deleted === "account" ? accountId : containerId);
  const found = stage.cloud.topics.get(topicId);
  if (found) await publish(found, cloudEvent());
  await stage.cloud.drain();
  return stage.cloud.deliveries().findLast((each) => each.subscription === name)?.outcome;
});

const denied = (acls: object) => ({ networkAcls: { defaultAction: "Deny", ...acls } });
const OPEN: Letters = { identity: "SystemAssigned", account: {} };
const trusting = denied({ bypass: "AzureServices" });
const ruled = (resourceId: string) =>
  denied({ bypass: "None", resourceAccessRules: [{ tenantId: ROOT, resourceId }] });

const SUITE: Source = {
  page: "https://github.com/Azure/azure-sdk-for-net/blob/607d2344be233ed5d409805f24b177abd7460d95/src/ResourceManagement/Authorization/Authorization.Tests/Tests/BasicTests.cs",
  section: "Tests of role definitions",
};
const CUSTOM: Source = {
  page: "azure/role-based-access-control/custom-roles",
  section: "Custom role properties",
};

const ROLES = `${ROOT}/providers/Microsoft.Authorization/roleDefinitions`;
/** Another one at every call, because rows may run at the same time. */
const newRole = () => `${ROLES}/${randomUUID()}`;
const READER = `${ROLES}/acdd72a7-3385-48ef-bd42-f606fba81ae7`;

const roleOf = (roleName: string, change: object = {}) => ({
  properties: {
    roleName,
    permissions: [{ dataActions: ["Microsoft.EventGrid/events/send/action"] }],
    assignableScopes: [GROUP],
    ...change,
  },
});

/** A custom role that is written after another one: at its ID, at a new one, or at a built-in role's. */
function refusedRole(
  input: string,
  at: "its" | "new" | "built-in",
  change: object,
  status: number,
  code: string,
): Row {
  return row(SUITE, input)
    .documented(`${status} \`${code}\``)
    .gives([status, code], async (stage) => {
      const [id, name] = [newRole(), stage.newName()];
      const written = { its: id, new: newRole(), "built-in": READER }[at];
      await stage.call("PUT", id, roleOf(name));
      const answer = errorOf(await stage.call("PUT", written, roleOf(name, change)));
      await stage.call("DELETE", id);
      return answer.slice(0, 2);
    });
}

/** Writes a custom role, assigns it, and deletes it before and after its assignment. */
const assigned = async (stage: Stage, scope: string) => {
  await prepared(stage);
  const [role, principalId] = [newRole(), randomUUID()];
  const { body } = await stage.call("PUT", role, roleOf(stage.newName()));
  const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${principalId}`;
  const properties = { principalId, principalType: "ServicePrincipal", roleDefinitionId: role };
  const { status } = await stage.call("PUT", id, { properties });
  const deleted = errorOf(await stage.call("DELETE", role));
  await stage.call("DELETE", id);
  await stage.call("DELETE", role);
  return { type: textIn(body, "properties", "type"), status, deleted: deleted.slice(0, 2) };
};

export const access: Area = {
  title: "Firewalls of destinations, and custom roles",
  rows: [
    lettersOf(FIREWALL, "A dead letter with a system-assigned identity, trusted services allowed")
      .documented("arrives")
      .with({ identity: "SystemAssigned", account: trusting })
      .gives("deadLettered"),
    lettersOf(FIREWALL, "A dead letter with a system-assigned identity, without the exception")
      .documented("lost")
      .with({ identity: "SystemAssigned", account: denied({ bypass: "None" }) })
      .gives("dropped"),
    lettersOf(
      { ...FIREWALL, quote: "whether this option is enabled or not" },
      "A dead letter with a user-assigned identity, trusted services allowed",
    )
      .documented("lost")
      .with({ identity: "UserAssigned", account: trusting })
      .gives("dropped"),
    lettersOf(FIREWALL, "A dead letter without an identity, trusted services allowed")
      .open("arrives: the section is about identities, and users report that it does")
      .with({ identity: "none", account: trusting })
      .gives("deadLettered"),
    lettersOf(
      PUBLIC_ACCESS,
      "A dead letter for an account without public access, with the exception",
    )
      .documented("arrives: exceptions remain in effect")
      .with({ identity: "SystemAssigned", account: { publicNetworkAccess: "Disabled" } })
      .gives("deadLettered"),
    lettersOf(TRUSTED, "A dead letter for an account with a rule for the topic alone")
      .documented("arrives; a user reported in 2021 that it does not")
      .with({ identity: "SystemAssigned", account: ruled })
      .gives("deadLettered"),
    lettersOf(TRUSTED, "A dead letter without an identity, with a rule for the topic alone")
      .documented("lost: a rule admits a managed identity")
      .with({ identity: "none", account: ruled })
      .gives("dropped"),
    lettersOf(PERIMETER, "A dead letter for an account that is secured by a perimeter")
      .documented("lost, unless a rule of the perimeter admits it")
      .differs("lost: perimeters are not served, so that none has a rule")
      .with({
        identity: "SystemAssigned",
        account: { publicNetworkAccess: "SecuredByPerimeter", ...trusting },
      })
      .gives("dropped"),
    ...(["container", "account"] as const).map((deleted) =>
      lettersOf(
        {
          ...eventGrid("delivery-and-retry", "Retry schedule"),
          quote: "events will be dropped when the dead-letter destination isn't found",
        },
        `A dead letter after the deletion of its ${deleted}`,
      )
        .documented("lost")
        .with({ ...OPEN, deleted })
        .gives("dropped"),
    ),
    row(
      {
        ...eventGrid("delivery-and-retry", "Retry schedule"),
        quote: "Retry after 5 minutes or more for Azure Resources Endpoints",
      },
      "An event for a Service Bus queue that was deleted",
    )
      .documented("404, tried again after five minutes or more")
      .gives([404, 300], async (stage) => {
        await prepared(stage);
        const topic = await stage.newTopic();
        const queueId = `${PROVIDERS}/Microsoft.ServiceBus/namespaces/${topic.name}/queues/gone`;
        const busId = queueId.split("/queues/")[0] ?? "";
        await stage.call("PUT", busId, { location, sku: { name: "Standard" } });
        await stage.call("PUT", queueId, {});
        await stage.call("DELETE", queueId);
        const { id } = await stage.subscribe(topic.id, {
          destination: { endpointType: "ServiceBusQueue", properties: { resourceId: queueId } },
          retryPolicy: { maxDeliveryAttempts: 2 },
        });
        await publish(topic, cloudEvent());
        await stage.cloud.drain();
        const { attempts, waits } = stage.outcomeOf(id, "");
        return [attempts[0]?.status, waits[0]];
      }),
    row(FIREWALL, "An event subscription whose account for dead letters has a closed firewall")
      .open("accepted, and its dead letters are lost; somebody at Microsoft saw it refused in 2021")
      .gives(201, async (stage) => {
        await prepared(stage);
        const topic = await stage.newTopic();
        const accountId = `${PROVIDERS}/Microsoft.Storage/storageAccounts/closed`;
        const properties = denied({ bypass: "None" });
        await stage.call("PUT", accountId, { location, properties });
        const { status } = await stage.call("PUT", `${topic.id}/eventSubscriptions/closed`, {
          properties: {
            destination: { endpointType: "WebHook", properties: { endpointUrl: `${ORIGIN}/x` } },
            deadLetterDestination: {
              endpointType: "StorageBlob",
              properties: { resourceId: accountId, blobContainerName: "dead" },
            },
          },
        });
        return status;
      }),
    row(CUSTOM, "A custom role")
      .documented("201 with the type `CustomRole`; assigned at an assignable scope")
      .gives(["CustomRole", 201], async (stage) => {
        const { type, status } = await assigned(stage, GROUP);
        return [type, status];
      }),
    row(CUSTOM, "A custom role that is assigned above its assignable scopes")
      .documented("not available there")
      .gives(400, async (stage) => (await assigned(stage, ROOT)).status),
    row(
      {
        page: "azure/role-based-access-control/custom-roles",
        section: "Find role assignments to delete a custom role",
      },
      "The deletion of a custom role that somebody has",
    )
      .documented("`RoleDefinitionHasAssignments`")
      .gives([400, "RoleDefinitionHasAssignments"], async (stage) => {
        return (await assigned(stage, GROUP)).deleted;
      }),
    row(CUSTOM, "A custom role with an action that no provider has")
      .documented("400 `InvalidActionOrNotAction`, as users report")
      .differs("accepted: the actions of all providers are not known here")
      .gives(201, async (stage) => {
        const permissions = [{ actions: ["Microsoft.EventGrid/nothing/read"] }];
        const id = newRole();
        const { status } = await stage.call("PUT", id, roleOf(stage.newName(), { permissions }));
        await stage.call("DELETE", id);
        return status;
      }),
    refusedRole(
      "A second role with the same name",
      "new",
      {},
      409,
      "RoleDefinitionWithSameNameExists",
    ),
    refusedRole(
      "A role with a built-in role's ID",
      "built-in",
      { roleName: "x" },
      409,
      "RoleDefinitionExists",
    ),
    refusedRole(
      "A role without a name",
      "its",
      { roleName: "" },
      400,
      "RoleDefinitionNameNullOrEmpty",
    ),
    refusedRole(
      "A role of another type",
      "its",
      { type: "BuiltInRole" },
      400,
      "InvalidRoleDefinitionType",
    ),
    refusedRole(
      "A role without a scope",
      "its",
      { assignableScopes: [] },
      400,
      "MissingAssignableScopes",
    ),
    refusedRole(
      "A role with a scope that is no ID",
      "its",
      { assignableScopes: ["x"] },
      400,
      "LinkedInvalidPropertyId",
    ),
  ],
};
