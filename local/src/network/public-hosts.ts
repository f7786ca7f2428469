import type { ServerNames } from "./server-names.js";

/** Hosts of Azure's public cloud that the proxy serves locally. */
const HOSTS = new Set([
  "login.microsoftonline.com",
  "login.windows.net",
  "sts.windows.net",
  "management.azure.com",
  "management.core.windows.net",
  "graph.microsoft.com",
]);

/**
 * Hosts of topics: public ones, for example `orders.westeurope-1.eventgrid.azure.net`, and local
 * ones, `orders.westeurope-1.eventgrid.localhost`.
 */
const TOPIC_HOST = /^([a-z0-9-]+\.[a-z0-9]+-\d+)\.eventgrid\.(?:azure\.net|localhost)$/;

/**
 * Whether the host is a topic's or one of Azure's: the server has a certificate for it, and the
 * proxy serves it instead of forwarding the connection.
 */
export function isPublicHost(host: string): boolean {
  return HOSTS.has(host.toLowerCase()) || TOPIC_HOST.test(host.toLowerCase());
}

/** The first path segment of a topic's local endpoint, by its host. */
export function topicSegmentOf(host: string): string | undefined {
  return TOPIC_HOST.exec(host.toLowerCase())?.[1];
}

/**
 * The topic's host on this machine, by the path of its endpoint. Some clients keep only the host of
 * an endpoint: https://HOST/api/events is the same endpoint, at port 443 or through the proxy.
 */
export function topicHostOf(path: string): string {
  return `${path.split("/")[1]}.eventgrid.localhost`;
}

/**
 * The origin of a topic's endpoint for clients of an origin: its public host for clients of public
 * hosts, otherwise the same origin with a path for each topic.
 */
export function topicEndpointAt(origin: string, path: string): string {
  if (!isPublicHost(new URL(origin).hostname)) return `${origin}${path}`;
  const [, segment, ...rest] = path.split("/");
  return `https://${segment}.eventgrid.azure.net/${rest.join("/")}`;
}

/**
 * The local path that an endpoint's URL means, whichever of a topic's endpoints it is: over HTTP or
 * HTTPS at one of this server's names, or public. `undefined` for any other host.
 */
export function topicPathOf(endpoint: string, names: ServerNames): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { hostname, pathname } = new URL(endpoint);
  const segment = topicSegmentOf(hostname);
  if (segment) return `/${segment}${pathname}`.toLowerCase();
  return names.includes(hostname) ? pathname.toLowerCase() : undefined;
}
