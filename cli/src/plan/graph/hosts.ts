import { withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { isOneOf, UNKNOWN } from "../../rules/index.js";
import { type Attributes, oneOf, type PlannedChange, typeOf } from "../terraform/index.js";

/** Host names, wildcards and IPv4 addresses in a text, in lower case. */
export function hostsIn(text: unknown): string[] {
  if (typeof text !== "string") return [];
  // The providers of Azure's resources have such names, too.
  const plain = text.toLowerCase().replace(/\/providers\/[^/]*/g, "");
  return plain.match(/[*\w-]+(?:\.[\w-]+)+/g) ?? [];
}

/** True of a text that is nothing but a host name; the dot at its end counts for nothing. */
export const isHost = (text: unknown, host: string) =>
  typeof text === "string" && withoutEnd(text.toLowerCase(), ".") === host;

/** The domains that a host is in, from the closest to one of two labels. */
export function domainsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(2).map((_, index) => labels.slice(index + 1).join("."));
}

const RECORD = oneOf("**dns_**record** **_record(_?set)? **dns_?zones/*");

/** True of records of DNS zones, of any provider. */
export const isRecord = (change: PlannedChange) => RECORD.test(typeOf(change));

/** True of records that lead no request anywhere: for mail and proofs. */
export function isAside(change: PlannedChange): boolean {
  const { record_type: kind, type } = change.after ?? change.before ?? {};
  const kinds = [...typeOf(change).split(/[_/]/), kind, type];
  return (
    isRecord(change) &&
    kinds.some((each) => oneOf("mx txt srv ptr soa naptr loc").test(String(each)))
  );
}

/** True of name servers, which answer for all names below their own. */
export const isDelegation = (change: PlannedChange) =>
  oneOf("**_ns_record **/ns").test(typeOf(change)) ||
  [change.before, change.after].some((side) => isOneOf(side?.record_type ?? side?.type, "NS"));

/**
 * The full names that a record may have.
 *
 * @param domains of the zones that it refers to
 */
export function recordNames(side: Attributes, domains: readonly string[]): string[] {
  const name = side.name === UNKNOWN ? "*" : side.name;
  if (typeof name !== "string") return [];
  const short = withoutEnd(name.toLowerCase(), ".");
  const own = [side.zone_name, side.zone, side.domain, side.parent_id, side.id].flatMap((value) => {
    const [, zone = value] = /\/dns_?zones\/([^/]*)/i.exec(String(value)) ?? [];
    return typeof zone === "string" && !zone.includes("/") ? [zone.toLowerCase()] : [];
  });
  return [...own, ...domains].map((domain) =>
    short === "@" ? domain : `.${short}`.endsWith(`.${domain}`) ? short : `${short}.${domain}`,
  );
}
