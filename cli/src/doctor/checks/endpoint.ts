import { isLoopback, withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import {
  type Answer,
  type Azure,
  EVENT_GRID_API,
  NAMESPACE_API,
  textAt,
  textOrEmpty,
} from "../../azure/index.js";
import { isDomain } from "../../resource-id.js";
import { brokenState, clientNetwork, isOneOf, type World } from "../../rules/index.js";
import { type CheckName, type Finding, findings } from "../finding.js";
import { AGAIN, doubtful, inWords } from "../words.js";
import { missingSubscription } from "./provider.js";

/** What clients connect to, by the last part of its type. */
const KINDS = {
  topic: {
    api: EVENT_GRID_API,
    // Events for all topics of a domain are published to its endpoint.
    collections: ["topics", "domains"],
    endpointOf: (body: unknown) => textAt(body, "properties", "endpoint"),
    network: "topic",
    doing: "publish to",
  },
  namespace: {
    api: NAMESPACE_API,
    collections: ["namespaces"],
    /** Azure returns a host; that of a local Azure also has a port and a path. */
    endpointOf: (body: unknown) => {
      const host = textAt(body, "properties", "topicsConfiguration", "hostname");
      return host && `https://${host}`;
    },
    network: "network",
    doing: "receive from",
  },
} as const;

type Kind = keyof typeof KINDS;

/** A topic or a namespace that exists. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly body: unknown;
}

/**
 * Finds the topic or the namespace with an endpoint.
 *
 * @param id of the one that probably has it
 * @param subscriptionId the Azure subscription whose others are looked at if that does not have it
 * @returns why it was not found, if it was not
 */
export async function findByEndpoint(
  azure: Azure,
  kind: Kind,
  endpoint: string,
  id: string | undefined,
  subscriptionId: string | undefined,
): Promise<Found | Finding> {
  const finding = findings(kind);
  const { api, endpointOf, collections } = KINDS[kind];
  const own = id === undefined ? undefined : await azure.arm(id, api);
  const isOther = subscriptionId !== undefined && !isAt(endpointOf(own?.body), endpoint);
  const paths = (isOther ? collections : []).map(
    (each) => `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid/${each}`,
  );
  const lists = await Promise.all(paths.map((path) => azure.list(azure.arm(path, api))));
  const bodies = [own?.body, ...lists.flatMap(({ items }) => items)];
  const body = bodies.find((each) => isAt(endpointOf(each), endpoint));
  if (body !== undefined) {
    const found = textOrEmpty(body, "id");
    return { id: found, name: textAt(body, "name") ?? found, body };
  }
  const isUnread = ({ status }: Answer) => status !== 200 && status !== 404;
  const answer = lists.find(isUnread) ?? lists[0] ?? own;
  if (answer === undefined) {
    const remedy = `give the Azure subscription of the ${kind} with --azure-subscription <id>`;
    return finding.unknown(`the ${kind}'s Azure subscription is not known`, remedy);
  }
  const missing = missingSubscription(answer, paths[0] ?? id);
  if (missing !== undefined) return missing;
  if (isUnread(answer)) return finding.unreadable(`the ${kind}`, answer);
  const remedy = `check the endpoint and the Azure subscription, and whether the ${kind} was deleted`;
  return finding.failed(`no ${kind} has the endpoint ${endpoint}`, remedy);
}

/** Whether an endpoint in Azure is the one of a definition. */
function isAt(endpoint: string | undefined, expected: string): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint) || !URL.canParse(expected)) return false;
  const [a, b] = [new URL(endpoint), new URL(expected)];
  const trimmed = ({ pathname }: URL) => withoutEnd(pathname, "/");
  // A local Azure serves the same topic or namespace over HTTP and HTTPS.
  return trimmed(a) === trimmed(b) && (isLoopback(a) || a.hostname === b.hostname);
}

/** Whether a topic or a namespace works, and who can connect to it. */
export async function judgeEndpoint(
  azure: Azure,
  world: World,
  kind: Kind,
  { id, name, body }: Found,
): Promise<Finding[]> {
  const { network, doing } = KINDS[kind];
  const what = `the ${isDomain(id) ? "domain" : kind} "${name}"`;
  const verdict = await clientNetwork(world, { id, witnesses: [id], body });
  const { doubt, facts } = verdict;
  const reached = doubt
    ? doubtful(network, { ...doubt, what })
    : inWords(network, { ...verdict, facts: { ...facts, what, doing } }, azure);
  return [
    findings(kind).ok(`${what} exists`),
    ...judgeProvisioning(kind, what, body),
    ...(reached ? [reached] : []),
  ];
}

/** Whether a resource of Event Grid was created, and stays. */
export function judgeProvisioning(check: CheckName, what: string, body: unknown): Finding[] {
  const finding = findings(check);
  const state = textAt(body, "properties", "provisioningState");
  if (state === undefined) return [finding.notShown(`the state of ${what}`)];
  if (isOneOf(state, "Deleting")) {
    return [finding.failed(`${what} is being deleted`, "wait until it is, and apply again")];
  }
  if (brokenState(body) === undefined) return [];
  return [finding.failed(`the provisioning of ${what} ended in ${state}`, AGAIN)];
}

/**
 * Whether an access key is one of those of a topic or a namespace.
 *
 * @param ids of what has keys that are accepted
 * @param whose in words, such as `the topic's`
 */
export async function checkKey(
  azure: Azure,
  check: "publisher" | "receiver",
  kind: Kind,
  ids: readonly string[],
  whose: string,
  accessKey: string | undefined,
): Promise<Finding> {
  const finding = findings(check);
  if (accessKey === undefined) {
    const message = "the access key was not checked: the definition refers to a secret";
    return finding.unknown(message, "check the service's own variables: --env <prefix>");
  }
  const answers = await Promise.all(ids.map((id) => azure.keys(id, KINDS[kind].api)));
  const keys = answers.flatMap(({ body }) => [textAt(body, "key1"), textAt(body, "key2")]);
  if (keys.includes(accessKey)) return finding.ok(`the access key is one of ${whose}`);
  const unread = answers.find(({ status }) => status !== 200 && status !== 404);
  if (unread !== undefined) return finding.unreadable("the access keys", unread);
  const doing = check === "publisher" ? "publishing" : "receiving";
  return finding.failed(
    `the access key is not one of ${whose}: ${doing} is answered with 401`,
    "the key was regenerated: apply again, so that the service gets the current one",
  );
}
