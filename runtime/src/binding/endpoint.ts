/** Path of a webhook whose URL names none. */
export const DEFAULT_WEBHOOK_PATH = "/api/events";

/**
 * The webhook's URL as it is registered: without a path, or with `/`, it gets `/api/events`.
 *
 * @throws {TypeError} when the text is no URL; {@link validateBinding} says so before
 */
export function registeredEndpoint(subscriberEndpoint: string): string {
  const url = new URL(subscriberEndpoint);
  if (url.pathname === "/") url.pathname = DEFAULT_WEBHOOK_PATH;
  return url.href;
}

/**
 * The path that a webhook's URL asks the listener to serve, without the query.
 *
 * @throws {TypeError} when the text is no URL
 */
export function webhookPath(subscriberEndpoint: string): string {
  return new URL(registeredEndpoint(subscriberEndpoint)).pathname;
}

/** The URL when a text is one, absolute and with a host that is written out; else undefined. */
export function readUrl(text: string): URL | undefined {
  // The parser would drop white space and take `https:///host` or `https:host` for a URL with a host.
  if (/\s|\p{Cc}/u.test(text) || !/^[a-z]+:\/\/[^/\\?#]/i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether a URL's host is this machine. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
