import type { EventSubscription } from "../eventgrid/subscriptions/index.js";
import type { EventGridStores } from "./event-grid-stores.js";
import { isWithin } from "./scopes.js";
import type { ResourceManagerState } from "./state.js";

export const TOPIC_TYPE = "Microsoft.EventGrid/topics";
export const SYSTEM_TOPIC_TYPE = "Microsoft.EventGrid/systemTopics";

/** Event Grid's resources: which there are, and what goes with each when it is deleted. */
export class EventGridResources {
  constructor(
    private readonly state: Pick<ResourceManagerState, "identities" | "systemTopics">,
    private readonly stores: EventGridStores,
  ) {}

  /** Topics and system topics of a resource group. */
  in(groupId: string): { id: string; name: string; type: string; location: string }[] {
    const topics = this.stores.topics.list().map((each) => ({ ...shown(each), type: TOPIC_TYPE }));
    const systemTopics = this.state.systemTopics
      .list()
      .map((each) => ({ ...shown(each), type: SYSTEM_TOPIC_TYPE }));
    return [...topics, ...systemTopics].filter(({ id }) => isWithin(id, groupId));
  }

  /** Whether there was such a topic. */
  deleteTopic(id: string): boolean {
    this.state.identities.remove(id);
    return this.stores.topics.delete(id);
  }

  /** Whether there was such a system topic. All event subscriptions of its source are its own. */
  deleteSystemTopic(id: string): boolean {
    const topic = this.state.systemTopics.get(id);
    if (!topic) return false;
    this.#delete(this.stores.eventSubscriptions.list(topic.source));
    this.state.identities.remove(id);
    return this.state.systemTopics.delete(id);
  }

  /** Deletes everything of a resource group. */
  deleteIn(groupId: string): void {
    for (const { id, type } of this.in(groupId)) {
      if (type === TOPIC_TYPE) this.deleteTopic(id);
      else this.deleteSystemTopic(id);
    }
    const subscriptions = this.stores.eventSubscriptions.list();
    this.#delete(subscriptions.filter(({ scope }) => isWithin(scope, groupId)));
  }

  #delete(subscriptions: readonly EventSubscription[]): void {
    for (const { scope, name } of subscriptions) this.stores.eventSubscriptions.delete(scope, name);
  }
}

function shown({ id, name, location }: { id: string; name: string; location: string }) {
  return { id, name, location };
}
