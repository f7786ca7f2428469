import { isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { UsageError } from "./terminal/index.js";

/**
 * The proxy for a URL: that of `HTTPS_PROXY`, unless `NO_PROXY` names the host. Either name may be
 * in lower case, and the proxy's scheme is `http` if it has none, as with curl. What runs on this
 * machine needs none.
 *
 * @throws {UsageError} without the proxy's URL, which may contain credentials
 */
export function proxyFor(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  const proxy = env.https_proxy || env.HTTPS_PROXY;
  if (!proxy || url.protocol !== "https:" || isLoopback(url)) return undefined;
  const excluded = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  if (excluded.some((entry) => covers(entry.toLowerCase(), url))) return undefined;
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) {
    throw new UsageError("HTTPS_PROXY must be the URL of a proxy, such as http://proxy:3128");
  }
  return new URL(text);
}

/** An entry is `*`, or a host name with or without a port; it includes the subdomains. */
function covers(entry: string, { hostname, port }: URL): boolean {
  if (entry === "*") return true;
  const [, name = "", entryPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== (port || "443")) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}
