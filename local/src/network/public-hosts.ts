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

/** Topics' hosts, for example `orders.westeurope-1.eventgrid.azure.net`. */
const TOPIC_HOST = /^([a-z0-9-]+\.[a-z0-9]+-\d+)\.eventgrid\.azure\.net$/;

/** Whether the proxy serves the host instead of forwarding the connection. */
export function isPublicHost(host: string): boolean {
  return HOSTS.has(host.toLowerCase()) || TOPIC_HOST.test(host.toLowerCase());
}

/** The first path segment of a topic's local endpoint, by its public host. */
export function topicSegmentOf(host: string): string | undefined {
  return TOPIC_HOST.exec(host.toLowerCase())?.[1];
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
  if (names.includes(hostname)) return pathname.toLowerCase();
  const segment = topicSegmentOf(hostname);
  return segment && `/${segment}${pathname}`.toLowerCase();
}
