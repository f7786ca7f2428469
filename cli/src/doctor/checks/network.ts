import { listAt, textAt } from "../../azure/index.js";
import { type Finding, findings } from "../finding.js";

/** Addresses that no client has on the internet, as beginnings of IPv4 addresses. */
const NOT_PUBLIC =
  /^(0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|255\.)/;

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
  if (masks.every((mask) => NOT_PUBLIC.test(mask) && !mask.endsWith("/0"))) {
    const message = `the IP rules of ${what} admit nobody: ${masks.join(", ")} is not on the internet`;
    return [finding.failed(message, remedy)];
  }
  return [
    finding.warning(`only these addresses may ${doing} ${what}: ${masks.join(", ")}`, remedy),
  ];
}
