import { type Azure, textAt } from "../../azure/index.js";
import { present } from "../../collections.js";
import { sameId } from "../../resource-id.js";
import { audience, Doubt, type World } from "../../rules/index.js";
import type { DeployedInput } from "../deployment.js";
import { type Finding, type Findings, findings } from "../finding.js";
import { doubtful, inWords } from "../words.js";
import {
  audienceIn,
  type EventSubscription,
  pathOf,
  registeredUrl,
  sameUrl,
} from "./event-subscription.js";

const APPLY = "run terraform apply, or correct the definition that you gave";

/** Whether the subscription delivers to this webhook, in its schema and with its application. */
export async function checkDestination(
  azure: Azure,
  world: World,
  subscription: EventSubscription,
  input: DeployedInput,
): Promise<Findings> {
  const { delivery, name } = subscription;
  const finding = findings("destination");
  const { type, settings } = delivery.destination;
  if (type !== "WebHook") {
    const what = type === "unknown" ? "nothing" : type;
    return finding.failed(`"${name}" delivers to ${what}, not to a webhook`, APPLY);
  }
  const problems = judgeUrl(subscription, input);
  const { schema } = delivery;
  if (schema == null) problems.push(finding.notShown(`the schema of "${name}"`));
  else if (schema !== "CloudEventSchemaV1_0") {
    problems.push(finding.failed(`"${name}" delivers in ${schema}, not as CloudEvents`, APPLY));
  }
  if (delivery.destination.identity != null) {
    const message = `"${name}" delivers as a managed identity: the listener refuses it unless authentication.callers names its client ID`;
    problems.push(finding.unknown(message, "name it there, or deliver without the identity"));
  }
  problems.push(...(await checkAudience(azure, world, subscription, input)));
  const tenant = textAt(settings, "azureActiveDirectoryTenantId");
  if (tenant !== undefined && !sameId(tenant, input.tenantId)) {
    const message = `its tokens are from the tenant ${tenant}, but the listener expects ${input.tenantId}`;
    problems.push(finding.failed(message, APPLY));
  }
  const query = input.endpoint?.includes("?") ? "; its query was not compared" : "";
  return problems.length > 0
    ? problems
    : [finding.ok(`"${name}" delivers to ${registeredUrl(subscription)}${query}`)];
}

function judgeUrl(subscription: EventSubscription, { endpoint, path }: DeployedInput): Finding[] {
  const finding = findings("destination");
  const { name } = subscription;
  const actual = registeredUrl(subscription);
  if (actual === undefined) return [finding.notShown(`the endpoint of "${name}"`)];
  const expected = endpoint?.replace(/[?#].*/s, "");
  if (expected !== undefined) {
    if (sameUrl(expected, actual)) return [];
    return [finding.failed(`"${name}" delivers to ${actual}, not to ${expected}`, APPLY)];
  }
  if (path === undefined || path === pathOf(actual)) return [];
  const message = `"${name}" delivers to ${actual}, but the listener serves ${path}`;
  const remedy = `${APPLY}; a gateway that rewrites paths makes the difference harmless`;
  return [finding.warning(message, remedy)];
}

/** Whether the tokens have the audience that the listener expects. */
async function checkAudience(
  azure: Azure,
  world: World,
  subscription: EventSubscription,
  { clientId }: DeployedInput,
): Promise<Finding[]> {
  const requested = audienceIn(subscription);
  if (requested === undefined) {
    const message = `"${subscription.name}" delivers without a token: the listener answers 401`;
    return [findings("destination").failed(message, APPLY)];
  }
  const application = sameId(requested, clientId) ? undefined : await world.application(clientId);
  if (application instanceof Doubt) return [doubtful("destination", application)];
  return present([inWords("destination", audience(application, requested, clientId), azure)]);
}
