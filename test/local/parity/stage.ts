import type { BlobServiceClient } from "@azure/storage-blob";
import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryAttempt,
  EventSubscription,
  LocalCloud,
  Namespace,
  NamespaceSubscription,
  NamespaceTopic,
  NewEventSubscription,
  NewNamespaceSubscription,
  NewNamespaceTopic,
  NewTopic,
  Topic,
} from "cloud-eventgrid-local";
import { type Call, finished, type ManagementAnswer } from "../support/management-client.js";
import type { ReceivedRequest, Webhook } from "../support/webhook.js";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `error` of the body; empty for an answer without one. */
  readonly error: { readonly code?: string; readonly message?: string; readonly details?: unknown };
}

/** What happened to the events of one subscription. */
export interface Outcome {
  readonly requests: readonly ReceivedRequest[];
  readonly attempts: readonly DeliveryAttempt[];
  readonly deadLetters: readonly DeadLetter[];
  /** Seconds between the attempts. */
  readonly waits: readonly number[];
}

export interface Delivery {
  readonly topic?: Partial<NewTopic>;
  readonly subscription?: Partial<NewEventSubscription>;
  readonly events?: readonly object[];
  /** Statuses of the webhook, one for each delivery; 200 after the last. */
  readonly answers?: readonly number[];
}

/** Where rows expect the webhook. */
export const ORIGIN = "https://parity.example.com";

export const SINGLE = "application/cloudevents+json";
export const BATCH = "application/cloudevents-batch+json";

export const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/parity";

export const OTHER_SUBSCRIPTION = "44444444-4444-4444-8444-444444444444";

/** A CloudEvent with the required attributes by default. */
export function cloudEvent(attributes: object = {}): object {
  return { specversion: "1.0", id: "1", source: "/shop", type: "shop.placed", ...attributes };
}

/** An event of the Event Grid schema with the required attributes by default. */
export function gridEvent(attributes: object = {}): object {
  return {
    id: "1",
    subject: "orders/1",
    eventType: "shop.placed",
    eventTime: "2026-01-31T07:00:00Z",
    data: {},
    ...attributes,
  };
}

/** An event for a topic. */
export const eventFor = (inputSchema: Topic["inputSchema"]): object =>
  inputSchema === "EventGridSchema" ? gridEvent() : cloudEvent();

/** Azurite behind a local Azure. */
export interface Storage {
  readonly service: BlobServiceClient;
  /** All events so far, in their sequence. */
  readonly events: () => Promise<AcceptedEvent[]>;
  readonly stop: () => Promise<void>;
}

/** What rows use of a topic. */
export type StageTopic = Pick<
  Topic,
  "id" | "name" | "location" | "endpoint" | "inputSchema" | "accessKey" | "keys"
>;

/** What rows use of an event that was pulled. */
export interface StageEvent {
  readonly event: Pick<AcceptedEvent, "id" | "schema" | "json">;
  readonly lockToken: string;
  readonly deliveryCount: number;
}

/** What rows use of a namespace with one topic and its event subscription. */
export interface StageQueue {
  readonly namespace: Pick<
    Namespace,
    "id" | "name" | "endpoint" | "accessKey" | "keys" | "regenerateKey" | "topics"
  >;
  readonly topic: Pick<
    NamespaceTopic,
    "id" | "name" | "keys" | "subscriptions" | "eventRetentionInDays"
  >;
  readonly queue: Pick<
    NamespaceSubscription,
    "name" | "settings" | "counts" | "acknowledge" | "renewLocks"
  > & { receive(options?: { readonly maxEvents?: number }): Promise<StageEvent[]> };
}

/** What rows use of an event subscription. */
export type StageSubscription = Pick<EventSubscription, "id" | "name" | "settings">;

export interface Publication {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly method?: string;
}

/**
 * Where rows run: a local Azure, or a subscription, in which `npm run azure` runs those that need no
 * clock, no faults and nothing else that only the local Azure has.
 */
export interface Stage {
  /** The local Azure. A row that needs it cannot run in a subscription. */
  readonly cloud: LocalCloud;
  readonly webhook: Pick<Webhook, "url" | "requests" | "answer">;
  /** Another Azure subscription, beside the one of all rows. */
  readonly otherSubscriptionId: string;

