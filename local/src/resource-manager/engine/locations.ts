import { groupNameOf, isChildType, serviceError, textAt } from "../../base/index.js";
import { locations } from "../resources/index.js";
import type { Resource, ResourceType } from "./resource-type.js";

/**
 * The location to store of a written resource, in the plain form.
 *
 * @throws ServiceError 400 for an unknown location, or if the type needs one and none is written
 */
export function locationOf(
  type: ResourceType,
  written: unknown,
  before: Resource | undefined,
): string {
  const location = plain(textAt(written, "location"));
  if (location !== undefined) {
    if (before) requireSameLocation(type, before, location);
    const others = type.location === "region" ? [] : ["global"];
    const isKnown = [...locations, ...others, before?.location].includes(location);
    if (isKnown) return location;
    if (type.scope === "subscription") {
      throw serviceError.LocationNotAvailableForResourceGroup(
        `The provided location '${location}' is not available for resource group. List of available regions is '${locations.join(",")}'.`,
      );
    }
    throw serviceError.LocationNotAvailableForResourceType(
      `The provided location '${location}' is not available for resource type '${type.type}'. List the available ones with GET /subscriptions/{id}/locations.`,
    );
  }
  const isNeeded = type.location === "required" || type.location === "region";
  if (!isNeeded) return before?.location ?? type.location ?? "westeurope";
  throw serviceError.LocationRequired("The location property is required for this definition.");
}

/** Locations are also written as `West Europe`. */
function plain(location: string | undefined): string | undefined {
  return location?.toLowerCase().replaceAll(" ", "");
}

/** @throws ServiceError 409: resources and groups do not move */
function requireSameLocation(type: ResourceType, before: Resource, location: string): void {
  const current = plain(before.location) || location;
  if (current === location || isChildType(type.type)) return;
  if (type.scope === "subscription") {
    throw serviceError.InvalidResourceGroupLocation(
      `Invalid resource group location '${location}'. The Resource group already exists in location '${current}'.`,
    );
  }
  throw serviceError.InvalidResourceLocation(
    `The resource '${before.name}' already exists in location '${current}' in resource group '${groupNameOf(before.id)}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
  );
}
