import * as v from "valibot";
import {
  checkOptions,
  expected,
  fields,
  hyphenated,
  isHttpUrl,
  LocalCloudError,
  record,
  text,
  textWhere,
  withoutEnd,
  withoutStart,
} from "../base/index.js";
import type { ServerNames } from "./server-names.js";

/** The target of a public address. */
export type IngressTarget =
  | string
  | {
      /** `http://host:port`, with or without a path. */
      readonly target: string;
      /** Path prefixes and their replacements behind the ingress; the longest one wins. */
      readonly rewrite?: Readonly<Record<string, string>> | undefined;
    };

/** Public addresses, with or without a path, and their targets. */
export type IngressTable = Readonly<Record<string, IngressTarget>>;

const detailedTarget = fields({ target: text, rewrite: v.optional(record(text)) });

const ingressTarget = v.lazy((value) => {
  if (typeof value === "object" && value !== null) return detailedTarget;
  return v.string(expected("a URL, or an object with a target"));
});

/** Schema of an ingress table, URLs included. */
export const ingressTable = v.pipe(
  record(ingressTarget),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [address, target] of Object.entries(dataset.value)) {
      try {
        new Ingress({ [address]: target });
      } catch (error) {
        addIssue({ message: `is invalid: ${error instanceof Error ? error.message : error}` });
      }
    }
  }),
);

/** Function apps by name, and the addresses of their local hosts. */
export type FunctionApps = Readonly<Record<string, string>>;

/** The entries of function apps in an ingress table. */
export function functionAppRoutes(apps: FunctionApps = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(apps).map(([name, target]) => [`https://${name}.azurewebsites.net`, target]),
  );
}

/** @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftweb */
const APP_NAME = hyphenated(2, 60);

/** Schema of function apps. */
export const functionApps = v.record(
  textWhere((name) => APP_NAME.allows(name), "the name of a function app"),
  textWhere(isHttpUrl, "the address of the app's host, such as http://127.0.0.1:7071"),
  expected("an object"),
);

interface Mapping {
  readonly from: URL;
  readonly to: URL;
  readonly rewrite: readonly (readonly [string, string])[];
}

/** The reverse proxy between the internet and the services of this machine. */
export class Ingress {
  readonly #mappings = new Map<string, Mapping>();

  constructor(table: IngressTable = {}) {
    for (const [address, target] of Object.entries(table)) this.route(address, target);
  }

  /** @internal */
  snapshot() {
    return [...this.#mappings].map(([address, { to, rewrite }]) => {
      const target = { target: to.href, rewrite: Object.fromEntries(rewrite) };
      return [address, target] as const;
    });
  }

  /** @internal Adds addresses of an earlier process that are not in the table yet. */
  restore(table: readonly (readonly [string, IngressTarget])[]): void {
    for (const [address, target] of table) {
      if (!this.#mappings.has(address)) this.route(address, target);
    }
  }

  /**
   * Leads `address` to `target` from now on. Paths replace each other as in a reverse proxy:
   * `https://a.example/shop` to `http://127.0.0.1:9000/` drops `/shop`.
   *
   * @throws LocalCloudError `ERR_INGRESS` if one of them is not a valid URL
   */
  route(address: string, target: IngressTarget): void {
    const detailed = typeof target === "string" ? { target } : target;
    checkOptions(detailedTarget, detailed, `Invalid target for '${address}'`, "ERR_INGRESS");
    const { target: to, rewrite = {} } = detailed;
    const mapping: Mapping = {
      from: publicUrlOf(address),
      to: urlOf(to, ["http:", "https:"], `The target of the public address '${address}'`),
      rewrite: Object.entries(rewrite).sort(([a], [b]) => b.length - a.length),
    };
    this.#mappings.set(mapping.from.href, mapping);
  }

  /** Removes a public address from the table, and returns whether it was there. */
  remove(address: string): boolean {
    return this.#mappings.delete(publicUrlOf(address).href);
  }

  /** The target of a request to `url`; `undefined` if the table has no entry for it. */
  resolve(url: URL): URL | undefined {
    const mapping = [...this.#mappings.values()]
      .filter(({ from }) => from.origin === url.origin && isBelow(url.pathname, from.pathname))
      .sort((a, b) => b.from.pathname.length - a.from.pathname.length)[0];
    if (!mapping) return undefined;
    const path = replaceStart(url.pathname, mapping.from.pathname, mapping.to.pathname);
    const rule = mapping.rewrite.find(([start]) => isBelow(path, start));
    const resolved = new URL(mapping.to);
    resolved.pathname = rule ? replaceStart(path, ...rule) : path;
    resolved.search = url.search;
    return resolved;
  }
}

function isBelow(path: string, start: string): boolean {
  return path === start || path.startsWith(start.endsWith("/") ? start : `${start}/`);
}

function replaceStart(path: string, start: string, replacement: string): string {
  const rest = withoutStart(withoutStart(path, start), "/");
  if (rest === "") return replacement;
  return `${withoutEnd(replacement, "/")}/${rest}`;
}

function publicUrlOf(address: string): URL {
  return urlOf(address, ["https:"], "A public address of the ingress table");
}

function urlOf(text: string, schemes: readonly string[], what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && schemes.includes(url.protocol)) return url;
  const wanted = schemes.map((scheme) => `${scheme}//…`).join(" or ");
  throw new LocalCloudError("ERR_INGRESS", `${what} must be ${wanted}, not '${text}'.`);
}

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
