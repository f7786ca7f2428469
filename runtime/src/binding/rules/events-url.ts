/** Path of a webhook or of a topic's endpoint whose URL has none. */
export const DEFAULT_EVENTS_PATH = "/api/events";

/**
 * The URL that is called for a `subscriberEndpoint` or a `topicEndpoint`: in its normal form, and
 * with the path `/api/events` when it has none.
 *
 * @throws {TypeError} when the text is not a URL, which the rules of both fields exclude
 */
export function eventsUrl(text: string): URL {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = DEFAULT_EVENTS_PATH;
  return url;
}

/**
 * The path that a listener serves: its own, or the one of the webhook's URL. Neither has to be set
 * before the binding is validated.
 */
export function webhookPath({
  path,
  subscriberEndpoint = "",
}: {
  readonly path?: string | undefined;
  readonly subscriberEndpoint?: string | undefined;
}): string {
  return path ?? eventsUrl(subscriberEndpoint).pathname;
}

/** Whether a URL's host is this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
