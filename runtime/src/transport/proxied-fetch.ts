import { Connections } from "./connections.js";
import { connectionFailure } from "./failures.js";
import { undici } from "./undici.js";

/** As much of `fetch` as documents need. */
export type Fetch = (
  url: string | URL,
  init: {
    readonly method?: "POST";
    readonly headers?: Record<string, string>;
    readonly redirect: "error";
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** A `fetch` whose connections can be closed. */
export interface ClosableFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** `fetch` through the proxy of the environment, which Node's own ignores. */
export function proxiedFetch(connectTimeoutMs: number): ClosableFetch {
  let connections: Connections | undefined;
  return {
    async fetch(url, init) {
      try {
        connections ??= new Connections(false, connectTimeoutMs);
        const { dispatcher } = connections;
        return await undici().fetch(url, { ...init, dispatcher });
      } catch (error) {
        if (!(error instanceof Error) || init.signal.aborted) throw error;
        const { message } = connectionFailure(error.cause ?? error, connections?.proxy);
        throw new TypeError("fetch failed", { cause: new Error(message) });
      }
    },
    close: async () => connections?.close(),
  };
}
