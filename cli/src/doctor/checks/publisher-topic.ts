import { type Azure, at, EVENT_GRID_API, textAt } from "../../azure/index.js";
import { isTopic } from "../../resource-id.js";
import type { World } from "../../rules/index.js";
import type { DeployedOutput } from "../deployment.js";
import { type Finding, type Findings, findings } from "../finding.js";
import { checkClient } from "./client.js";
import { isAt, judgeNetwork } from "./network.js";
import { missingSubscription } from "./provider.js";

/**
 * Whether the topic exists and accepts the publisher's events.
 *
 * @param scope the scope of the event subscription, which is often the topic itself
 */
export async function checkTopic(
  azure: Azure,
  world: World,
  { topicEndpoint, accessKey, usesEntra, publisher }: DeployedOutput,
  subscriptionId: string | undefined,
  scope: string | undefined,
): Promise<Findings> {
  const finding = findings("topic");
  const hasEndpoint = (body: unknown) =>
    isAt(textAt(body, "properties", "endpoint"), topicEndpoint);
  const atScope =
    scope !== undefined && isTopic(scope) ? await azure.arm(scope, EVENT_GRID_API) : undefined;
  let topic = hasEndpoint(atScope?.body) ? atScope?.body : undefined;
  if (topic === undefined) {
    if (subscriptionId === undefined) {
      const remedy = "give the Azure subscription of the topic with --azure-subscription <id>";
      return finding.unknown("the topic's Azure subscription is not known", remedy);
    }
    const path = `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid/topics`;
    const answer = await azure.list(azure.arm(path, EVENT_GRID_API));
    const missing = missingSubscription(answer, path);
    if (missing !== undefined) return missing;
    if (answer.status !== 200) return finding.unreadable("the topics", answer);
    topic = answer.items.find(hasEndpoint);
  }
  if (topic === undefined) {
    const remedy =
      "check topicEndpoint and the Azure subscription, and whether the topic was deleted";
    return finding.failed(`no topic has the endpoint ${topicEndpoint}`, remedy);
  }
  const id = textAt(topic, "id") ?? "";
  const name = textAt(topic, "name") ?? id;
  const problems = [
    ...judgeTopic(topic, name),
    ...(await judgeNetwork(azure, world, topic, "topic", `the topic "${name}"`, "publish to")),
  ];
  if (usesEntra) problems.push(await checkClient(world, "publisher", publisher, id, "the topic"));
  else if (at(topic, "properties", "disableLocalAuth") === true) {
    problems.push(
      findings("publisher").failed(
        `the topic "${name}" refuses access keys`,
        'publish with Entra (publishWith: "entra"), or enable local authentication',
      ),
    );
  } else problems.push(await checkAccessKey(azure, id, accessKey));
  return [finding.ok(`the topic "${name}" exists`), ...problems];
}

function judgeTopic(topic: unknown, name: string): Finding[] {
  const finding = findings("topic");
  const problems: Finding[] = [];
  const schema = textAt(topic, "properties", "inputSchema");
  if (schema === undefined) problems.push(finding.notShown(`the schema of the topic "${name}"`));
  else if (schema !== "CloudEventSchemaV1_0") {
    const remedy =
      "create the topic with the input schema CloudEventSchemaV1_0, as CloudEventGridTopic does";
    problems.push(finding.failed(`the topic "${name}" expects ${schema}, not CloudEvents`, remedy));
  }
  const state = textAt(topic, "properties", "provisioningState");
  if (state === undefined) problems.push(finding.notShown(`the state of the topic "${name}"`));
  else if (/^(Failed|Canceled)$/i.test(state)) {
    const remedy = "apply again; if it fails again, replace the topic, or look at its activity log";
    problems.push(
      finding.failed(`the provisioning of the topic "${name}" ended in ${state}`, remedy),
    );
  }
  return problems;
}

async function checkAccessKey(
  azure: Azure,
  topicId: string,
  accessKey: string | undefined,
): Promise<Finding> {
  const finding = findings("publisher");
  if (accessKey === undefined) {
    const message = "the access key was not checked: the definition refers to a secret";
    return finding.unknown(message, "check the service's own variables: --env <prefix>");
  }
  const answer = await azure.keys(topicId, EVENT_GRID_API);
  if (answer.status !== 200) return finding.unreadable("the topic's access keys", answer);
  const keys = [textAt(answer.body, "key1"), textAt(answer.body, "key2")];
  if (keys.includes(accessKey)) return finding.ok("the access key is one of the topic's");
  return finding.failed(
    "the access key is not one of the topic's: publishing is answered with 401",
    "the key was regenerated: apply again, so that the service gets the current one",
  );
}
