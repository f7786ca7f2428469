import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  fields,
  flag,
  invalidRequest,
  matching,
  optionalFields,
  type ResourceStore,
  ServiceError,
  text,
} from "../../base/index.js";
import type { AccessKeyName, AccessKeys } from "../credentials/index.js";
import type { AcceptedEvent, BoundedHistory } from "../events/index.js";
import {
  type NewTopic,
  Topic,
  type TopicCollection,
  type TopicSnapshot,
  topicSettings,
} from "./topic.js";

export type TopicChange = Pick<NewTopic, "localAuthEnabled" | "attributes">;

/** @see https://learn.microsoft.com/azure/event-grid/troubleshoot-errors#error-code-400 */
const NAME = /^(?!Microsoft|EventGrid|System)[-a-zA-Z0-9]{3,50}$/i;

const newTopic = fields({ name: text, ...topicSettings, attributes: v.optional(anyObject) });
const topicChange = optionalFields({ localAuthEnabled: flag, attributes: anyObject });

/** Schema of a topic in a configuration file. */
export const topicSchema = fields({
  name: matching(
    NAME,
    "3 to 50 letters, digits or hyphens that do not begin with Microsoft, EventGrid or System",
  ),
  ...topicSettings,
});

/** The resource ID of the topic or domain whose events a scope has, which may be a domain's topic. */
export function topicIdOf(scope: string): string {
  return /^(.*\/domains\/[^/]+)\/topics\/[^/]+$/i.exec(scope)?.[1] ?? scope;
}

/** The name of the domain's topic that a scope names. */
export function domainTopicNameOf(scope: string): string | undefined {
  return /\/domains\/[^/]+\/topics\/([^/]+)$/i.exec(scope)?.[1];
}

/** The custom topics of the cloud, or its domains. */
export class Topics {
  constructor(
    private readonly cloud: {
      readonly collection: TopicCollection;
      readonly store: ResourceStore<Topic>;
      readonly subscriptionId: string;
      /** Known once the server listens. */
      readonly origin: string;
      readonly running: { check(): void };
      readonly newHistory: () => BoundedHistory<AcceptedEvent>;
      readonly onTopic: (topic: Topic) => void;
      /** The subscriptions, which are deleted with their topic. */
      readonly eventSubscriptions: { deleteWithin(id: string): void };
    },
  ) {}

  /**
   * @throws ServiceError if the name is invalid or taken
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewTopic): Topic {
    this.cloud.running.check();
    checkOptions(newTopic, props, `Invalid options of a ${this.#noun}`);
    const { name } = props;
    if (!NAME.test(name)) {
      throw invalidRequest(
        `${this.#noun === "domain" ? "Domain" : "Topic"} name '${name}' is invalid. It must have 3 to 50 letters, digits or hyphens, and must not begin with Microsoft, EventGrid or System.`,
      );
    }
    const topic = new Topic(props, this.cloud);
    if (this.get(topic.id) || this.atPath(topic.path)) {
      throw new ServiceError(
        409,
        "Conflict",
        `The ${this.#noun} '${name}' already exists in ${topic.location}; the name must be unique there.`,
      );
    }
    this.cloud.store.put(topic);
    this.cloud.onTopic(topic);
    return topic;
  }

  /** @param id the resource ID, compared case-insensitively */
  get(id: string): Topic | undefined {
    return this.cloud.store.get(id);
  }

  /**
   * @throws ServiceError 404 if the topic does not exist
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  update(id: string, change: TopicChange): Topic {
    checkOptions(topicChange, change, `Invalid changes of a ${this.#noun}`);
    const topic = this.#get(id);
    if (change.localAuthEnabled !== undefined) topic.localAuthEnabled = change.localAuthEnabled;
    if (change.attributes !== undefined) topic.attributes = change.attributes;
    return topic;
  }

  /** @throws ServiceError 404 if the topic does not exist */
  listKeys(id: string): AccessKeys {
    return this.#get(id).keys();
  }

  /** @throws ServiceError if the topic does not exist, or for an unknown key name */
  regenerateKey(id: string, name: AccessKeyName): AccessKeys {
    return this.#get(id).regenerateKey(name);
  }

  list(): Topic[] {
    return this.cloud.store.list();
  }

  /** Deletes the topic's event subscriptions with it. `false` if the topic does not exist. */
  delete(id: string): boolean {
    const topic = this.get(id);
    if (!topic) return false;
    this.cloud.store.delete(id);
    this.cloud.eventSubscriptions.deleteWithin(topic.id);
    return true;
  }

  /** @internal */
  snapshot(): TopicSnapshot[] {
    return this.list().map((topic) => topic.snapshot());
  }

  /** @internal */
  restore(topics: readonly TopicSnapshot[]): void {
    for (const snapshot of topics) {
      const topic = new Topic(snapshot.props, this.cloud, snapshot.keys);
      for (const name of snapshot.domainTopics ?? []) topic.addDomainTopic(name);
      this.cloud.store.put(topic);
    }
  }

  /** @internal the topic at the path of a publish request */
  atPath(path: string): Topic | undefined {
    return this.list().find((topic) => topic.path === path.toLowerCase());
  }

  get #noun(): "topic" | "domain" {
    return this.cloud.collection === "domains" ? "domain" : "topic";
  }

  #get(id: string): Topic {
    const topic = this.get(id);
    if (topic) return topic;
    throw new ServiceError(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
  }
}
