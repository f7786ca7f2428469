import { DEFAULT_EVENTS_PATH, eventsUrl } from "./rules/index.js";

export { isLoopback } from "./rules/index.js";
export const DEFAULT_WEBHOOK_PATH = DEFAULT_EVENTS_PATH;
export const registeredEndpoint = (subscriberEndpoint: string) =>
  eventsUrl(subscriberEndpoint).href;
export const webhookPath = (subscriberEndpoint: string) => eventsUrl(subscriberEndpoint).pathname;

/** The URL when a text is one, absolute and with a host that is written out; else undefined. */
export function readUrl(text: string): URL | undefined {
  // The parser would drop white space and take `https:///host` or `https:host` for a URL with a host.
  if (/\s|\p{Cc}/u.test(text) || !/^[a-z]+:\/\/[^/\\?#]/i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}
