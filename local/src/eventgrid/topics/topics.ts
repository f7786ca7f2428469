import { ServiceError } from "../../errors.js";
import type { AcceptedEvent } from "../event.js";
import type { History } from "../history.js";
import { scopeKey } from "../scope.js";
import { type InputSchema, Topic, type TopicKeyName, type TopicKeys } from "./topic.js";

export interface NewTopic {
  /** 3 to 50 letters, digits and hyphens; unique within its location, since it is a host name. */
  readonly name: string;
  /** @default "local" */
  readonly resourceGroupName?: string | undefined;
  /** @default "westeurope" */
  readonly location?: string | undefined;
  /** Its first key. @default a random one */
  readonly accessKey?: string | undefined;
  /** @default "CloudEventSchemaV1_0", where Resource Manager's own default is the older schema */
  readonly inputSchema?: InputSchema | undefined;
  /** @default true */
  readonly localAuthEnabled?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

export type TopicChange = Pick<NewTopic, "localAuthEnabled" | "attributes">;

/** The custom topics of the cloud. */
export class Topics {
  readonly #byScope = new Map<string, Topic>();
  readonly #histories = new WeakMap<Topic, History<AcceptedEvent>>();

  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      /** Known once the server listens. */
      readonly origin: () => string;
      readonly newHistory: () => History<AcceptedEvent>;
      /** What belongs to a topic goes with it. */
      readonly onDelete: (topic: Topic) => void;
    },
  ) {}

  /** @throws ServiceError when the name is not allowed or taken */
  create(props: NewTopic): Topic {
    const { name, resourceGroupName = "local", location = "westeurope" } = props;
    if (!/^[-a-zA-Z0-9]{3,50}$/.test(name)) {
      throw new ServiceError(
        400,
        "InvalidRequest",
        `Topic name '${name}' is invalid. It must have 3 to 50 letters, digits or hyphens.`,
      );
    }
    const id = topicId(this.cloud.subscriptionId, resourceGroupName, name);
    const host = `${name}.${location}-1`.toLowerCase();
    if (this.get(id) || this.list().some((topic) => hostOf(topic) === host)) {
      throw new ServiceError(
        409,
        "Conflict",
        `There is a topic '${name}' in ${location} already; the name must be unique there.`,
      );
    }
    const history = this.cloud.newHistory();
    const endpoint = `${this.cloud.origin()}/${host}/api/events`;
    const events = () => history.list();
    const topic = new Topic(id, name, resourceGroupName, location, endpoint, events, props);
    this.#histories.set(topic, history);
    this.#byScope.set(scopeKey(id), topic);
    return topic;
  }

  /** @param id its resource ID, in any case */
  get(id: string): Topic | undefined {
    return this.#byScope.get(scopeKey(id));
  }

  /** @throws ServiceError when there is none */
  update(id: string, change: TopicChange): Topic {
    const topic = this.#required(id);
    if (change.localAuthEnabled !== undefined) topic.localAuthEnabled = change.localAuthEnabled;
    if (change.attributes !== undefined) topic.attributes = change.attributes;
    return topic;
  }

  /** @throws ServiceError when there is none */
  listKeys(id: string): TopicKeys {
    return this.#required(id).keys();
  }

  /** @throws ServiceError when there is none */
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
    return this.list().find((topic) => `/${hostOf(topic)}/api/events` === path.toLowerCase());
  }

  /** @internal */
  remember(topic: Topic, event: AcceptedEvent): void {
    this.#histories.get(topic)?.add(event, event.sizeInBytes);
  }

  /** @internal */
  forgetEvents(): void {
    for (const topic of this.list()) this.#histories.get(topic)?.clear();
  }

  #required(id: string): Topic {
    const topic = this.get(id);
    if (topic) return topic;
    throw new ServiceError(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
  }
}

function topicId(subscriptionId: string, resourceGroupName: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/topics/${name}`;
}

function hostOf(topic: Topic): string {
  return `${topic.name}.${topic.location}-1`.toLowerCase();
}
