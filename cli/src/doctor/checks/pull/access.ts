import { type Azure, NAMESPACE_API, textAt } from "../../../azure/index.js";
import { permission, RIGHTS, type World } from "../../../rules/index.js";
import type { DeployedPull } from "../../deployment.js";
import { assignRole, type Findings, findings } from "../../finding.js";
import { doubtful } from "../../words.js";
import type { Namespace } from "./namespace.js";

/**
 * Whether the receiver may receive. The role has to be assigned at the namespace or above it: at the
 * topic it does not suffice to acknowledge.
 *
 * @see https://github.com/Azure/azure-sdk-for-net/issues/40812
 */
export async function checkReceiver(
  world: World,
  { id, name }: Namespace,
  { receiver }: DeployedPull,
): Promise<Findings> {
  const finding = findings("receiver");
  if (receiver === undefined) {
    const message = "the receiver's role was not checked";
    return finding.unknown(message, "give its object ID with --receiver <id>");
  }
  const may = await permission(world, receiver, id, RIGHTS.receive);
  if (may.doubt !== undefined) return doubtful("receiver", may.doubt);
  if (may.is === "yes") return finding.ok(`the principal ${receiver} may receive`);
  return finding.failed(
    `the principal ${receiver} may not receive from the namespace "${name}"`,
    assignRole("EventGrid Data Receiver", receiver, id),
  );
}

/** Whether the receiver's access key is one of the namespace's or the topic's. */
export async function checkKey(
  azure: Azure,
  { id }: Namespace,
  { accessKey, topicName }: DeployedPull,
): Promise<Findings> {
  const finding = findings("receiver");
  const answers = await Promise.all([
    azure.keys(id, NAMESPACE_API),
    azure.keys(`${id}/topics/${topicName}`, NAMESPACE_API),
  ]);
  const keys = answers.flatMap(({ body }) => [textAt(body, "key1"), textAt(body, "key2")]);
  if (keys.includes(accessKey)) {
    return finding.ok("the access key is one of the namespace's or the topic's");
  }
  const unread = answers.find(({ status }) => status !== 200 && status !== 404);
  if (unread !== undefined) return finding.unreadable("the access keys", unread);
  return finding.failed(
    "the access key is neither the namespace's nor the topic's: receiving is answered with 401",
    "the key was regenerated: apply again, so that the service gets the current one",
  );
}
