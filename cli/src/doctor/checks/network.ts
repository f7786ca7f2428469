import { isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { type Azure, textAt } from "../../azure/index.js";
import { clientNetwork, type World } from "../../rules/index.js";
import type { Finding } from "../finding.js";
import { doubtful, inWords } from "../words.js";

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
  azure: Azure,
  world: World,
  body: unknown,
  check: string,
  what: string,
  doing: string,
): Promise<Finding[]> {
  const id = textAt(body, "id") ?? what;
  const verdict = await clientNetwork(world, { id, witnesses: [id], body });
  const { doubt, facts } = verdict;
  if (doubt !== undefined) return [doubtful(check, { ...doubt, what })];
  return [inWords(check, { ...verdict, facts: { ...facts, what, doing } }, azure) ?? []].flat();
}
