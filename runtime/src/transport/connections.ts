import type { Agent, buildConnector, Dispatcher } from "undici";
import { environmentProxy } from "../network.js";
import { MINUTE_MS } from "../units.js";
import { connectionFailure, ProxyError } from "./failures.js";

/**
 * The HTTP client, loaded when it is needed first: it is half of the code that a service loads, and
 * listeners without a proxy do not wait for it.
 */
function undici(): typeof import("undici") {
  // By its file: Bun has a module of its own for the name, which cannot dispatch.
  return require("undici/index.js");
}

/**
 * An idle connection is reused for this long. Gateways drop idle connections without notice after a
 * few minutes, and a request on a dropped connection has to be sent again.
 */
const KEEP_ALIVE_MS = MINUTE_MS;

/** Connections to the topic. They are kept open between requests. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** The proxy that requests may go through, without its credentials. */
  readonly proxy: string | undefined;
  close(): Promise<void>;
}

/**
 * @param isLoopback whether the topic is on this machine, which no proxy of the environment reaches
 * @param dispatcher sends the requests instead, and is not closed
 * @throws {ConfigurationError} when the proxy of the environment is invalid
 */
export function connectionsTo(
  isLoopback: boolean,
  connectTimeoutMs: number,
  dispatcher?: Dispatcher,
): Connections {
  if (dispatcher !== undefined) return { dispatcher, proxy: undefined, close: async () => {} };
  const settings = { connect: { timeout: connectTimeoutMs }, keepAliveTimeout: KEEP_ALIVE_MS };
  const proxy = isLoopback ? undefined : environmentProxy();
  const { Agent, EnvHttpProxyAgent } = undici();
  const agent =
    proxy === undefined
      ? new Agent(settings)
      : // Except to the hosts of `NO_PROXY`.
        new EnvHttpProxyAgent({
          ...settings,
          httpProxy: proxy.href,
          httpsProxy: proxy.href,
          factory: tunnels,
        });
  return { dispatcher: agent, proxy: shownProxy(proxy), close: () => agent.destroy() };
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

/**
 * Creates the connections of a proxy agent.
 *
 * undici fails no queued request for a connection that breaks before it is ready
 * (`UND_ERR_SOCKET`), and connects again at once instead: a proxy that closes the connection on
 * `CONNECT` would get about a thousand of them a second, for as long as the process runs.
 */
function tunnels(origin: string | URL, options: Agent.Options): Dispatcher {
  const { connect } = options;
  const { Pool } = undici();
  return new Pool(origin, {
    ...options,
    ...(typeof connect === "function" && { connect: withProxyErrors(connect) }),
  });
}

function withProxyErrors(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(proxyError(error), null);
    });
}

function proxyError(error: Error): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "UND_ERR_SOCKET" || code === "UND_ERR_INFO") {
    const message = "the proxy closed the connection instead of opening a tunnel";
    return new ProxyError(message, false, error);
  }
  const status = /Proxy response \((\d*)\)/.exec(error.message)?.[1];
  if (status === undefined) return error;
  return status === "407"
    ? new ProxyError("the proxy answers 407: check user and password in its URL", true, error)
    : new ProxyError(`the proxy answers ${status} instead of opening a tunnel`, false, error);
}

/** A proxy's URL for messages, without its user and password. */
function shownProxy(proxy: URL | undefined): string | undefined {
  return proxy && `${proxy.protocol}//${proxy.host}`;
}