  /** Storage whose operations raise events: Azurite, started with the first row that needs it. */
  storage(): Promise<Storage>;
  newName(): string;
  newTopic(options?: Partial<NewTopic>): Promise<StageTopic>;
  /** A topic that rows share. */
  topicFor(inputSchema: NonNullable<NewTopic["inputSchema"]>): StageTopic;
  /** A namespace with the topic `orders` and its event subscription `queue`, or with other names. */
  newQueue(
    settings?: Partial<NewNamespaceSubscription>,
    topicSettings?: Partial<NewNamespaceTopic>,
  ): Promise<StageQueue>;
  /** Subscribes the webhook at a path of its own. */
  subscribe(scope: string, settings?: Partial<NewEventSubscription>): Promise<StageSubscription>;
  /** The URL of the webhook at a path of its own, which answers with these statuses, then with 200. */
  answering(name: string, statuses: readonly number[]): string;
  /** Publishes events to a new topic with one subscription, and waits until nothing is pending. */
  deliver(delivery?: Delivery): Promise<Outcome>;
  /** What has happened so far. */
  outcomeOf(subscriptionId: string, path: string): Outcome;
  /** The content of the dead letter's blob in the container `dead` of a storage account. */
  blobOf(letter: DeadLetter, account?: string): string;
  /** Whether an event passes a filter. */
  passes(
    inputSchema: NonNullable<NewTopic["inputSchema"]>,
    filter: NewEventSubscription["filter"],
    event: object,
    eventDeliverySchema?: NewEventSubscription["eventDeliverySchema"],
  ): Promise<boolean>;
  /** Creates a subscription and returns why it is refused; `undefined` if it is not. */
  refusalOf(settings: Partial<NewEventSubscription>): Promise<number | undefined>;
  publish(
    topic: Pick<Topic, "endpoint" | "accessKey" | "inputSchema">,
    content: unknown,
    publication?: Publication,
  ): Promise<Answer>;
  /** Calls Resource Manager as the deployer. */
  call(...request: Parameters<Call>): ReturnType<Call>;
}

/** Publishes to a topic with its key. */
export async function publish(
  topic: Pick<Topic, "endpoint" | "accessKey" | "inputSchema">,
  content: unknown,
  { headers = {}, query = "", method = "POST" }: Publication = {},
): Promise<Answer> {
  const isSingle = topic.inputSchema === "CloudEventSchemaV1_0" && !Array.isArray(content);
  const type = isSingle
    ? SINGLE
    : topic.inputSchema === "CloudEventSchemaV1_0"
      ? BATCH
      : "application/json";
  const response = await fetch(`${topic.endpoint}${query}`, {
    method,
    headers: { "aeg-sas-key": topic.accessKey, "content-type": type, ...headers },
    ...(method === "GET"
      ? {}
      : { body: typeof content === "string" ? content : JSON.stringify(content) }),
  });
  const text = await response.text();
  const error = response.ok || text === "" ? {} : JSON.parse(text).error;
  return { status: response.status, headers: response.headers, text, error };
}

/** Publishes events. @throws if they are refused */
export async function publishEvents(
  topic: Pick<Topic, "endpoint" | "accessKey" | "inputSchema">,
  events: readonly object[],
): Promise<void> {
  const answer = await publish(topic, events);
  if (answer.status !== 200) throw new Error(answer.text);
}

/** The operation of a call when it has ended. */
export const ended = (stage: Stage, answer: ManagementAnswer): Promise<unknown> =>
  finished((...request) => stage.call(...request), answer);

/** Writes the group, and registers the provider. */
export async function prepared(stage: Stage): Promise<void> {
  await stage.call("PUT", `${GROUP}?api-version=2022-09-01`, { location: "westeurope" });
  const provider = `${GROUP.split("/resourceGroups")[0]}/providers/Microsoft.EventGrid`;
  await stage.call("POST", `${provider}/register?api-version=2022-09-01`);
}

export function statusOf(error: unknown): number | undefined {
  const status: unknown = Object(error).status;
  if (typeof status === "number") return status;
  throw error;
}

/** The one event of a delivery that is an object or an array with one element. */
export function eventIn(request: ReceivedRequest | undefined): Readonly<Record<string, unknown>> {
  const body = JSON.parse(request?.body ?? "null");
  return Array.isArray(body) ? body[0] : body;
}
