import { isObject, listAt } from "../../../base/index.js";
import {
  type EventSubscription,
  resourceManagerEventTypes,
  systemEventFamilies,
} from "../../../eventgrid/index.js";

type Properties = EventSubscription["properties"];

/** For a resource of Azure, the service fills in its default types when none are named. */
export function withDefaultTypes(properties: Properties, scope: string): Properties {
  const { filter } = properties;
  if (listAt(filter, "includedEventTypes").length > 0) return properties;
  const includedEventTypes = defaultTypesOf(scope);
  if (includedEventTypes === undefined) return properties;
  return { ...properties, filter: { ...(isObject(filter) && filter), includedEventTypes } };
}

function defaultTypesOf(scope: string): readonly string[] | undefined {
  const id = scope.toLowerCase();
  if (!id.includes("/providers/")) return resourceManagerEventTypes;
  return systemEventFamilies.find(
    ({ resourceType }) =>
      resourceType !== undefined && id.includes(`/providers/${resourceType.toLowerCase()}/`),
  )?.types;
}
