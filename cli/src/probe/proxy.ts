import { request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { isLoopback } from "./target.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a webhook: that of `HTTPS_PROXY`, unless `NO_PROXY` names the host. Either name may be
 * in lower case. Webhooks of this machine need no proxy.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const proxy = env.https_proxy || env.HTTPS_PROXY;
  if (!proxy || url.protocol !== "https:" || isLoopback(url.hostname)) return undefined;
  const excluded = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  if (excluded.some((entry) => covers(entry.toLowerCase(), url))) return undefined;
  return URL.canParse(proxy) ? new URL(proxy) : undefined;
}

/** An entry is `*`, or a host name with or without a port; it includes the subdomains. */
function covers(entry: string, { hostname, port }: URL): boolean {
  if (entry === "*") return true;
  const [, name = "", entryPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== (port || "443")) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** Refused by the proxy itself. */
export class ProxyRefusal extends Error {
  readonly code = "ERR_PROXY_REFUSED";
}

/** Connects to the webhook's host through the proxy. */
export function tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const send = proxy.protocol === "https:" ? secureRequest : request;
  const target = `${url.hostname}:${url.port || "443"}`;
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve, reject) => {
    const outgoing = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(username !== "" && {
          "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}`,
        }),
      },
    });
    outgoing.on("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ProxyRefusal(`the proxy ${proxy.host} answers ${statusCode}`));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
