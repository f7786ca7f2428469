import type { ApiRequest, Router } from "../../api/index.js";
import { field, isObject, ServiceError, textAt } from "../../base/index.js";
import type { ResourceGroup } from "./resource-groups.js";
import { locationIn } from "./resource-requests.js";
import type { SubscriptionState } from "./state.js";

/** The resources in resource groups. */
export interface ContainedResources {
  in(groupId: string): { id: string; name: string; type: string; location: string }[];
  deleteIn(groupId: string): void;
}

const ACTION = "Microsoft.Resources/subscriptions/resourceGroups";

/** Resource groups. */
export function addResourceGroupRoutes(
  router: Router,
  state: SubscriptionState,
  resources: ContainedResources,
): void {
  const { authorization, resourceGroups, subscriptionId } = state;
  const path = "/subscriptions/:s/resourcegroups/:group";
  const idOf = (group: string) => `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  const find = (name: string) => {
    const group = resourceGroups.get(idOf(name));
    if (group) return group;
    throw new ServiceError(
      404,
      "ResourceGroupNotFound",
      `Resource group '${name}' could not be found.`,
    );
  };
  const tagsOf = ({ body }: ApiRequest, otherwise: ResourceGroup["tags"]) => {
    const tags = field(body, "tags");
    if (!isObject(tags)) return otherwise;
    return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]));
  };

  router.on("GET", "/subscriptions/:s/resourcegroups", ({ caller }) => {
    authorization.require(caller, `${ACTION}/read`, `/subscriptions/${subscriptionId}`);
    return { status: 200, body: { value: resourceGroups.list().map(answerOf) } };
  });
  router.on("GET", path, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/read`, idOf(parameter("group")));
    return { status: 200, body: answerOf(find(parameter("group"))) };
  });
  router.on("HEAD", path, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/read`, idOf(parameter("group")));
    return { status: resourceGroups.get(idOf(parameter("group"))) ? 204 : 404 };
  });
  router.on("PUT", path, (request, parameter) => {
    const name = parameter("group");
    authorization.require(request.caller, `${ACTION}/write`, idOf(name));
    const location = locationIn(request.body);
    const tags = tagsOf(request, {});
    const managedBy = textAt(request.body, "managedBy");
    const { group, created } = resourceGroups.put({
      subscriptionId,
      name,
      location,
      tags,
      managedBy,
    });
    return { status: created ? 201 : 200, body: answerOf(group) };
  });
  router.on("PATCH", path, (request, parameter) => {
    const { name, location, tags, managedBy: before } = find(parameter("group"));
    authorization.require(request.caller, `${ACTION}/write`, idOf(name));
    const managedBy = textAt(request.body, "managedBy") ?? before;
    const changed = { subscriptionId, name, location, tags: tagsOf(request, tags), managedBy };
    return { status: 200, body: answerOf(resourceGroups.put(changed).group) };
  });
  router.on("DELETE", path, ({ caller }, parameter) => {
    const { id } = find(parameter("group"));
    authorization.require(caller, `${ACTION}/delete`, id);
    resources.deleteIn(id);
    resourceGroups.delete(id);
    return { status: 200 };
  });
  router.on("GET", "/subscriptions/:s/resources", ({ caller }) => {
    const scope = `/subscriptions/${subscriptionId}`;
    authorization.require(caller, "Microsoft.Resources/subscriptions/resources/read", scope);
    return { status: 200, body: { value: resources.in(scope) } };
  });
  // The azurerm provider refuses to delete a group while this lists anything.
  router.on("GET", `${path}/resources`, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/read`, idOf(parameter("group")));
    return { status: 200, body: { value: resources.in(idOf(parameter("group"))) } };
  });
}

function answerOf(group: ResourceGroup) {
  return {
    ...group,
    type: "Microsoft.Resources/resourceGroups",
    properties: { provisioningState: "Succeeded" },
  };
}
