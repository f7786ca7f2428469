import { type Resource, type Resources, type ResourceType, shownPlainly } from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";
import { eventGridLists } from "./lists.js";

/**
 * What private endpoints connect to, and their connections: none, as there are no private endpoints
 * here.
 *
 * @param type the parents'
 * @param group the only sub-resource of a parent, for example `topic`
 * @see https://learn.microsoft.com/azure/event-grid/configure-private-endpoints
 */
export function privateLinks(resources: Resources, type: string, group: string): ResourceType[] {
  const linkAt = (parent: string): Resource => ({
    id: `${parent}/privateLinkResources/${group}`,
    name: group,
    type: `${type}/privateLinkResources`,
    location: "global",
    body: {
      properties: {
        groupId: group,
        displayName: `Event Grid ${group}`,
        requiredMembers: [group],
        requiredZoneNames: ["privatelink.eventgrid.azure.net"],
      },
    },
  });
  const require = (parent: string) => {
    if (!resources.get(parent)) throw resourceNotFound(parent);
  };
  const id = new RegExp(`^(.*/${type}/[^/]+)/privateLinkResources/${group}$`, "i");
  return [
    {
      type: `${type}/privateLinkResources`,
      ...eventGridLists,
      methods: ["GET"],
      read: {
        get: (path) => {
          const parent = id.exec(path)?.[1];
          return parent && resources.get(parent) ? linkAt(parent) : undefined;
        },
      },
      list: (parent) => {
        require(parent);
        return [linkAt(parent)];
      },
      show: shownPlainly,
    },
    {
      type: `${type}/privateEndpointConnections`,
      ...eventGridLists,
      methods: ["GET", "PUT", "DELETE"],
      read: { get: () => undefined },
      // Private endpoints create connections; a write can only approve or reject an existing one.
      onWrite: ({ id }) => {
        throw resourceNotFound(id);
      },
      list: (parent) => {
        require(parent);
        return [];
      },
    },
  ];
}
