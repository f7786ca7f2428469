import type { ConnectionOptions } from "node:tls";
import type { Dispatcher } from "undici";
import { environmentProxy } from "../network/index.js";
import { connectionFailure } from "./failures.js";
import { environmentAgent, shownProxy, tunnels, undici } from "./proxy.js";

/** TLS options of Node, for the connection to the topic. */
export type TlsOptions = Pick<
  ConnectionOptions,
  | "ca"
  | "cert"
  | "checkServerIdentity"
  | "ciphers"
  | "key"
  | "maxVersion"
  | "minVersion"
  | "passphrase"
  | "pfx"
  | "rejectUnauthorized"
  | "servername"
>;

/** How requests reach the topic. */
export interface TransportOptions {
  /**
   * URL of an HTTP proxy for all requests; `false` to use none.
   * @default the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except for the hosts of `NO_PROXY` and for a
   * topic on this machine
   */
  readonly proxy?: string | URL | false | undefined;
  /**
   * Trusted authorities and the client's certificate: `ca`, `cert`, `key` and others.
   * @default Node's
   */
  readonly tls?: TlsOptions | undefined;
  /**
   * A dispatcher of undici 7 that sends all requests, instead of `proxy` and `tls`: for interceptors,
   * a pool of your own, or a mock. The publisher does not close it.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * An idle connection is reused for this long. Gateways drop idle connections without notice after a
 * few minutes, and a request on a dropped connection has to be sent again.
 */
const KEEP_ALIVE_MS = 60_000;

/** Connections to the topic. They are kept open between requests. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** The proxy that requests may go through, without its credentials. */
  readonly proxy: string | undefined;
  close(): Promise<void>;
}

/** @param isLoopback whether the topic is on this machine, which no proxy of the environment reaches */
export function connectionsTo(
  isLoopback: boolean,
  connectTimeoutMs: number,
  { tls, dispatcher, proxy }: TransportOptions = {},
): Connections {
  if (dispatcher !== undefined) return { dispatcher, proxy: undefined, close: async () => {} };
  const settings = {
    connect: { ...tls, timeout: connectTimeoutMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  // Through a proxy, the options for the topic's TLS have another name.
  const proxied = { ...settings, ...(tls && { requestTls: tls }), factory: tunnels };
  const { Agent, ProxyAgent } = undici();
  const opened = (agent: Dispatcher, through?: string | URL) => ({
    dispatcher: agent,
    proxy: shownProxy(through),
    close: () => agent.destroy(),
  });
  if (proxy) return opened(new ProxyAgent({ uri: String(proxy), ...proxied }), proxy);
  return proxy === undefined && !isLoopback
    ? opened(environmentAgent(proxied), environmentProxy())
    : opened(new Agent(settings));
}

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
        connections ??= connectionsTo(false, connectTimeoutMs);
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
