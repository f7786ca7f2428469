import { type Azure, at, textAt } from "../../azure/index.js";
import { isTopic } from "../../resource-id.js";
import type { World } from "../../rules/index.js";
import type { DeployedOutput } from "../deployment.js";
import { type Finding, type Findings, findings } from "../finding.js";
import { checkClient } from "./client.js";
import { checkKey, type Found, findByEndpoint, judgeEndpoint } from "./endpoint.js";

/**
 * Whether the topic exists and accepts the publisher's events.
 *
 * @param scope the scope of the event subscription, which is often the topic itself
 */
export async function checkTopic(
  azure: Azure,
  world: World,
  output: DeployedOutput,
  subscriptionId: string | undefined,
  scope: string | undefined,
): Promise<Findings> {
  const near = scope !== undefined && isTopic(scope) ? scope : undefined;
  const { topicEndpoint } = output;
  const topic = await findByEndpoint(azure, "topic", topicEndpoint, near, subscriptionId);
  if ("check" in topic) return topic;
  return [
    ...(await judgeEndpoint(azure, world, "topic", topic)),
    ...judgeSchema(topic),
    await checkPublisher(azure, world, topic, output),
  ];
}

function judgeSchema({ body, name }: Found): Finding[] {
  const finding = findings("topic");
  const schema = textAt(body, "properties", "inputSchema");
  if (schema === undefined) return [finding.notShown(`the schema of the topic "${name}"`)];
  if (schema === "CloudEventSchemaV1_0") return [];
  const remedy =
    "create the topic with the input schema CloudEventSchemaV1_0, as CloudEventGridTopic does";
  return [finding.failed(`the topic "${name}" expects ${schema}, not CloudEvents`, remedy)];
}

/** Whether the topic takes what the publisher signs in with. */
async function checkPublisher(
  azure: Azure,
  world: World,
  { id, name, body }: Found,
  { accessKey, usesEntra, publisher }: DeployedOutput,
): Promise<Finding> {
  if (usesEntra) return checkClient(azure, world, "publisher", publisher, id, "the topic");
  if (at(body, "properties", "disableLocalAuth") !== true) {
    return checkKey(azure, "publisher", "topic", [id], "the topic's", accessKey);
  }
  return findings("publisher").failed(
    `the topic "${name}" refuses access keys`,
    'publish with Entra (publishWith: "entra"), or enable local authentication',
  );
}
