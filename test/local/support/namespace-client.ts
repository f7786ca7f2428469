export const VERSION = "api-version=2024-06-01";

/** Paths of requests for the topic `orders` and its event subscription `queue`. */
export const PUBLISH = `orders:publish?${VERSION}`;
export const RECEIVE = `orders/eventsubscriptions/queue:receive?${VERSION}`;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The header `broker-errorcode`. */
  readonly code: string | null;
  /** Members of the body's `error`. */
  readonly error: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The events of a receive request. */
  readonly value: readonly {
    readonly brokerProperties: { readonly lockToken: string; readonly deliveryCount: number };
    readonly event: Readonly<Record<string, unknown>>;
  }[];
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
 * Requests to a namespace's data plane with its key, unless their headers have other credentials.
 *
 * @param topic the topic that paths call `orders`
 */
export function namespaceClient(
  namespace: { readonly endpoint: string; readonly accessKey: string },
  topic = "orders",
) {
  const url = (path: string) => `${namespace.endpoint}/topics/${path.replace(/^orders\b/, topic)}`;
  const send = async ({ path = PUBLISH, body, headers, method = "POST" }: NamespaceRequest) => {
    const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(url(path), {
      method,
      headers: { authorization: `SharedAccessKey ${namespace.accessKey}`, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = JSON.parse(text || "{}");
    return {
      status: response.status,
      headers: response.headers,
      code: response.headers.get("broker-errorcode"),
      error: parsed.error ?? {},
      text,
      body: parsed,
      value: parsed.value ?? [],
    } as Reply;
  };
  return {
    url,
    send,
    publishOne: (body: unknown, type = "application/cloudevents+json; charset=utf-8") =>
      send({ body, headers: { "content-type": type } }),
    publishAll: (body: readonly object[]) =>
      send({
        body,
        headers: { "content-type": "application/cloudevents-batch+json; charset=utf-8" },
      }),
    receive: (query = "") => send({ path: `${RECEIVE}&${query}` }),
    settle: (operation: string, ...lockTokens: (string | undefined)[]) => {
      const [name = "", query = VERSION] = operation.split("?");
      return send({
        path: `orders/eventsubscriptions/queue:${name}?${query}`,
        body: { lockTokens },
        headers: { "content-type": "application/json" },
      });
    },
  };
}
