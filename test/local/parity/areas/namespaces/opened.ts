import type { NewNamespaceSubscription, NewNamespaceTopic } from "cloud-eventgrid-local";
import type { Row, Source } from "../../row.js";
import {
  BATCH,
  cloudEvent,
  GROUP,
  SINGLE,
  type Stage,
  type StageEvent,
  type StageQueue,
  statusOf,
} from "../../stage.js";

export const VERSION = "api-version=2024-06-01";
export const PROVIDER = `${GROUP.split("/resourceGroups")[0]}/providers/Microsoft.EventGrid`;

/** A page of Microsoft's documentation as a whole. */
export function page(path: string, section: string): Source {
  return { page: `https://learn.microsoft.com/azure/event-grid/${path}`, section };
}

/** Requests and responses of the real service, which Microsoft's SDKs replay in their tests. */
export const RECORDINGS: Source = {
  page: "https://github.com/Azure/azure-sdk-assets",
  section: "Recordings of the SDKs' tests",
};
export const SPECIFICATION: Source = {
  page: "https://github.com/Azure/azure-rest-api-specs",
  section: "Specification of the data plane",
};
export const MODEL: Source = {
  page: "https://github.com/Azure/azure-rest-api-specs",
  section: "Specification of Resource Manager",
};
export const OPERATIONS = page("subscriber-operations", "Subscriber operations");
export const LIMITS = page("quotas-limits", "Quotas and limits");
export const CONCEPTS = page("concepts-event-grid-namespaces", "Namespace concepts");
export const DEAD_LETTERS = page(
  "dead-letter-event-subscriptions-namespace-topics",
  "Dead letters of namespace topics",
);
export const RETRIES = page("namespace-delivery-retry", "Namespace delivery and retry");

export interface Reply {
  readonly status: number;
  /** The header `broker-errorcode`. */
  readonly code: string | null;
  readonly contentType: string | null;
  /** Members of the body's `error`. */
  readonly error: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Headers = Readonly<Record<string, string>>;

/**
 * A namespace with a topic and its event subscription, which paths of requests call `orders` and
 * `queue`.
 */
export class Opened {
  private constructor(
    readonly stage: Stage,
    readonly namespace: StageQueue["namespace"],
    readonly topic: StageQueue["topic"],
    readonly queue: StageQueue["queue"],
  ) {}

  static async open(
    stage: Stage,
    settings: Partial<NewNamespaceSubscription> = {},
    topicSettings: Partial<NewNamespaceTopic> = {},
  ): Promise<Opened> {
    const { namespace, topic, queue } = await stage.newQueue(settings, topicSettings);
    return new Opened(stage, namespace, topic, queue);
  }

  /** Sends a request with the namespace's key, unless the headers have other credentials. */
  async send(path: string, body?: unknown, headers: Headers = {}, method = "POST"): Promise<Reply> {
    const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(this.url(path), {
      method,
      headers: { authorization: `SharedAccessKey ${this.namespace.accessKey}`, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const parsed = JSON.parse((await response.text()) || "{}");
    return {
      status: response.status,
      code: response.headers.get("broker-errorcode"),
      contentType: response.headers.get("content-type"),
      error: parsed.error ?? {},
      body: parsed,
    };
  }

  url(path: string): string {
    return `${this.namespace.endpoint}/topics/${path.replace(/^orders\b/, this.topic.name)}`;
  }

  publish(attributes: object = {}, type = SINGLE): Promise<Reply> {
    const event = cloudEvent({ data: {}, ...attributes });
    return this.send(`orders:publish?${VERSION}`, event, { "content-type": type });
  }

  publishAll(events: readonly object[]): Promise<Reply> {
    return this.send(`orders:publish?${VERSION}`, events, { "content-type": BATCH });
  }

  /** Publishes in binary mode, and returns the event that a receiver gets. */
  async publishBinary(
    type: string,
    body: string | Uint8Array,
    headers: Headers = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    await this.send(`orders:publish?${VERSION}`, body, {
      "content-type": type,
      ...{ "ce-id": "1", "ce-source": "/s", "ce-type": "t", "ce-specversion": "1.0" },
      ...headers,
    });
    return JSON.parse((await this.first())?.event.json ?? "{}");
  }

  receive(query = ""): Promise<Reply> {
    return this.send(`orders/eventsubscriptions/queue:receive?${VERSION}${query}`);
  }

  settle(operation: string, ...lockTokens: (string | undefined)[]): Promise<Reply> {
    const [name = "", query = VERSION] = operation.split("?");
    const path = `orders/eventsubscriptions/queue:${name}?${query}`;
    return this.send(path, { lockTokens }, { "content-type": "application/json" });
  }

  async first(): Promise<StageEvent | undefined> {
    return (await this.queue.receive())[0];
  }

  /** Publishes an event and receives it. */
  async locked(): Promise<string> {
    await this.publish();
    return (await this.first())?.lockToken ?? "";
  }

  deadLetters() {
    const isHere = ({ blob }: { readonly blob: string }) =>
      blob.startsWith(`${this.namespace.name}/`);
    return this.stage.cloud.deadLetters().filter(isHere);
  }
}

/** The documented result, or what the row says about it. */
export type Finding = string | Pick<Row, "documented" | "differs" | "unknown">;

export function textsOf(finding: Finding): Pick<Row, "documented" | "differs" | "unknown"> {
  return typeof finding === "string" ? { documented: finding } : finding;
}

/** Nothing documents the result. */
export function open(local: string): Finding {
  return { documented: "open", unknown: local };
}

/** A row about a namespace with a topic and a queue. */
export function row(
  source: Source,
  input: string,
  finding: Finding,
  result: unknown,
  run: (opened: Opened) => unknown,
  settings?: Partial<NewNamespaceSubscription>,
): Row {
  return {
    source,
    input,
    ...textsOf(finding),
    run: async (stage) => run(await Opened.open(stage, settings)),
    result,
  };
}

/** A row about the settings of an event subscription: `undefined` if they are accepted, or 400. */
export function setting(
  source: Source,
  input: string,
  finding: Finding,
  result: 400 | undefined,
  settings: Partial<NewNamespaceSubscription>,
): Row {
  return {
    source,
    input,
    ...textsOf(finding),
    run: (stage) => Opened.open(stage, settings).then(() => undefined, statusOf),
    result,
  };
}

/** Codes of the failed tokens of a lock operation. */
export function failedCodes({ body }: Reply): string[] {
  const failed: unknown = body.failedLockTokens;
  return Array.isArray(failed) ? failed.map(({ error }) => error.code) : [];
}
