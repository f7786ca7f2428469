import { isWithin } from "../../base/index.js";
import type { EventSubscription } from "../../eventgrid/index.js";
import { deleteGeneric, type GenericResource } from "../generic/index.js";
import type { ContainedResources } from "../resources/index.js";
import type { EventGridState } from "./state.js";

export const TOPIC_TYPE = "Microsoft.EventGrid/topics";
export const DOMAIN_TYPE = "Microsoft.EventGrid/domains";
export const SYSTEM_TOPIC_TYPE = "Microsoft.EventGrid/systemTopics";

/** Lists Event Grid's resources, and deletes them with their children and event subscriptions. */
export class EventGridResources implements ContainedResources {
  constructor(private readonly state: EventGridState) {}

  /** Topics, domains, system topics and generic resources of a resource group or subscription. */
  in(groupId: string): { id: string; name: string; type: string; location: string }[] {
    const topics = [...this.state.topics.list(), ...this.state.domains.list()].map((each) => ({
      ...shown(each),
      type: each.isDomain ? DOMAIN_TYPE : TOPIC_TYPE,
    }));
    const systemTopics = this.state.systemTopics
      .list()
      .map((each) => ({ ...shown(each), type: SYSTEM_TOPIC_TYPE }));
    const generic = this.state.genericResources.in(groupId).filter(isTopLevel).map(shownWithType);
    return [...topics, ...systemTopics].filter(({ id }) => isWithin(id, groupId)).concat(generic);
  }

  /** Deletes a topic, or a domain with its topics. `false` if it does not exist. */
  deleteTopic(id: string): boolean {
    deleteGeneric(this.state, id);
    this.state.identities.remove(id);
    this.state.roleAssignments.deleteWithin(id);
    return this.state.topics.delete(id) || this.state.domains.delete(id);
  }

  /** Deletes all event subscriptions of the source too. `false` if the topic does not exist. */
  deleteSystemTopic(id: string): boolean {
    const topic = this.state.systemTopics.get(id);
    if (!topic) return false;
    this.#delete(this.state.eventSubscriptions.list(topic.source));
    this.state.identities.remove(id);
    this.state.roleAssignments.deleteWithin(id);
    return this.state.systemTopics.delete(id);
  }

  /** Deletes everything in a resource group. */
  deleteIn(groupId: string): void {
    for (const { id, type } of this.in(groupId)) {
      if (type === TOPIC_TYPE || type === DOMAIN_TYPE) this.deleteTopic(id);
      else if (type === SYSTEM_TOPIC_TYPE) this.deleteSystemTopic(id);
    }
    deleteGeneric(this.state, groupId);
    this.state.roleAssignments.deleteWithin(groupId);
    const subscriptions = this.state.eventSubscriptions.list();
    this.#delete(subscriptions.filter(({ scope }) => isWithin(scope, groupId)));
  }

  #delete(subscriptions: readonly EventSubscription[]): void {
    for (const { scope, name } of subscriptions) this.state.eventSubscriptions.delete(scope, name);
  }
}

/** Children are not listed with the resources of a group. */
function isTopLevel({ type }: { readonly type: string }): boolean {
  return type.split("/").length === 2;
}

function shownWithType({ type, ...rest }: GenericResource) {
  return { ...shown(rest), type };
}

function shown({ id, name, location }: { id: string; name: string; location: string }) {
  return { id, name, location };
}
