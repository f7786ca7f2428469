import { environmentProxy } from "../network/index.js";
import type { ClosableFetch } from "../transport/index.js";

/**
 * Node's `fetch`, or one that uses the proxy of the environment if there is one. Only then are the
 * transport and its HTTP client loaded.
 *
 * @param isLoopback whether it is for this machine, which no proxy of the environment reaches
 */
export function environmentFetch(isLoopback: boolean, connectTimeoutMs: number): ClosableFetch {
  if (isLoopback || !environmentProxy()) return { fetch, close: async () => {} };
  let loaded: Promise<ClosableFetch> | undefined;
  const load = async () => (await import("../transport/index.js")).proxiedFetch(connectTimeoutMs);
  return {
    async fetch(url, init) {
      loaded ??= load();
      return (await loaded).fetch(url, init);
    },
    close: async () => (await loaded)?.close(),
  };
}
