import { asText, groupOf, isObject, serviceError, textAt } from "../../base/index.js";
import type { EventSubscriptions } from "../../eventgrid/index.js";
import { type Resources, type ResourceType, resourceAt } from "../engine/index.js";
import { groupNotFound } from "../resources/index.js";

const TYPE = "Microsoft.Resources/resourceGroups";

/** Creates the resource group of a resource that code or a configuration file creates. */
export function createGroupOf(
  { store }: Resources,
  resource: { readonly id: string; readonly location: string },
): void {
  const id = groupOf(resource.id);
  if (id === undefined || store.get(id)) return;
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
    onWrite: (written) => {
      checkName(written.name);
      const managedBy = textAt(written.body, "managedBy");
      return { ...written, body: { tags: textsIn(written.body.tags), managedBy } };
    },
    onDelete: ({ id }) => eventSubscriptions.deleteWithin(id),
    deleteStatus: 202,
    absent: 404,
    notFound: groupNotFound,
  };
}

/**
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftresources
 * @throws ServiceError 400
 */
function checkName(name: string): void {
  const wrong = [...new Set(name.replace(/[\p{L}\p{Nd}().\-_]/gu, ""))];
  const problem =
    wrong.length > 0
      ? `has these invalid characters: '${wrong.join(" ")}'. The name can only be a letter, digit, '-', '.', '(', ')' or '_'`
      : name.length > 90
        ? "is longer than 90 characters"
        : name.endsWith(".") && "ends with a period";
  if (!problem) return;
  const message = `The provided resource group name '${name}' ${problem}.`;
  throw serviceError.InvalidResourceGroup(message);
}

function textsIn(tags: unknown): Readonly<Record<string, string>> {
  if (!isObject(tags)) return {};
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, asText(value)]));
}
