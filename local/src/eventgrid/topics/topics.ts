import { checkOptions } from "../../check-options.js";
import { invalidRequest, ServiceError } from "../../errors.js";
import { topicSettings } from "../../setting-shapes.js";
import { anyObject, flag, object, text } from "../../shape.js";
import type { AcceptedEvent } from "../event.js";
import type { History } from "../history.js";
import { scopeKey } from "../scope.js";
import { type NewTopic, Topic, type TopicKeyName, type TopicKeys } from "./topic.js";

export type TopicChange = Pick<NewTopic, "localAuthEnabled" | "attributes">;

/** Names that a topic can have. */
export const TOPIC_NAME = /^[-a-zA-Z0-9]{3,50}$/;

const newTopic = object({ name: text }, { ...topicSettings, attributes: anyObject });
const topicChange = object({}, { localAuthEnabled: flag, attributes: anyObject });

/** The custom topics of the cloud. */
export class Topics {
  readonly #byScope = new Map<string, Topic>();

  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      /** Known once the server listens. */
      readonly origin: () => string;
      /** Refuses what comes after the cloud's end. */
      readonly checkRunning: () => void;
      readonly newHistory: () => History<AcceptedEvent>;
      /** What belongs to a topic goes with it. */
      readonly onDelete: (topic: Topic) => void;
    },
  ) {}

  /**
   * @throws ServiceError when the name is not allowed or taken
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewTopic): Topic {
    this.cloud.checkRunning();
    checkOptions(newTopic, props, "A topic cannot be made with these options");
    const { name } = props;
    if (!TOPIC_NAME.test(name)) {
      throw invalidRequest(
        `Topic name '${name}' is invalid. It must have 3 to 50 letters, digits or hyphens.`,
      );
    }
    const topic = new Topic(props, this.cloud);
    if (this.get(topic.id) || this.atPath(topic.path)) {
      throw new ServiceError(
        409,
        "Conflict",
        `There is a topic '${name}' in ${topic.location} already; the name must be unique there.`,
      );
    }
    this.#byScope.set(scopeKey(topic.id), topic);
    return topic;
  }

  /** @param id its resource ID, in any case */
  get(id: string): Topic | undefined {
    return this.#byScope.get(scopeKey(id));
  }

  /**
   * @throws ServiceError when there is none
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  update(id: string, change: TopicChange): Topic {
    checkOptions(topicChange, change, "A topic cannot be changed to these options");
    const topic = this.#required(id);
    if (change.localAuthEnabled !== undefined) topic.localAuthEnabled = change.localAuthEnabled;
    if (change.attributes !== undefined) topic.attributes = change.attributes;
    return topic;
  }

  /** @throws ServiceError when there is none */
  listKeys(id: string): TopicKeys {
    return this.#required(id).keys();
  }

  /** @throws ServiceError when there is none, or no key of that name */
  regenerateKey(id: string, name: TopicKeyName): TopicKeys {
    return this.#required(id).regenerateKey(name);
  }

  list(): Topic[] {
    return [...this.#byScope.values()];
  }

  /** Whether there was one to delete; its event subscriptions go with it. */
  delete(id: string): boolean {
    const topic = this.get(id);
    if (!topic) return false;
    this.#byScope.delete(scopeKey(id));
    this.cloud.onDelete(topic);
    return true;
  }

  /** @internal the topic that a publish request's path names */
  atPath(path: string): Topic | undefined {
    return this.list().find((topic) => topic.path === path.toLowerCase());
  }

  #required(id: string): Topic {
    const topic = this.get(id);
    if (topic) return topic;
    throw new ServiceError(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
  }
}
