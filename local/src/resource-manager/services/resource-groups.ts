import { asText, isObject, textAt } from "../../base/index.js";
import type { EventSubscriptions } from "../../eventgrid/index.js";
import { type Resources, type ResourceType, resourceAt } from "../engine/index.js";
import { groupNotFound } from "../resources/index.js";

const TYPE = "Microsoft.Resources/resourceGroups";

/** Creates the resource group of a resource that code or a configuration file creates. */
export function createGroupOf(
  { store }: Resources,
  resource: { readonly id: string; readonly location: string },
): void {
  const [id = ""] = resource.id.split("/providers/");
  if (store.get(id)) return;
  store.put(resourceAt(id, TYPE, { tags: {} }, resource.location));
}

/** Resource groups. The engine deletes the resources in them. */
export function resourceGroups({
  eventSubscriptions,
}: {
  readonly eventSubscriptions: EventSubscriptions;
}): ResourceType {
  return {
    type: TYPE,
    actionType: "Microsoft.Resources/subscriptions/resourceGroups",
    scope: "subscription",
    filter: { compared: ["tagName", "tagValue"] },
    pages: { size: 1_000, max: 1_000 },
    location: "region",
    onWrite: (written) => ({
      ...written,
      body: { tags: textsIn(written.body.tags), managedBy: textAt(written.body, "managedBy") },
    }),
    onDelete: ({ id }) => eventSubscriptions.deleteWithin(id),
    deleteStatus: 202,
    absent: 404,
    notFound: groupNotFound,
  };
}

function textsIn(tags: unknown): Readonly<Record<string, string>> {
  if (!isObject(tags)) return {};
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, asText(value)]));
}
