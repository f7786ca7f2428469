import { randomBytes } from "node:crypto";
import type { AcceptedEvent } from "../event.js";

export type TopicKeyName = "key1" | "key2";

/** What publishers send. A topic of the older schema, or of one of its own, refuses CloudEvents. */
export type InputSchema = "CloudEventSchemaV1_0" | "EventGridSchema" | "CustomEventSchema";

export interface TopicKeys {
  readonly key1: string;
  readonly key2: string;
}

/** A custom topic. */
export class Topic {
  readonly inputSchema: InputSchema;
  /** Whether publishers may use its keys; without, only Entra's tokens open it. */
  localAuthEnabled: boolean;
  /** What else Resource Manager was told about it, kept as it came. */
  attributes: Readonly<Record<string, unknown>>;
  #keys: TopicKeys;

  constructor(
    /** Its resource ID. */
    readonly id: string,
    readonly name: string,
    readonly resourceGroupName: string,
    readonly location: string,
    /** Where `create` publishes. */
    readonly endpoint: string,
    private readonly history: () => readonly AcceptedEvent[],
    settings: {
      readonly accessKey?: string | undefined;
      readonly localAuthEnabled?: boolean | undefined;
      readonly inputSchema?: InputSchema | undefined;
      readonly attributes?: Readonly<Record<string, unknown>> | undefined;
    },
  ) {
    this.#keys = { key1: settings.accessKey ?? newKey(), key2: newKey() };
    this.inputSchema = settings.inputSchema ?? "CloudEventSchemaV1_0";
    this.localAuthEnabled = settings.localAuthEnabled ?? true;
    this.attributes = settings.attributes ?? {};
  }

  /** The first of its two keys. */
  get accessKey(): string {
    return this.#keys.key1;
  }

  keys(): TopicKeys {
    return this.#keys;
  }

  /** Makes a new key; the old one opens the topic no more. */
  regenerateKey(name: TopicKeyName): TopicKeys {
    this.#keys = { ...this.#keys, [name]: newKey() };
    return this.#keys;
  }

  /** What it took in, the oldest first, as far as the cloud's history reaches. */
  events(): readonly AcceptedEvent[] {
    return this.history();
  }
}

function newKey(): string {
  return randomBytes(32).toString("base64");
}
