import { type Azure, NAMESPACE_API, textAt } from "../../../azure/index.js";
import type { DeployedPull } from "../../deployment.js";
import { type Findings, findings } from "../../finding.js";
import type { Namespace } from "./namespace.js";

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
