/**
 * The proxy that a request goes through, without its credentials; undefined where there is none.
 *
 * @param agent what the SDK's pipeline has chosen for the request: proxies are agents to it
 */
export function proxyOf(agent: unknown): string | undefined {
  if (typeof agent !== "object" || agent === null || !("proxy" in agent)) return undefined;
  const { proxy } = agent;
  return proxy instanceof URL ? `${proxy.protocol}//${proxy.host}` : undefined;
}

/** An error says that a proxy was between: what it tells is often the proxy's, not the topic's. */
export function throughProxy(proxy: string | undefined): string {
  if (proxy === undefined) return "";
  return ` (through the proxy ${proxy}; NO_PROXY names the hosts that the environment's proxy is not for)`;
}

/** There was no answer, and a proxy was between. */
export class ProxiedError extends Error {
  constructor(
    readonly proxy: string,
    override readonly cause: unknown,
  ) {
    super("the request failed behind a proxy", { cause });
  }
}
