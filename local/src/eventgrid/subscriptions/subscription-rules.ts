import {
  checkOptions,
  checkScope,
  groupOf,
  hyphenated,
  invalidRequest,
  isOfType,
  isScope,
  isSubscription,
  nearName,
  sameText,
  scopeProblem,
} from "../../base/index.js";
import { type Directory, EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import { optionLike } from "../body-schemas.js";
import { functionAppOf } from "../destinations/index.js";
import { deliverySchemas, type InputSchema, systemDeliverySchemas } from "../events/index.js";
import { knownTypesOf } from "../system-events/index.js";
import { exclusionProblems, type Properties } from "./delivery-settings.js";
import {
  type EventSubscriptionSettings,
  identityExclusions,
  type NewEventSubscription,
  propertiesOf,
  settingProblems,
  settingsOf,
} from "./settings.js";
import type { EventSubscription } from "./subscription-store.js";

export interface WrittenSubscription {
  readonly name: string;
  readonly scope: string;
  /** Without nulls. */
  readonly properties: Properties;
}

export interface CheckedSubscription extends WrittenSubscription {
  readonly settings: EventSubscriptionSettings;
}

const NAME = hyphenated(3, 64);

/** Schema of an event subscription in a configuration file, limits included. */
export const subscriptionSchema = optionLike("EventSubscription", limitProblems);

function* limitProblems(props: NewEventSubscription): Generator<string> {
  const { name, scope, endpointUrl } = props;
  yield* nameProblems(name);
  if (!isScope(scope)) yield scopeProblem(scope);
  yield* endpointProblems({ endpointUrl });
  const properties = propertiesOf(props, { subscriptionId: "", isTopic: true });
  const settings = settingsOf(properties, { tenantId: "", inputSchema: undefined });
  yield* exclusionProblems(props);
  yield* settingProblems(settings);
}

/** @throws LocalCloudError `ERR_OPTIONS` for settings of the wrong type */
export function checkNewSubscription(props: NewEventSubscription): void {
  const schema = optionLike<NewEventSubscription>("EventSubscription");
  checkOptions(schema, props, "Invalid options of an event subscription");
}

/**
 * Reads the settings of a subscription from its properties, and checks them.
 *
 * @param problems of the same settings that were found before
 * @throws ServiceError with everything that the service would refuse
 */
export function checkSubscription(
  { name, scope, properties }: WrittenSubscription,
  cloud: {
    readonly subscriptionIds: readonly string[];
    readonly tenantId: string;
    readonly scopes: { inputSchemaOf(scope: string): InputSchema | undefined };
  },
  problems: readonly string[] = [],
): CheckedSubscription {
  const normalized = checkScope(scope, cloud.subscriptionIds);
  const inputSchema = cloud.scopes.inputSchemaOf(normalized);
  const settings = settingsOf(properties, { tenantId: cloud.tenantId, inputSchema });
  const all = [
    ...nameProblems(name),
    ...scopeProblems(normalized),
    ...endpointProblems(settings),
    ...identityExclusions(properties),
    ...problems,
    ...settingProblems(settings),
    ...schemaProblems(settings, inputSchema),
    ...(inputSchema ? [] : eventTypeProblems(settings, normalized)),
    ...alertProblems(settings, normalized),
  ];
  if (all.length > 0) throw invalidRequest(all.join(" "));
  return { name, scope: normalized, properties, settings };
}

function* nameProblems(name: string): Generator<string> {
  if (NAME.allows(name)) return;
  yield `Event subscription name '${name}' is invalid: it must have ${NAME}.`;
}

/** A system topic raises nothing itself, so that a subscription to it would get no event. */
function* scopeProblems(scope: string): Generator<string> {
  if (!isOfType(scope, "Microsoft.EventGrid/systemTopics")) return;
  yield `The scope '${scope}' is a system topic. Use the resource that is its source.`;
}

/** Key vaults, and subscriptions, whose health resources raise events. */
const raisesAlerts = (scope: string) =>
  isSubscription(scope) || isOfType(scope, "Microsoft.KeyVault/vaults");

/** @see https://learn.microsoft.com/azure/event-grid/handler-azure-monitor-alerts */
function* alertProblems(
  { destination }: EventSubscriptionSettings,
  scope: string,
): Generator<string> {
  if (destination?.endpointType !== "MonitorAlert" || raisesAlerts(scope)) return;
  yield `Alerts of Azure Monitor are for events of key vaults and of health resources, not of '${scope}'.`;
}

/** Azure's own words for every endpoint that it does not take. */
const ENDPOINT_PROBLEM =
  "Invalid event subscription request: The endpoint URL is invalid as it should be specified and cannot be null or empty and should follow the proper https URL format (e.g., https://www.example.com).";

function* endpointProblems({
  endpointUrl,
}: Pick<EventSubscriptionSettings, "endpointUrl">): Generator<string> {
  if (endpointUrl === undefined || isHttps(endpointUrl)) return;
  yield ENDPOINT_PROBLEM;
}

function* schemaProblems(
  { deliverySchema, destination }: EventSubscriptionSettings,
  inputSchema: InputSchema | undefined,
): Generator<string> {
  const isPlain =
    destination?.endpointType === "NamespaceTopic" || destination?.endpointType === "MonitorAlert";
  if (isPlain && deliverySchema !== "CloudEventSchemaV1_0") {
    yield `A destination of the type ${destination.endpointType} needs the event delivery schema 'CloudEventSchemaV1_0', not '${deliverySchema}'.`;
  }
  const supported = inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas;
  if (supported.includes(deliverySchema)) return;
  const source = inputSchema
    ? `a topic with the input schema '${inputSchema}'`
    : "events of Azure services";
  yield `The event delivery schema '${deliverySchema}' is not supported for ${source}. Supported: ${supported.join(", ")}.`;
}

/** Types of other system topics whose source is an Azure subscription, too. */
const OF_SUBSCRIPTIONS = ["microsoft.policyinsights.", "microsoft.resourcenotifications."];

/**
 * Types of events that an Azure service does not raise.
 *
 * @see https://learn.microsoft.com/azure/event-grid/subscription-creation-schema#filter-object
 */
function* eventTypeProblems(
  { filter }: EventSubscriptionSettings,
  scope: string,
): Generator<string> {
  const known = knownTypesOf(scope);
  if (!known) return;
  const isResource = /\/providers\//i.test(scope);
  for (const type of filter.includedEventTypes ?? []) {
    // The default of old versions.
    if (sameText(type, "All")) continue;
    const isOther = OF_SUBSCRIPTIONS.some((start) => type.toLowerCase().startsWith(start));
    if (!isResource && isOther) continue;
    if (known.some((each) => sameText(each, type)) || isShortType(type, scope)) continue;
    const meant = known.find((each) => each.split(".").at(-1) === type) ?? nearName(type, known);
    const remedy = meant ? `Did you mean ${meant}?` : `It raises ${known.join(", ")}.`;
    yield `The event type '${type}' is not one that '${scope}' raises. ${remedy}`;
  }
}

const STORAGE_ACCOUNT = "/providers/Microsoft.Storage/storageAccounts/any";
const storageTypes = knownTypesOf(STORAGE_ACCOUNT) ?? [];

/**
 * Whether a type is `blobCreated` or alike, which Azure accepted for resource groups and storage accounts
 * when Microsoft's suites were recorded. No page says which events such a type matches.
 */
function isShortType(type: string, scope: string): boolean {
  const isRecorded =
    scope === groupOf(scope) || isOfType(scope, "Microsoft.Storage/storageAccounts");
  return (
    isRecorded && storageTypes.some((each) => sameText(each.slice(each.lastIndexOf(".") + 1), type))
  );
}

/** Explains why a subscription gets no events. */
export function warnOfShortTypes({ name, scope, settings }: CheckedSubscription): void {
  for (const type of settings.filter.includedEventTypes ?? []) {
    if (!isShortType(type, scope)) continue;
    process.emitWarning(
      `The event subscription '${name}' includes the event type '${type}', which is not in Microsoft's documentation and matches no event here. Write Microsoft.Storage.${type}.`,
    );
  }
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

/**
 * Checks that Event Grid can get a token for the webhook.
 *
 * @throws ServiceError if the tenant lacks the application that protects the webhook, its service
 * principal or Event Grid's own
 */
export function checkWebhookApplication(
  { settings }: EventSubscription,
  directory: Directory,
): void {
  const { clientId, tenantId } = settings;
  if (clientId === undefined) return;
  const tenant = directory.tenant(tenantId);
  if (!tenant?.principalOf(clientId)) {
    throw invalidRequest(
      `The application '${clientId}' that protects the webhook, or its service principal, was not found in the tenant '${tenantId}'.`,
    );
  }
  if (!tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID)) {
    throw invalidRequest(
      `The tenant '${tenantId}' has no service principal for Event Grid's application ${EVENT_GRID_CLIENT_ID}.`,
    );
  }
}

/**
 * Checks that a function's host has a local address, so that no event leaves for one in Azure.
 *
 * @throws ServiceError if the ingress table has none for the function app
 */
export function checkFunctionApp(
  { settings: { destination, endpointUrl } }: EventSubscription,
  ingress: { resolve(url: URL): URL | undefined },
): void {
  if (
    destination?.endpointType !== "AzureFunction" ||
    ingress.resolve(new URL(String(endpointUrl)))
  )
    return;
  const app = functionAppOf(String(destination.properties.resourceId));
  throw invalidRequest(
    `The function app '${app}' has no local address. Start the local Azure with --function-app ${app}=http://127.0.0.1:7071, or LocalCloud with the option functionApps, where func start listens.`,
  );
}
