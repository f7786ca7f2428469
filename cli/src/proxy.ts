import {
  ConfigurationError,
  environmentProxy,
  groupsOf,
  isLoopback,
} from "cloud-eventgrid-binding-runtime/internal";
import { UsageError } from "./terminal/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: that of the environment, unless `NO_PROXY` names the host. What runs on this
 * machine needs none.
 *
 * @throws {UsageError} without the proxy's URL, which may contain credentials
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  if (url.protocol !== "https:" || isLoopback(url)) return undefined;
  const excluded = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]/).filter(Boolean);
  if (excluded.some((entry) => covers(entry.toLowerCase(), url))) return undefined;
  return readProxy(env);
}

function readProxy(env: Environment): URL | undefined {
  try {
    return environmentProxy(env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UsageError(error.problems.map(({ message }) => message).join("\n"));
  }
}

/** An entry is `*`, or a host name with or without a port; it includes the subdomains. */
function covers(entry: string, { hostname, port }: URL): boolean {
  if (entry === "*") return true;
  const [name, entryPort] = groupsOf(/^(?:\*?\.)?(.*?)(?::(\d+))?$/, entry);
  if (entryPort !== "" && entryPort !== (port || "443")) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/**
 * Checks the proxy of this process for the clients of the Azure SDK, which read the variables themselves,
 * and need a scheme.
 *
 * @throws {UsageError} when it is invalid
 */
export function prepareProxy(): void {
  readProxy(process.env);
  for (const name of SDK_VARIABLES) {
    const value = process.env[name];
    if (value && !value.includes("://")) process.env[name] = `http://${value}`;
  }
}

const SDK_VARIABLES = ["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);
