import type { Router } from "../../api/index.js";
import { isWithin } from "../../base/index.js";
import { type EventSubscription, topicIdOf } from "../../eventgrid/index.js";
import { answerOf, filtered, pageOf } from "../engine/index.js";
import {
  EVENT_SUBSCRIPTION_TYPE,
  eventSubscriptionType,
  resourceOf,
} from "./event-subscriptions.js";
import { eventGridLists } from "./field-rules.js";
import type { EventGridState } from "./state.js";
import { topicTypeOf } from "./topic-types.js";

/**
 * Lists of event subscriptions of a subscription or resource group: those of global sources, those
 * of one location, and each of them of one topic type.
 */
export function addEventSubscriptionLists(router: Router, state: EventGridState): void {
  const { authorization, eventSubscriptions, subscriptionId } = state;
  const type = eventSubscriptionType(state);
  const list = (
    root: string,
    matches: (subscription: EventSubscription, location: string) => boolean,
  ) => {
    for (const above of ["/subscriptions/:s", "/subscriptions/:s/resourceGroups/:group"]) {
      for (const filter of ["", "/topicTypes/:topicType"]) {
        const path = `${above}/providers/Microsoft.EventGrid${root}${filter}/eventSubscriptions`;
        router.on("GET", path, (request, parameter) => {
          const group = parameter("group");
          const scope = `/subscriptions/${subscriptionId}${group && `/resourceGroups/${group}`}`;
          authorization.require(request.caller, `${EVENT_SUBSCRIPTION_TYPE}/read`, scope);
          const topicType = parameter("topicType").toLowerCase();
          const resources = eventSubscriptions
            .list()
            .filter((each) => isWithin(each.scope, scope))
            .filter((each) => !topicType || topicTypeOf(each.scope).toLowerCase() === topicType)
            .filter((each) => matches(each, parameter("location").toLowerCase()))
            .map((each) => resourceOf(each, each.id));
          const { filter: rules, pages } = eventGridLists;
          const page = pageOf(filtered(resources, request, rules), request, pages);
          return {
            status: 200,
            body: { ...page, value: page.value.map((each) => answerOf(type, each, request)) },
          };
        });
      }
    }
  };
  list("", ({ scope }) => isGlobal(scope));
  list("/locations/:location", ({ scope }, location) => {
    if (isGlobal(scope)) return location === "global";
    // The location of a resource that is not known here is not known either: list it everywhere.
    const own = locationOf(state, scope);
    return own === undefined || own === location;
  });
}

/** Subscriptions and resource groups are global sources; resources have a location. */
function isGlobal(scope: string): boolean {
  return !/\/providers\//i.test(scope);
}

/** A domain's topic has the location of its domain. */
function locationOf({ resources }: EventGridState, scope: string): string | undefined {
  return resources.get(topicIdOf(scope))?.location;
}
