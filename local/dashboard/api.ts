import type {
  DeadLetterDetails,
  EventDetails,
  ExportedFile,
  FaultDetails,
  NamespaceDetails,
  Overview,
  QueuedEventDetails,
  ReceivedEventDetails,
  Resources,
} from "../src/dashboard/protocol.js";
import type { ReplayMessage } from "../src/remote/index.js";

/** What `POST /local/replay` takes. */
export interface ReplayRequest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly speed: number | "max";
  readonly topic?: string;
}

/** What the page does with events that receivers have locked. */
export type Settlement = "acknowledge" | "release" | "reject";

/** Where publishers send events to, with a key. */
export interface PublishTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An error response, with the server's own message. */
export class RefusedError extends Error {}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method,
    ...(body
      ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
      : {}),
  });
  const text = await response.text();
  const json = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) {
    throw new RefusedError(json?.error?.message ?? `${response.status} ${response.statusText}`);
  }
  return json;
}

const get = <T>(path: string) => call<T>("GET", `/local/${path}`);
const post = <T = void>(path: string, body: object = {}) => call<T>("POST", `/local/${path}`, body);

export const api = {
  overview: () => get<Overview>("overview"),
  resources: () => get<Resources>("resources"),
  namespaces: () => get<NamespaceDetails[]>("namespaces"),
  event: (number: number) => get<EventDetails>(`event?number=${number}`),
  deadLetters: () => get<DeadLetterDetails[]>("dead-letter-details"),
  faults: () => get<FaultDetails[]>("faults"),

  resend: (event: number | string, subscription?: string) =>
    post<{ subscriptions: string[] }>("resend", { event, subscription }),
  retry: (event?: number, subscription?: string) =>
    post<{ deliveries: number }>("retry", { event, subscription }),
  handshake: (subscription: string) => post("handshake", { subscription }),
  regenerateKey: (topic: string, key: "key1" | "key2") =>
    post("topics/regenerate-key", { topic, key }),
  regenerateNamespaceKey: (namespace: string, key: "key1" | "key2") =>
    post("namespaces/regenerate-key", { namespace, key }),
  export: (events: readonly number[], as: "recording" | "testCase") =>
    post<ExportedFile>("export", { events, as }),
  queuedEvents: (subscription: string) =>
    get<QueuedEventDetails[]>(`namespaces/events?subscription=${encodeURIComponent(subscription)}`),
  receive: (subscription: string, maxEvents: number) =>
    post<ReceivedEventDetails[]>("namespaces/receive", { subscription, maxEvents }),
  settle: (subscription: string, operation: Settlement, lockToken: string) =>
    post<{ failedLockTokens: { error: { message: string } }[] }>("namespaces/settle", {
      subscription,
      operation,
      lockTokens: [lockToken],
    }),
  emit: (event: object) => post<{ id: string }>("emit", event),
  rotateKeys: (retire: boolean) => post("keys/rotate", { retire }),
  advance: (seconds: number) => post("advance", { seconds }),
  drain: () => post("drain", { within: { seconds: 20 } }),
  reset: () => post("reset"),
  addFault: (kind: string, settings: object) => post(`faults/${kind}`, settings),
  clearFaults: () => call<void>("DELETE", "/local/faults"),

  /** Replays files until their end, or until the signal aborts. */
  async replay(
    request: ReplayRequest,
    signal: AbortSignal,
    onProgress: (replayed: number) => void,
  ): Promise<Extract<ReplayMessage, { readonly result: unknown }>["result"]> {
    const response = await fetch("/local/replay", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    if (!response.ok) throw await refusal(response);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (reader) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const data of messages) {
        const message: ReplayMessage = JSON.parse(data.replace(/^data: /, ""));
        if ("result" in message) return message.result;
        if ("error" in message) throw new RefusedError(message.error.message);
        onProgress(message.replayed);
      }
    }
    throw new RefusedError("The local Azure stopped during the replay.");
  },

  /** Publishes like any client. */
  async publish(target: PublishTarget, contentType: string, body: string): Promise<void> {
    // The page's own origin serves every topic; the endpoint may name another host.
    const { pathname, search } = new URL(target.url);
    const response = await fetch(`${pathname}${search}`, {
      method: "POST",
      headers: { ...target.headers, "content-type": contentType },
      body,
    });
    if (response.ok) return;
    throw await refusal(response);
  },
};

async function refusal(response: Response): Promise<RefusedError> {
  const json = await response.json().catch(() => undefined);
  return new RefusedError(json?.error?.message ?? `${response.status} ${response.statusText}`);
}
