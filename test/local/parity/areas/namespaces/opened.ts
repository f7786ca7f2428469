import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import { type Row, rowsThat, type Source } from "../../row.js";
import {
  BATCH,
  cloudEvent,
  SINGLE,
  type Stage,
  type StageEvent,
  type StageQueue,
  statusOf,
} from "../../stage.js";

export const VERSION = "api-version=2024-06-01";
/** Paths of requests, with names that `Opened` replaces. */
export const PUBLISH = `orders:publish?${VERSION}`;
export const RECEIVE = `orders/eventsubscriptions/queue:receive?${VERSION}`;

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

export interface NamespaceRequest {
  /** After `/topics/`; by default publishing. */
  readonly path?: string;
  /** JSON, unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

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
  ): Promise<Opened> {
    const { namespace, topic, queue } = await stage.newQueue(settings);
    return new Opened(stage, namespace, topic, queue);
  }

  /** Sends a request with the namespace's key, unless the headers have other credentials. */
  async send({ path = PUBLISH, body, headers, method = "POST" }: NamespaceRequest): Promise<Reply> {
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
    const body = cloudEvent({ data: {}, ...attributes });
    return this.send({ body, headers: { "content-type": type } });
  }

  publishAll(body: readonly object[]): Promise<Reply> {
    return this.send({ body, headers: { "content-type": BATCH } });
  }

  receive(query = ""): Promise<Reply> {
    return this.send({ path: `${RECEIVE}${query}` });
  }

  settle(operation: string, ...lockTokens: (string | undefined)[]): Promise<Reply> {
    const [name = "", query = VERSION] = operation.split("?");
    const path = `orders/eventsubscriptions/queue:${name}?${query}`;
    const headers = { "content-type": "application/json" };
    return this.send({ path, body: { lockTokens }, headers });
  }

  async first(): Promise<StageEvent | undefined> {
    return (await this.queue.receive())[0];
  }

  /** Publishes an event and receives it. */
  async locked(): Promise<string> {
    await this.publish();
    return (await this.first())?.lockToken ?? "";
  }

  advance(seconds: number): Promise<void> {
    return this.stage.cloud.clock.advance({ seconds });
  }

  deadLetters() {
    const isHere = ({ blob }: { readonly blob: string }) =>
      blob.startsWith(`${this.namespace.name}/`);
    return this.stage.cloud.deadLetters().filter(isHere);
  }
}

type Settings = Partial<NewNamespaceSubscription>;

/** A row about a namespace with a topic and a queue. */
export const queue = rowsThat((stage, settings?: Settings) => Opened.open(stage, settings));

/** A row about the settings of an event subscription: `undefined` if they are accepted, or 400. */
export const setting = rowsThat((stage, settings?: Settings) =>
  Opened.open(stage, settings).then(() => undefined, statusOf),
);

/** A row about the reply to one request. */
export const request = rowsThat(async (stage, of: NamespaceRequest = {}) =>
  (await Opened.open(stage)).send(of),
);

export const statusIn = ({ status }: Reply) => status;
export const codeIn = ({ code }: Reply) => code;

/** A row about a request that is refused, with its status, code and message. */
export const refusal = (
  input: string,
  of: NamespaceRequest,
  status: number,
  code: string,
  message: string,
): Row =>
  request(RECORDINGS, input)
    .documented(`${status} \`${code}\`, “${message}”`)
    .with(of)
    .gives([status, code, message], (reply) => [reply.status, reply.code, reply.error.message]);
