import { isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { textAt } from "../../azure/index.js";
import { clientNetwork, type World } from "../../rules/index.js";
import { type Finding, findings } from "../finding.js";
import { doubtful } from "../words.js";

/** Whether an endpoint in Azure is the one of a definition. */
export function isAt(endpoint: string | undefined, expected: string): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint) || !URL.canParse(expected)) return false;
  const [a, b] = [new URL(endpoint), new URL(expected)];
  const trimmed = ({ pathname }: URL) => pathname.replace(/\/$/, "");
  // A local Azure serves the same topic or namespace over HTTP and HTTPS.
  return trimmed(a) === trimmed(b) && (isLoopback(a) || a.hostname === b.hostname);
}

/**
 * Who can connect to a topic or a namespace; nothing if everybody can.
 *
 * @param what such as `the topic "orders"`
 * @param doing what clients do there, such as `publish to`
 */
export async function judgeNetwork(
  world: World,
  body: unknown,
  check: string,
  what: string,
  doing: string,
): Promise<Finding[]> {
  const finding = findings(check);
  const id = textAt(body, "id") ?? what;
  const { code, facts, doubt, status } = await clientNetwork(world, { id, witnesses: [id], body });
  if (doubt !== undefined) return [doubtful(check, { ...doubt, what })];
  if (status === "ok") return [];
  const addresses = `add the public addresses of the services to the IP rules of ${what}`;
  switch (code) {
    case "private-only":
      return [
        finding.warning(
          `${what} can be reached through its private endpoint only`,
          "run the services in a network that the private endpoint is part of",
        ),
      ];
    case "no-way-in":
      return [
        finding.failed(
          `${what} has neither public network access nor an approved private endpoint: nobody can ${doing} it`,
          "create a private endpoint for it, approve a pending one, or enable public network access",
        ),
      ];
    case "private-addresses":
      return [
        finding.failed(
          `the IP rules of ${what} admit nobody: ${facts.masks} is not on the internet`,
          addresses,
        ),
      ];
    default:
      return [
        finding.warning(`only these addresses may ${doing} ${what}: ${facts.masks}`, addresses),
      ];
  }
}
