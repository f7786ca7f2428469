import { checkOptions } from "./check-options.js";
import { LocalCloudError } from "./errors.js";
import { object, record, text } from "./shape.js";

/** Where a public address leads to. */
export type IngressTarget =
  | string
  | {
      /** `http://host:port`, with or without a path. */
      readonly target: string;
      /** Beginnings of paths and what they become behind the ingress; the longest one wins. */
      readonly rewrite?: Readonly<Record<string, string>> | undefined;
    };

/** Public addresses, with or without a path, and where they lead to. */
export type IngressTable = Readonly<Record<string, IngressTarget>>;

/** The shape of a target that says more than its URL. */
export const detailedTarget = object({ target: text }, { rewrite: record(text) });

interface Way {
  readonly from: URL;
  readonly to: URL;
  readonly rewrite: readonly (readonly [string, string])[];
}

/** What stands between the internet and the services of this machine. */
export class Ingress {
  #ways = new Map<string, Way>();

  constructor(table: IngressTable = {}) {
    for (const [address, target] of Object.entries(table)) this.route(address, target);
  }

  /**
   * Leads `address` to `target`, from now on. A path in both takes the place of one another, as in
   * a reverse proxy: `https://a.example/shop` to `http://127.0.0.1:9000/` drops `/shop`.
   *
   * @throws LocalCloudError `ERR_INGRESS` when one of them is no URL, or the target is neither a text
   * nor an object with one
   */
  route(address: string, target: IngressTarget): void {
    const detailed = typeof target === "string" ? { target } : target;
    checkOptions(detailedTarget, detailed, `'${address}' cannot lead there`, "ERR_INGRESS");
    const { target: to, rewrite = {} } = detailed;
    const way: Way = {
      from: publicUrlOf(address),
      to: urlOf(to, ["http:", "https:"], `What the public address '${address}' leads to`),
      rewrite: Object.entries(rewrite).sort(([a], [b]) => b.length - a.length),
    };
    this.#ways.set(way.from.href, way);
  }

  /** Takes a public address off the table. */
  remove(address: string): void {
    this.#ways.delete(publicUrlOf(address).href);
  }

  /** Where a request to `url` goes; `undefined` when the table does not have it. */
  resolve(url: URL): URL | undefined {
    const way = [...this.#ways.values()]
      .filter(({ from }) => from.origin === url.origin && isBelow(url.pathname, from.pathname))
      .sort((a, b) => b.from.pathname.length - a.from.pathname.length)[0];
    if (!way) return undefined;
    const path = replaceStart(url.pathname, way.from.pathname, way.to.pathname);
    const rule = way.rewrite.find(([start]) => isBelow(path, start));
    const resolved = new URL(way.to);
    resolved.pathname = rule ? replaceStart(path, ...rule) : path;
    resolved.search = url.search;
    return resolved;
  }
}

function isBelow(path: string, start: string): boolean {
  return path === start || path.startsWith(start.endsWith("/") ? start : `${start}/`);
}

function replaceStart(path: string, start: string, replacement: string): string {
  const rest = path.slice(start.length).replace(/^\//, "");
  if (rest === "") return replacement;
  return `${replacement.replace(/\/$/, "")}/${rest}`;
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
