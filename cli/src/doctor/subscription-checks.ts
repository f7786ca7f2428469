import { type Answer, type Azure, at, textAt } from "./azure.js";
import { type Finding, findings } from "./finding.js";
import type { InputTarget } from "./target.js";

/** Version of Event Grid's resource provider. */
export const EVENT_GRID_API = "2022-06-15";

/** An event subscription as Resource Manager shows it. */
export interface EventSubscription {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly properties: unknown;
}

/** Whether Event Grid may be used in the Azure subscription at all. */
export async function checkProvider(azure: Azure, subscriptionId: string): Promise<Finding> {
  const finding = findings("provider");
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid`;
  const answer = await azure.arm(path, "2022-09-01");
  if (answer.status === 404) {
    return finding.failed(
      `the Azure subscription ${subscriptionId} does not exist, or you have no access to it`,
      "check cloudSubscriptionId, and the tenant that you are signed in to (az account show)",
    );
  }
  if (answer.status !== 200) return finding.unreadable("the provider's registration", answer);
  const state = textAt(answer.body, "registrationState");
  if (state === "Registered") return finding.ok("Microsoft.EventGrid is registered");
  return finding.failed(
    `Microsoft.EventGrid is ${state ?? "in an unknown state"}, not Registered`,
    `az provider register --namespace Microsoft.EventGrid --subscription ${subscriptionId} --wait`,
  );
}

/** Finds the event subscription and judges its state; undefined when there is none to inspect. */
export async function checkEventSubscription(
  azure: Azure,
  { scope, eventSubscriptionName: name, clientId }: InputTarget,
): Promise<{ readonly findings: Finding[]; readonly subscription?: EventSubscription }> {
  const finding = findings("event-subscription");
  if (scope === undefined) {
    const remedy = "give --scope <id>, or --event-subscription <id> from Terraform's outputs";
    return { findings: [finding.unknown("the scope is not known", remedy)] };
  }
  const root = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions`;
  const answer = await findSubscription(azure, root, name, clientId);
  const found = at(answer, "found");
  if (found === undefined) {
    if (answer.status !== 200 && answer.status !== 404) {
      return { findings: [finding.unreadable("the event subscription", answer)] };
    }
    const missingScope = await checkScope(azure, scope);
    if (missingScope !== undefined) return { findings: [missingScope] };
    const which = name === undefined ? `for the application ${clientId}` : `"${name}"`;
    const remedy = "run terraform apply; after a failed handshake the subscription may be missing";
    return { findings: [finding.failed(`there is no event subscription ${which}`, remedy)] };
  }
  const foundName = textAt(found, "name") ?? name ?? "";
  const properties = at(found, "properties");
  const id = textAt(found, "id") ?? `${root}/${foundName}`;
  const subscription = { id, scope, name: foundName, properties };
  return { findings: [judgeState(subscription)], subscription };
}

async function findSubscription(
  azure: Azure,
  root: string,
  name: string | undefined,
  clientId: string,
): Promise<Answer & { readonly found?: unknown }> {
  if (name !== undefined) {
    const answer = await azure.arm(`${root}/${name}`, EVENT_GRID_API);
    return answer.status === 200 ? { ...answer, found: answer.body } : answer;
  }
  const answer = await azure.list(azure.arm(root, EVENT_GRID_API));
  const found = answer.items.find((item) => sameId(audienceOf(at(item, "properties")), clientId));
  return found === undefined ? answer : { ...answer, found };
}

/** Says that the scope does not exist; undefined when it does, or when that cannot be known. */
async function checkScope(azure: Azure, scope: string): Promise<Finding | undefined> {
  const finding = findings("scope");
  const remedy = "check the definition's scope, and whether the resource was deleted";
  if (/\/providers\/Microsoft\.EventGrid\/topics\/[^/]+$/i.test(scope)) {
    const { status } = await azure.arm(scope, EVENT_GRID_API);
    return status === 404 ? finding.failed(`the topic ${scope} does not exist`, remedy) : undefined;
  }
  const [, subscription, group, resource] =
    /^(\/subscriptions\/[^/]+)(\/resourceGroups\/[^/]+)?(\/providers\/.+)?$/i.exec(scope) ?? [];
  if (group === undefined) return undefined;
  const { status } = await azure.arm(`${subscription}${group}`, "2021-04-01");
  if (status === 404) {
    return finding.failed(`the resource group of ${scope} does not exist`, remedy);
  }
  if (resource === undefined) return undefined;
  const name = scope.split("/").at(-1);
  const list = await azure.list(
    azure.arm(`${subscription}${group}/resources`, "2021-04-01", { $filter: `name eq '${name}'` }),
  );
  const exists = list.items.some((item) => sameId(textAt(item, "id"), scope));
  if (list.status !== 200 || exists) return undefined;
  return finding.failed(`the resource ${scope} does not exist`, remedy);
}

