import type { Router } from "../../../api/index.js";
import { isWithin } from "../../../base/index.js";
import { topicIdOf } from "../../../eventgrid/index.js";
import { listAnswer } from "../../engine/index.js";
import { groupNotFound } from "../../resources/index.js";
import type { EventGridState } from "../state.js";
import { topicTypeOf } from "../topic-types.js";
import {
  EVENT_SUBSCRIPTION_TYPE,
  eventSubscriptionType,
  resourceOf,
} from "./event-subscriptions.js";

/**
 * Lists of event subscriptions of a subscription or resource group: those of global sources, those
 * of one location, and each of them of one topic type.
 */
export function addEventSubscriptionLists(router: Router, state: EventGridState): void {
  const { authorization, eventSubscriptions, subscriptionId } = state;
  const type = eventSubscriptionType(state);
  const isIn = (scope: string, location: string) => {
    if (isGlobal(scope)) return location === "" || location === "global";
    // The location of a resource that is not known here is not known either: list it everywhere.
    const own = locationOf(state, scope);
    return location !== "" && (own === undefined || own === location);
  };
  for (const path of [
    "",
    "/topicTypes/:topicType",
    "/locations/:location",
    "/locations/:location/topicTypes/:topicType",
  ]) {
    for (const above of ["/subscriptions/:s", "/subscriptions/:s/resourceGroups/:group"]) {
      const list = `${above}/providers/Microsoft.EventGrid${path}/eventSubscriptions`;
      router.get(list, (request, parameter) => {
        const group = parameter("group");
        const scope = `/subscriptions/${subscriptionId}${group && `/resourceGroups/${group}`}`;
        authorization.require(request.caller, `${EVENT_SUBSCRIPTION_TYPE}/read`, scope);
        if (group && !state.resources.store.get(scope)) throw groupNotFound(scope);
        const topicType = parameter("topicType").toLowerCase();
        const all = eventSubscriptions
          .list()
          .filter((each) => isWithin(each.scope, scope))
          .filter((each) => !topicType || topicTypeOf(each.scope).toLowerCase() === topicType)
          .filter((each) => isIn(each.scope, parameter("location").toLowerCase()))
          .map((each) => resourceOf(each, each.id));
        return listAnswer(type, all, request);
      });
    }
  }
}

/** Subscriptions and resource groups are global sources; resources have a location. */
function isGlobal(scope: string): boolean {
  return !/\/providers\//i.test(scope);
}

/** A domain's topic has the location of its domain. */
function locationOf({ resources }: EventGridState, scope: string): string | undefined {
  return resources.get(topicIdOf(scope))?.location;
}
