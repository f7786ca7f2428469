import type { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent } from "undici";

/**
 * The HTTP client, loaded when it is needed first: it is half of the code that a service loads, and
 * listeners without a proxy do not wait for it.
 */
export function undici(): typeof import("undici") {
  return require("undici");
}

/** The proxy did not open a tunnel to the topic. */
export class ProxyError extends Error {
  /** @param isLasting whether the next attempt would fail for the same reason */
  constructor(
    message: string,
    readonly isLasting: boolean,
    cause: Error,
  ) {
    super(message, { cause });
  }
}

/**
 * Creates the connections of a proxy agent.
 *
 * undici fails no queued request for a connection that breaks before it is ready
 * (`UND_ERR_SOCKET`), and connects again at once instead: a proxy that closes the connection on
 * `CONNECT` would get about a thousand of them a second, for as long as the process runs.
 */
export function tunnels(origin: string | URL, options: Agent.Options): Dispatcher {
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
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (status === undefined) return error;
  return status === "407"
    ? new ProxyError("the proxy answers 407: check user and password in its URL", true, error)
    : new ProxyError(`the proxy answers ${status} instead of opening a tunnel`, false, error);
}

/** @throws {Error} when a variable is not a URL; without the cause, which may show a password */
export function environmentAgent(options: EnvHttpProxyAgent.Options): Dispatcher {
  const { EnvHttpProxyAgent } = undici();
  try {
    return new EnvHttpProxyAgent(options);
  } catch {
    throw new Error("HTTPS_PROXY or HTTP_PROXY is not a URL such as http://proxy.example.com:3128");
  }
}

/** A proxy's URL for messages, without its user and password. */
export function shownProxy(proxy: string | URL | undefined): string | undefined {
  if (!proxy || !URL.canParse(String(proxy))) return undefined;
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
}
