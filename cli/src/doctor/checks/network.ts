import { BlockList, isIP } from "node:net";
import { isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { listAt, textAt } from "../../azure/index.js";
import { type Finding, findings } from "../finding.js";

/** Addresses that nobody reaches over the internet. */
const NOT_PUBLIC = new BlockList();
for (const range of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.2.0/24", "192.168.0.0/16", "198.51.100.0/24", "203.0.113.0/24"],
  ...["240.0.0.0/4", "::/127", "fc00::/7", "fe80::/10", "2001:db8::/32"],
]) {
  const [address = "", bits] = range.split("/");
  NOT_PUBLIC.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Whether an IP address, or the beginning of a range of them, cannot be reached over the internet. */
export function isPrivate(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && NOT_PUBLIC.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Whether an endpoint in Azure is the one of a definition. */
export function isAt(endpoint: string | undefined, expected: string): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint) || !URL.canParse(expected)) return false;
  const [a, b] = [new URL(endpoint), new URL(expected)];
  const trimmed = ({ pathname }: URL) => pathname.replace(/\/$/, "");
  // A local Azure serves the same topic or namespace over HTTP and HTTPS.
  return trimmed(a) === trimmed(b) && (isLoopback(a) || a.hostname === b.hostname);
}

/**
 * The IP rules of a topic or a namespace; without any, every address may connect.
 *
 * @param what such as `the topic "orders"`
 * @param doing what clients do there, such as `publish to`
 */
export function judgeAddresses(
  body: unknown,
  check: string,
  what: string,
  doing: string,
): Finding[] {
  const finding = findings(check);
  const masks = listAt(body, "properties", "inboundIpRules").flatMap(
    (rule) => textAt(rule, "ipMask") ?? [],
  );
  if (masks.length === 0) return [];
  const remedy = `add the public addresses of the services to the IP rules of ${what}`;
  const isExcluded = (mask: string) => isPrivate(mask.replace(/\/.*$/, "")) && !mask.endsWith("/0");
  if (masks.every(isExcluded)) {
    const message = `the IP rules of ${what} admit nobody: ${masks.join(", ")} is not on the internet`;
    return [finding.failed(message, remedy)];
  }
  return [
    finding.warning(`only these addresses may ${doing} ${what}: ${masks.join(", ")}`, remedy),
  ];
}
