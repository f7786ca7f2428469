import { expect, it } from "vitest";
import { builtInRole, RIGHTS } from "../../../cli/src/rules/index.js";
import type { Permissions } from "../../../cli/src/rules/world.js";
import { RoleDefinitions } from "../../../local/src/resource-manager/resources/role-definitions.js";

const queue = "Microsoft.Storage/storageAccounts/queueServices/queues/messages";

const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
type Asked = [kind: "actions" | "dataActions", action: string];

/** What some rule asks for. */
const actions = [
  ...Object.values(RIGHTS).flatMap(({ kind, actions }) => actions.map((each) => [kind, each])),
  ...[
    `${blobs}/write`,
    `${queue}/add/action`,
    `${queue}/write`,
    `${queue}/process/action`,
    `${queue}/delete`,
    "Microsoft.EventHub/namespaces/messages/send/action",
    "Microsoft.EventHub/namespaces/messages/receive/action",
    "Microsoft.ServiceBus/namespaces/messages/send/action",
    "Microsoft.ServiceBus/namespaces/messages/receive/action",
  ].map((each) => ["dataActions", each]),
] as Asked[];

/** What no rule asks for, and tells roles apart. */
const others: readonly Asked[] = [
  ["actions", "Microsoft.EventGrid/eventSubscriptions/read"],
  ["actions", "Microsoft.EventGrid/topics/write"],
  ["actions", "Microsoft.Authorization/roleAssignments/write"],
  ["actions", "Microsoft.Authorization/roleAssignments/delete"],
  ["dataActions", `${blobs}/read`],
  ["dataActions", `${blobs}/delete`],
  ["dataActions", `${queue}/read`],
];

function allowedBy(permissions: readonly Permissions[], asked: readonly Asked[] = actions) {
  const has = (patterns: readonly string[] = [], action: string) =>
    patterns.some((each) => new RegExp(`^${each.replaceAll("*", ".*")}$`, "i").test(action));
  return asked.flatMap(([kind, action]) =>
    permissions.some(
      (one) =>
        has(one[kind], action) &&
        !has(kind === "actions" ? one.notActions : one.notDataActions, action),
    )
      ? [action]
      : [],
  );
}

it("know Azure's roles by name, GUID and ID, and allow what the local Azure's allow", () => {
  const known = new RoleDefinitions().builtIn.filter(({ roleName }) => builtInRole(roleName));
  expect(known).toHaveLength(22);
  for (const { id, roleName, permissions } of known) {
    const role = builtInRole(roleName.toUpperCase());
    expect(role?.id, roleName).toBe(id);
    expect(builtInRole(id)).toBe(role);
    const definitionId = `/providers/Microsoft.Authorization/roleDefinitions/${id}`;
    expect(builtInRole(definitionId)).toBe(role);
    const all = [...actions, ...others];
    expect(allowedBy(role?.permissions ?? [], all), roleName).toEqual(allowedBy(permissions, all));
  }
});

it.each([
  ["Azure Relay Owner", "2787bf04-f1f5-4bfe-8383-c8a24483ee38", "Microsoft.Relay/*"],
  ["Azure Relay Sender", "26baccc8-eea7-41f1-98f4-1762cc7f685d", "Microsoft.Relay/*/send/action"],
])("know the role %s, which the local Azure does not have", (name, id, action) => {
  const role = builtInRole(name);
  expect(role?.id).toBe(id);
  expect(role?.permissions).toMatchObject([{ dataActions: [action] }]);
});

it("leave out no role of the local Azure that allows something which rules ask for", () => {
  const missing = new RoleDefinitions().builtIn.filter(
    ({ roleName, permissions }) =>
      allowedBy(permissions).length > 0 && builtInRole(roleName) === undefined,
  );
  expect(missing.map(({ roleName }) => roleName)).toEqual([]);
});