function judgeState({ name, properties }: EventSubscription): Finding {
  const finding = findings("event-subscription");
  const state = textAt(properties, "provisioningState") ?? "Succeeded";
  const expires = textAt(properties, "expirationTimeUtc");
  if (expires !== undefined && Date.parse(expires) <= Date.now()) {
    const remedy =
      "set a later expiration time and apply again; an expired subscription is deleted";
    return finding.failed(`"${name}" expired at ${expires}`, remedy);
  }
  if (/^Succeeded$/i.test(state)) return finding.ok(`"${name}" exists and is enabled`);
  if (/^(Creating|Updating)$/i.test(state)) {
    const remedy = "wait a minute and run the command again";
    return finding.unknown(`"${name}" is being changed (${state})`, remedy);
  }
  const remedy =
    "make the webhook answer the handshake (cloud-eventgrid probe), then update the subscription: " +
    "terraform apply -replace=<its address>";
  return finding.failed(`"${name}" is in the state ${state}: nothing is delivered`, remedy);
}

/** Whether the subscription delivers to this webhook, in its schema and with its application. */
export function checkDestination(
  { properties, name }: EventSubscription,
  { endpoint, path, clientId, tenantId }: InputTarget,
): Finding[] {
  const finding = findings("destination");
  const apply = "run terraform apply, or correct the definition that you gave";
  const destination = destinationOf(properties);
  const type = textAt(destination, "endpointType");
  if (type !== "WebHook") {
    return [finding.failed(`"${name}" delivers to ${type ?? "nothing"}, not to a webhook`, apply)];
  }
  const problems: Finding[] = [];
  const actual = textAt(destination, "properties", "endpointBaseUrl") ?? "";
  const wanted = endpoint?.replace(/[?#].*$/s, "");
  const actualPath = URL.canParse(actual) ? new URL(actual).pathname : "";
  if (wanted !== undefined && wanted !== actual) {
    problems.push(finding.failed(`"${name}" delivers to ${actual}, not to ${wanted}`, apply));
  } else if (wanted === undefined && path !== undefined && path !== actualPath) {
    const remedy = `${apply}; a gateway that rewrites paths makes the difference harmless`;
    problems.push(
      finding.warning(`"${name}" delivers to ${actual}, but the listener serves ${path}`, remedy),
    );
  }
  const schema = textAt(properties, "eventDeliverySchema");
  if (schema !== undefined && schema !== "CloudEventSchemaV1_0") {
    problems.push(finding.failed(`"${name}" delivers in ${schema}, not as CloudEvents`, apply));
  }
  const audience = audienceOf(properties);
  if (audience === undefined) {
    const message = `"${name}" delivers without a token: the listener answers 401`;
    problems.push(finding.failed(message, apply));
  } else if (
    !sameId(audience, clientId) &&
    !audience.toLowerCase().includes(clientId.toLowerCase())
  ) {
    const message = `its tokens are for the application ${audience}, but the listener expects ${clientId}`;
    problems.push(finding.failed(message, apply));
  }
  const tenant = textAt(destination, "properties", "azureActiveDirectoryTenantId");
  if (audience !== undefined && tenant !== undefined && !sameId(tenant, tenantId)) {
    const message = `its tokens are from the tenant ${tenant}, but the listener expects ${tenantId}`;
    problems.push(finding.failed(message, apply));
  }
  return problems.length > 0 ? problems : [finding.ok(`"${name}" delivers to ${actual}`)];
}

/** The registered URL without its query. */
export function registeredUrl({ properties }: EventSubscription): string | undefined {
  return textAt(destinationOf(properties), "properties", "endpointBaseUrl");
}

/** Whether the filter lets the binding's event types through. */
export function checkFilters(
  { properties }: EventSubscription,
  { eventTypes }: InputTarget,
): Finding {
  const finding = findings("filters");
  const filter = at(properties, "filter");
  const included = at(filter, "includedEventTypes");
  const types = Array.isArray(included) ? included.map(String) : [];
  const filtersAll = types.length === 0 || types.includes("All");
  const excluded = filtersAll ? [] : eventTypes.filter((type) => !includesType(types, type));
  if (excluded.length > 0) {
    return finding.failed(
      `the subscription's filter excludes ${excluded.join(", ")}; it includes ${types.join(", ")}`,
      "add the types to the binding's events and apply again",
    );
  }
  const advanced = at(filter, "advancedFilters");
  const more = [
    ...(textAt(filter, "subjectBeginsWith") ? ["a beginning of the subject"] : []),
    ...(textAt(filter, "subjectEndsWith") ? ["an end of the subject"] : []),
    ...(Array.isArray(advanced) && advanced.length > 0 ? ["advanced filters"] : []),
  ];
  const what = filtersAll ? "every type passes" : `the types ${types.join(", ")} pass`;
  const also = more.length > 0 ? `; events must also match ${more.join(" and ")}` : "";
  return finding.ok(`${what}${also}`);
}

function includesType(types: readonly string[], type: string): boolean {
  return types.some((each) => each.toLowerCase() === type.toLowerCase());
}

/** The destination, with or without a managed identity. */
function destinationOf(properties: unknown): unknown {
  return (
    at(properties, "destination") ?? at(properties, "deliveryWithResourceIdentity", "destination")
  );
}

function audienceOf(properties: unknown): string | undefined {
  const destination = destinationOf(properties);
  return textAt(destination, "properties", "azureActiveDirectoryApplicationIdOrUri");
}

/** Whether two IDs are the same; Azure compares them without regard to case. */
export function sameId(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
