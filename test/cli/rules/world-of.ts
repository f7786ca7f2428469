import type { World } from "../../../cli/src/rules/index.js";

const none = async () => ({ items: [] });
const nothing = async () => undefined;

/** A world of these resources, which answers the other questions as it is told. */
export function worldOf(
  bodies: Readonly<Record<string, unknown>>,
  answers: Partial<World> = {},
): World {
  return {
    resource: async (id) =>
      id in bodies ? { id, witnesses: [`(${id})`], body: bodies[id] } : undefined,
    systemTopicOf: nothing,
    privateEndpoints: none,
    application: nothing,
    principal: nothing,
    appRoleAssignments: none,
    owners: none,
    roleAssignments: none,
    ...answers,
  };
}
