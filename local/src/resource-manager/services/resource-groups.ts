import { isObject, isWithin, ServiceError, textAt } from "../../base/index.js";
import type { EventSubscriptions } from "../../eventgrid/index.js";
import type { ResourceType } from "../engine/index.js";

/** Resource groups. The engine deletes the resources in them. */
export function resourceGroups({
  eventSubscriptions,
}: {
  readonly eventSubscriptions: EventSubscriptions;
}): ResourceType {
  return {
    type: "Microsoft.Resources/resourceGroups",
    actionType: "Microsoft.Resources/subscriptions/resourceGroups",
    location: "required",
    onWrite: (written) => ({
      ...written,
      body: { tags: textsIn(written.body.tags), managedBy: textAt(written.body, "managedBy") },
    }),
    onDelete: ({ id }) => {
      for (const { scope, name } of eventSubscriptions.list()) {
        if (isWithin(scope, id)) eventSubscriptions.delete(scope, name);
      }
    },
    absent: 404,
    notFound: (id) =>
      new ServiceError(
        404,
        "ResourceGroupNotFound",
        `Resource group '${id.split("/").at(-1)}' could not be found.`,
      ),
  };
}

function textsIn(tags: unknown): Readonly<Record<string, string>> {
  if (!isObject(tags)) return {};
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]));
}
