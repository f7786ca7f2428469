import { sameScope, scopeKey } from "../../base/index.js";

/** A named resource for the events of one source. */
export interface SystemTopic {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** Resource ID of the source. */
  readonly source: string;
  readonly topicType: string;
  readonly identity: unknown;
  readonly tags: unknown;
}

/** The system topics of the subscription. */
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

  /** @internal */
  snapshot(): SystemTopic[] {
    return this.list();
  }

  /** @internal */
  restore(topics: readonly SystemTopic[]): void {
    for (const topic of topics) this.put(topic);
  }

  delete(id: string): boolean {
    return this.#all.delete(scopeKey(id));
  }
}
