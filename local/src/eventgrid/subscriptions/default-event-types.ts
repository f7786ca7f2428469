import { isObject, listAt } from "../../base/index.js";
import { resourceManagerEventTypes, systemEventFamilies } from "../system-events/index.js";
import type { Properties } from "./delivery-settings.js";

/** Azure services fill in their default types for a subscription that names none. */
export function withDefaultTypes(
  properties: Properties,
  includedEventTypes: readonly string[] | undefined,
): Properties {
  const { filter } = properties;
  const isFiltered = listAt(filter, "includedEventTypes").length > 0;
  if (isFiltered || includedEventTypes === undefined) return properties;
  return { ...properties, filter: { ...(isObject(filter) && filter), includedEventTypes } };
}

/** The types of events that a source sends by default, where those are not all its types. */
export function defaultTypesOf(scope: string): readonly string[] | undefined {
  return familyAt(scope)?.defaultTypes;
}

/** All known types of a source; `undefined` for another one. */
export function knownTypesOf(scope: string): readonly string[] | undefined {
  return /\/providers\//i.test(scope) ? familyAt(scope)?.types : resourceManagerEventTypes;
}

function familyAt(scope: string) {
  const id = scope.toLowerCase();
  return systemEventFamilies.find(
    ({ resourceType }) =>
      resourceType !== undefined && id.includes(`/providers/${resourceType.toLowerCase()}/`),
  );
}
