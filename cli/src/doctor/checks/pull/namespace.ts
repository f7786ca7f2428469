import { type Azure, NAMESPACE_API, textAt } from "../../../azure/index.js";
import type { World } from "../../../rules/index.js";
import type { DeployedPull } from "../../deployment.js";
import { type Finding, findings } from "../../finding.js";
import { isAt, judgeNetwork } from "../network.js";
import { missingSubscription } from "../provider.js";

export interface Namespace {
  readonly id: string;
  readonly name: string;
}

/** Finds the namespace, and judges its state and who can reach it. */
export async function checkNamespace(
  azure: Azure,
  world: World,
  { namespaceEndpoint, namespaceId }: DeployedPull,
  subscriptionId: string | undefined,
): Promise<{ readonly findings: Finding[]; readonly namespace?: Namespace }> {
  const finding = findings("namespace");
  if (namespaceId === undefined && subscriptionId === undefined) {
    const remedy = "give the Azure subscription of the namespace with --azure-subscription <id>";
    return {
      findings: [finding.unknown("the namespace's Azure subscription is not known", remedy)],
    };
  }
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid/namespaces`;
  const answer =
    namespaceId === undefined
      ? await azure.list(azure.arm(path, NAMESPACE_API))
      : await azure.arm(namespaceId, NAMESPACE_API).then((one) => ({ ...one, items: [one.body] }));
  const missing = missingSubscription(answer, namespaceId ?? path);
  if (missing !== undefined) return { findings: [missing] };
  if (answer.status !== 200 && answer.status !== 404) {
    return { findings: [finding.unreadable("the namespace", answer)] };
  }
  const body = answer.items.find((item) => isAt(endpointOf(item), namespaceEndpoint));
  if (answer.status === 404 || body === undefined) {
    const remedy =
      "check the endpoint of the namespace and the Azure subscription, and whether the namespace was deleted";
    return {
      findings: [finding.failed(`no namespace has the endpoint ${namespaceEndpoint}`, remedy)],
    };
  }
  const name = textAt(body, "name") ?? "";
  const state = textAt(body, "properties", "provisioningState");
  const problems = await judgeNetwork(
    azure,
    world,
    body,
    "network",
    `the namespace "${name}"`,
    "receive from",
  );
  if (state === undefined) problems.unshift(finding.notShown("its state"));
  else if (/^(Failed|Canceled|CreateFailed|DeleteFailed)$/i.test(state)) {
    const remedy = "apply again; if it fails again, look at the namespace's activity log";
    problems.unshift(finding.failed(`the provisioning of "${name}" ended in ${state}`, remedy));
  }
  return {
    findings: [finding.ok(`the namespace "${name}" exists`), ...problems],
    namespace: { id: textAt(body, "id") ?? "", name },
  };
}

/** Azure returns a host; that of a local Azure also has a port and a path. */
function endpointOf(body: unknown): string | undefined {
  const host = textAt(body, "properties", "topicsConfiguration", "hostname");
  return host && `https://${host}`;
}
