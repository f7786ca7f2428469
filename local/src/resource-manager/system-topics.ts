import { scopeKey } from "../eventgrid/scope.js";
import { sameScope } from "./scopes.js";

/** A name for the stream of events of one source. */
export interface SystemTopic {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** Resource ID of what the events come from. */
  readonly source: string;
  readonly topicType: string;
  readonly identity: unknown;
  readonly tags: unknown;
}

/** The system topics that were created here. */
export class SystemTopics {
  readonly #all = new Map<string, SystemTopic>();

  put(topic: SystemTopic): SystemTopic {
    this.#all.set(scopeKey(topic.id), topic);
    return topic;
  }

  get(id: string): SystemTopic | undefined {
    return this.#all.get(scopeKey(id));
  }

  ofSource(source: string): SystemTopic | undefined {
    return this.list().find((each) => sameScope(each.source, source));
  }

  list(): SystemTopic[] {
    return [...this.#all.values()];
  }

  delete(id: string): boolean {
    return this.#all.delete(scopeKey(id));
  }
}
