import { type Azure, textAt } from "../../azure/index.js";
import { permission, RIGHTS, type World } from "../../rules/index.js";
import { getsTokens } from "../azure-world.js";
import { assignRole, type CheckName, type Finding, findings } from "../finding.js";
import { doubtful, enable } from "../words.js";

/**
 * What clients need. The role of a receiver has to be assigned at the namespace or above it: at the topic it
 * does not suffice to acknowledge.
 *
 * @see https://github.com/Azure/azure-sdk-for-net/issues/40812
 */
const CLIENTS = {
  publisher: { right: RIGHTS.publish, role: "EventGrid Data Sender", does: "publish", to: "to" },
  receiver: { right: RIGHTS.receive, role: "EventGrid Data Receiver", does: "receive", to: "from" },
} as const;

/** Reports whether a principal may publish to a topic or a namespace, or receive from that. */
export async function checkClient(
  azure: Azure,
  world: World,
  check: keyof typeof CLIENTS,
  principal: string | undefined,
  id: string,
  what: string,
): Promise<Finding> {
  const finding = findings(check);
  const disabled = principal && (await judgeSignIn(azure, check, principal));
  if (disabled) return disabled;
  const { right, role, does, to } = CLIENTS[check];
  if (principal === undefined) {
    const message = `the ${check}'s role was not checked`;
    return finding.unknown(message, `give its object ID with --${check} <id>`);
  }
  const may = await permission(world, principal, id, right);
  if (may.doubt !== undefined) return doubtful(check, may.doubt);
  if (may.is === "yes") return finding.ok(`the principal ${principal} may ${does}`);
  return finding.failed(
    `the principal ${principal} may not ${does} ${to} ${what}`,
    assignRole(role, principal, id),
  );
}

/**
 * Reports a service principal that gets no tokens, or that cannot be read; undefined for others, and for users
 * and groups.
 */
export async function judgeSignIn(
  azure: Azure,
  check: CheckName,
  objectId: string,
): Promise<Finding | undefined> {
  const finding = findings(check);
  const answer = await azure.graph(`/servicePrincipals/${objectId}`);
  const { status, body } = answer;
  if (status === 404) return undefined;
  if (status !== 200) return finding.unreadable(`the principal ${objectId}`, answer);
  if (getsTokens(body)) return undefined;
  const message = `the service principal ${objectId} is disabled: it gets no tokens`;
  return finding.failed(message, enable(textAt(body, "appId") ?? objectId));
}
