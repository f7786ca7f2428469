import { Fn, Token } from "cdktf";
import { DEFAULT_WEBHOOK_PATH, registeredEndpoint } from "cloud-eventgrid-binding-runtime/binding";
import { functionArgument } from "../terraform/index.js";

const authorityAndPath = /^https:\/\/([^/?#]+)(\/[^?#]*)?/;

/**
 * Path that the webhook's URL asks the listener to serve, as far as it is written out: in
 * `https://orders.${environment.defaultDomain}/api/events` only the host is unknown.
 */
export function literalPath(url: string): string | undefined {
  const match = authorityAndPath.exec(url);
  if (match === null) return undefined;
  const path = match[2] ?? "/";
  if (Token.isUnresolved(path)) return undefined;
  if (path !== "/") return path;
  const rest = url.slice(match[0].length);
  return rest === "" || rest.startsWith("?") ? DEFAULT_WEBHOOK_PATH : undefined;
}

/** The URL that is registered: without a path it gets the default one, also where it is known only later. */
export function registeredUrl(url: string): string {
  if (!Token.isUnresolved(url)) return registeredEndpoint(url);
  const path = literalPath(url);
  if (path === undefined) {
    return Token.asString(
      Fn.replace(
        functionArgument(url),
        "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/",
        `$1${DEFAULT_WEBHOOK_PATH}$2`,
      ),
    );
  }
  const match = authorityAndPath.exec(url);
  const query = url.slice(match?.[0].length ?? url.length);
  return `https://${match?.[1] ?? ""}${path}${query}`;
}
