import {
  field,
  isWithin,
  listAt,
  objectAt,
  parentOf,
  sameScope,
  textAt,
} from "../../base/index.js";
import {
  type Resource,
  type Resources,
  type ResourceType,
  resourceAt,
  shownPlainly,
  stableUuid,
} from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";
import { eventGridLists } from "./field-rules.js";

/**
 * What private endpoints can connect to, by type of resource: sub-resources and their DNS zones.
 *
 * @see https://learn.microsoft.com/azure/event-grid/configure-private-endpoints
 */
export const privateLinkGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Microsoft.EventGrid/topics": { topic: "privatelink.eventgrid.azure.net" },
  "Microsoft.EventGrid/domains": { domain: "privatelink.eventgrid.azure.net" },
  "Microsoft.EventGrid/namespaces": {
    topic: "privatelink.eventgrid.azure.net",
    topicspace: "privatelink.ts.eventgrid.azure.net",
  },
};

export const PRIVATE_ENDPOINT_TYPE = "Microsoft.Network/privateEndpoints";

/** The lists of a private endpoint's connections, with the state of new ones. */
export const connectionLists = {
  privateLinkServiceConnections: "Approved",
  manualPrivateLinkServiceConnections: "Pending",
};

/** A type with its private links and the connections of private endpoints. */
export function withPrivateLinks(resources: Resources, parents: ResourceType): ResourceType[] {
  const { type } = parents;
  const linksOf = (parent: string) =>
    Object.entries(privateLinkGroups[type] ?? {}).map(([group, zone]) => {
      const properties = {
        groupId: group,
        displayName: `Event Grid ${group}`,
        requiredMembers: [group],
        requiredZoneNames: [zone],
      };
      const id = `${parent}/privateLinkResources/${group}`;
      return resourceAt(id, `${type}/privateLinkResources`, { properties });
    });
  const children = (
    name: string,
    methods: readonly string[],
    childrenOf: (parent: string) => readonly Resource[],
  ) => ({
    type: `${type}/${name}`,
    ...eventGridLists,
    methods,
    read: {
      get: (id: string) =>
        resources.get(parentOf(id)) &&
        childrenOf(parentOf(id)).find((each) => sameScope(each.id, id)),
    },
    list: (parent: string) => {
      if (!resources.get(parent)) throw resourceNotFound(parent);
      return [...childrenOf(parent)];
    },
    show: shownPlainly,
  });
  const connections = children("privateEndpointConnections", ["GET", "PUT", "DELETE"], (parent) =>
    connectionsTo(resources, parent),
  );
  return [
    {
      ...parents,
      computed: (resource, origin) => {
        const privateEndpointConnections = connectionsTo(resources, resource.id);
        return {
          ...parents.computed?.(resource, origin),
          ...(privateEndpointConnections.length > 0 && {
            privateEndpointConnections: privateEndpointConnections.map(shownPlainly),
          }),
        };
      },
    },
    children("privateLinkResources", ["GET"], linksOf),
    {
      ...connections,
      // Private endpoints create connections; a write can only approve or reject an existing one.
      onWrite: ({ id, body }) => {
        const connection = connections.read.get(id);
        if (!connection) throw resourceNotFound(id);
        const state = objectAt(body, "properties", "privateLinkServiceConnectionState");
        setState(resources, connection, state);
        return connections.read.get(id) ?? connection;
      },
      onDelete: (connection) => setState(resources, connection, { status: "Disconnected" }),
    },
  ];
}

/** The connections of private endpoints to a resource, as that resource shows them. */
function connectionsTo(resources: Resources, parent: string): Resource[] {
  const type = resources.get(parent)?.type;
  return privateEndpoints(resources).flatMap(({ id, name, body }) =>
    connectionsIn(body)
      .filter(
        (each) =>
          sameScope(textAt(each, "properties", "privateLinkServiceId") ?? "", parent) &&
          stateOf(each).status !== "Disconnected",
      )
      .map((each) => {
        const properties = {
          privateEndpoint: { id },
          groupIds: listAt(each, "properties", "groupIds"),
          privateLinkServiceConnectionState: stateOf(each),
          provisioningState: "Succeeded",
        };
        const connection = `${parent}/privateEndpointConnections/${name}.${stableUuid(id)}`;
        return resourceAt(connection, `${type}/privateEndpointConnections`, { properties });
      }),
  );
}

/** The service approves, rejects or removes a connection; its private endpoint has the state. */
function setState(resources: Resources, { id, body }: Resource, state: object): void {
  const endpointId = textAt(body, "properties", "privateEndpoint", "id") ?? "";
  const endpoint = resources.store.get(endpointId);
  if (!endpoint) return;
  const properties = objectAt(endpoint.body, "properties");
  const changed = (connection: unknown) => {
    const target = textAt(connection, "properties", "privateLinkServiceId") ?? "/";
    if (!isWithin(id, target)) return connection;
    const privateLinkServiceConnectionState = { ...stateOf(connection), ...state };
    return {
      ...objectAt(connection),
      properties: { ...objectAt(connection, "properties"), privateLinkServiceConnectionState },
    };
  };
  const lists = Object.keys(connectionLists).map((list) => [
    list,
    listAt(properties, list).map(changed),
  ]);
  resources.store.put({
    ...endpoint,
    body: { ...endpoint.body, properties: { ...properties, ...Object.fromEntries(lists) } },
  });
}

export function privateEndpoints(resources: Resources): Resource[] {
  return resources.store.list().filter(({ type }) => type === PRIVATE_ENDPOINT_TYPE);
}

/** The connections of a private endpoint, manual ones last. */
export function connectionsIn(body: Resource["body"]): unknown[] {
  return Object.keys(connectionLists).flatMap((list) => listAt(body, "properties", list));
}

function stateOf(connection: unknown): Record<string, unknown> {
  return objectAt(field(connection, "properties"), "privateLinkServiceConnectionState");
}
