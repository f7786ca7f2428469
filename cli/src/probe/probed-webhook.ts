import { eventsUrl, isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { isAddress, isHttpUrl, socketHost } from "../address.js";
import { shownUrl, UsageError } from "../terminal/index.js";

/**
 * The webhook to probe. Its URL is as Event Grid would call it: without a path it gets /api/events.
 *
 * @throws {UsageError} without the URL's query or credentials, which may be secrets
 */
export function readProbedWebhook(
  argument: string | undefined,
  flags: { readonly urlEnv?: string; readonly connectTo?: string },
  env: Readonly<Record<string, string | undefined>>,
) {
  const connectTo = flags.connectTo === undefined ? undefined : readAddress(flags.connectTo);
  const url = readUrl(argument, flags.urlEnv, env);
  return { url: eventsUrl(url.href), pathAdded: url.pathname === "/", connectTo };
}

function readUrl(
  argument: string | undefined,
  variable: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): URL {
  if (argument !== undefined && variable !== undefined) {
    throw new UsageError("give the webhook's URL or --url-env, not both");
  }
  const text = variable === undefined ? argument : env[variable];
  if (text === undefined || text === "") {
    throw new UsageError(
      variable === undefined ? "the webhook's URL is missing" : `${variable} is not set`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isHttpUrl(text)) {
    throw new UsageError("the webhook must be an https URL, such as https://orders.example.com");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("the webhook's URL must not contain credentials");
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new UsageError(
      `Event Grid calls https URLs only, but this is ${shownUrl(url)} (http works on this machine only)`,
    );
  }
  return url;
}

function readAddress(text: string): { host: string; port: number } {
  const end = text.lastIndexOf(":");
  const [host, port] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)];
  const isHost = host.startsWith("[") ? isAddress(host) : host !== "" && !/[:\]\s]/.test(host);
  if (!isHost || /\D/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`--connect-to must be host:port, but is ${JSON.stringify(text)}`);
  }
  return { host: socketHost({ hostname: host }), port: Number(port) };
}
