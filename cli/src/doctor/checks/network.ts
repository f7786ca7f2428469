import { isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { listAt, textAt } from "../../azure/index.js";
import { isPrivate } from "../../probe/index.js";
import { type Finding, findings } from "../finding.js";

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
  if (isInPerimeter(body)) return [perimeterFinding(check, what)];
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

/** Whether a network security perimeter, which is not read, decides who may connect. */
export function isInPerimeter(body: unknown): boolean {
  return textAt(body, "properties", "publicNetworkAccess") === "SecuredByPerimeter";
}

/** Says that what is in a perimeter is not judged. */
export function perimeterFinding(check: string, what: string): Finding {
  return findings(check).unknown(
    `${what} is secured by a network security perimeter, whose rules were not read`,
    "look whether the rules of the perimeter admit its clients",
  );
}
