import { randomBytes } from "node:crypto";
import { invalidRequest } from "../../errors.js";
import type { AcceptedEvent } from "../event.js";
import type { History } from "../history.js";

export type TopicKeyName = "key1" | "key2";

/** What publishers send. A topic of the older schema, or of one of its own, refuses CloudEvents. */
export type InputSchema = "CloudEventSchemaV1_0" | "EventGridSchema" | "CustomEventSchema";

export interface TopicKeys {
  readonly key1: string;
  readonly key2: string;
}

/** A custom topic to be made. */
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

/** A custom topic. */
export class Topic {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  readonly resourceGroupName: string;
  readonly location: string;
  /** Where `create` publishes. */
  readonly endpoint: string;
  readonly inputSchema: InputSchema;
  /** Whether publishers may use its keys; without, only Entra's tokens open it. */
  localAuthEnabled: boolean;
  /** What else Resource Manager was told about it, kept as it came. */
  attributes: Readonly<Record<string, unknown>>;
  readonly #history: History<AcceptedEvent>;
  #keys: TopicKeys;

  constructor(
    props: NewTopic,
    cloud: {
      readonly subscriptionId: string;
      readonly origin: () => string;
      readonly newHistory: () => History<AcceptedEvent>;
    },
  ) {
    const { name, resourceGroupName = "local", location = "westeurope" } = props;
    this.id = `/subscriptions/${cloud.subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/topics/${name}`;
    this.name = name;
    this.resourceGroupName = resourceGroupName;
    this.location = location;
    this.endpoint = `${cloud.origin()}${this.path}`;
    this.inputSchema = props.inputSchema ?? "CloudEventSchemaV1_0";
    this.localAuthEnabled = props.localAuthEnabled ?? true;
    this.attributes = props.attributes ?? {};
    this.#history = cloud.newHistory();
    this.#keys = { key1: props.accessKey ?? newKey(), key2: newKey() };
  }

  /** The first of its two keys. */
  get accessKey(): string {
    return this.#keys.key1;
  }

  /** The endpoint's path, which begins with what is a host name in Azure. */
  get path(): string {
    return `/${this.name}.${this.location}-1/api/events`.toLowerCase();
  }

  keys(): TopicKeys {
    return this.#keys;
  }

  /**
   * Makes a new key; the old one opens the topic no more.
   *
   * @throws ServiceError when there is no key of that name
   */
  regenerateKey(name: TopicKeyName): TopicKeys {
    this.#keys = { ...this.#keys, [topicKeyName(name)]: newKey() };
    return this.#keys;
  }

  /** What it took in, the oldest first, as far as the cloud's history reaches. */
  events(): AcceptedEvent[] {
    return this.#history.list();
  }

  /** @internal */
  remember(event: AcceptedEvent): void {
    this.#history.add(event, event.sizeInBytes);
  }

  /** @internal */
  forgetEvents(): void {
    this.#history.clear();
  }
}

/** @throws ServiceError when a topic has no key of that name */
export function topicKeyName(name: unknown): TopicKeyName {
  if (name === "key1" || name === "key2") return name;
  throw invalidRequest(`The key name '${name}' is invalid. It must be key1 or key2.`);
}

function newKey(): string {
  return randomBytes(32).toString("base64");
}
