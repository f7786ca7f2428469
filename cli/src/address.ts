import { BlockList, isIP } from "node:net";
import { split, withoutEnd, withoutStart } from "cloud-eventgrid-binding-runtime/internal";

/** Addresses that nobody reaches over the internet. Those reserved for documentation count as public ones. */
const NOT_PUBLIC = new BlockList();
for (const range of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.168.0.0/16", "240.0.0.0/4", "::/127", "fc00::/7", "fe80::/10"],
]) {
  const [address, bits] = split(range, "/");
  NOT_PUBLIC.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Reports whether an IP address, or the beginning of a range of them, cannot be reached over the internet. */
export function isPrivate(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && NOT_PUBLIC.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function socketHost({ hostname }: { readonly hostname: string }): string {
  return withoutStart(withoutEnd(hostname, "]"), "[");
}

/** Reports whether the host of a URL is an IP address. */
export function isAddress(hostname: string): boolean {
  return isIP(socketHost({ hostname })) !== 0;
}

/** Reports whether a text is a URL of a web server. Such as `https:x` is one only for parsers of URLs. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:[/][/]/i.test(text);
}
