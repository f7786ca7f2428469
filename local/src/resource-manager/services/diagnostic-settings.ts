import {
  attachedTo,
  field,
  listAt,
  objectAt,
  propertiesIn,
  sameScope,
  serviceError,
  textAt,
  typeOf,
} from "../../base/index.js";
import type { Resource, Resources, ResourceType } from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";

const SETTINGS_TYPE = "Microsoft.Insights/diagnosticSettings";

/**
 * The categories of logs of Event Grid's resources.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-logs/microsoft-eventgrid-topics-logs
 */
const logCategories: Readonly<Record<string, readonly string[]>> = {
  "microsoft.eventgrid/topics": ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"],
  "microsoft.eventgrid/domains": ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"],
  "microsoft.eventgrid/systemtopics": ["DeliveryFailures"],
  "microsoft.eventgrid/namespaces": [
    ...["FailedHttpDataPlaneOperations", "FailedMqttConnections", "FailedMqttPublishedMessages"],
    ...["FailedMqttSubscriptionOperations", "MqttDisconnections"],
    ...["SuccessfulHttpDataPlaneOperations", "SuccessfulMqttConnections"],
  ],
};

const SINKS = ["workspaceId", "storageAccountId", "eventHubAuthorizationRuleId"];

/** Diagnostic settings of any resource. */
export function diagnosticSettings(resources: Resources): ResourceType {
  return {
    type: SETTINGS_TYPE,
    scope: "any",
    writeStatus: 200,
    isTracked: false,
    onWrite: (setting) => {
      checkSetting(setting, resources);
      return setting;
    },
    // Unlike other types, settings at a scope are not those of the resources in it.
    list: (scope) => {
      requireKnown(resources, scope);
      return settingsOf(resources, scope);
    },
    properties: () => ({
      ...Object.fromEntries(SINKS.map((sink) => [sink, null])),
      eventHubName: null,
      serviceBusRuleId: null,
      marketplacePartnerId: null,
      logAnalyticsDestinationType: null,
    }),
    computed: ({ body }) => {
      const categories = (list: string, unwritten: object) =>
        listAt(propertiesIn(body), list).map((each) => ({
          ...unwritten,
          retentionPolicy: { enabled: false, days: 0 },
          ...objectAt(each),
        }));
      return {
        logs: categories("logs", { category: null, categoryGroup: null }),
        metrics: categories("metrics", { timeGrain: null }),
      };
    },
  };
}

/** @throws ServiceError 404 for a resource of Event Grid that does not exist. Others may be elsewhere */
function requireKnown(resources: Resources, scope: string): void {
  const isOfEventGrid = Object.hasOwn(logCategories, typeOf(scope).toLowerCase());
  if (isOfEventGrid && !resources.get(scope)) throw resourceNotFound(scope);
}

/** @throws ServiceError 400, 404 or 409 */
function checkSetting({ id, body }: Resource, resources: Resources): void {
  const scope = attachedTo(id);
  const known = logCategories[typeOf(scope).toLowerCase()];
  requireKnown(resources, scope);
  const logs = listAt(propertiesIn(body), "logs");
  const named = logs.flatMap((each) => textAt(each, "category") ?? []);
  const grouped = logs.flatMap((each) => textAt(each, "categoryGroup") ?? []);
  const metrics = listAt(propertiesIn(body), "metrics").map((each) => textAt(each, "category"));
  const sinks = sinksOf(body);
  const bad = (message: string) => serviceError.BadRequest(message);
  if (sinks.length === 0 && !textAt(propertiesIn(body), "marketplacePartnerId")) {
    throw bad(`At least one data sink needs to be specified: ${SINKS.join(", ")}.`);
  }
  if (named.length > 0 && grouped.length > 0) {
    throw bad("Diagnostic setting does not support mix of log category and log category group.");
  }
  const wrong = known && named.find((each) => !known.includes(each));
  if (wrong) {
    throw bad(`Category '${wrong}' is not supported. Supported categories: ${known.join(", ")}.`);
  }
  const wrongMetric = known && metrics.find((each) => each !== "AllMetrics");
  if (wrongMetric) throw bad(`Metric category '${wrongMetric}' is not supported.`);
  for (const other of settingsOf(resources, scope)) {
    const sink = sinksOf(other.body).find((each) => sinks.some((own) => sameScope(own, each)));
    const used = listAt(propertiesIn(other.body), "logs")
      .filter((each) => field(each, "enabled"))
      .flatMap((each) => [field(each, "category"), field(each, "categoryGroup")]);
    const shared = [...named, ...grouped].find((category) => used.includes(category));
    if (sameScope(other.id, id) || sink === undefined || shared === undefined) continue;
    throw serviceError.Conflict(
      `Data sink '${sink}' is already used in diagnostic setting '${other.name}' for category '${shared}'. Data sinks can't be reused in different settings on the same category for the same resource.`,
    );
  }
}

function sinksOf(body: Resource["body"]): string[] {
  return SINKS.flatMap((sink) => textAt(propertiesIn(body), sink) || []);
}

function settingsOf({ store }: Resources, scope: string): Resource[] {
  return store
    .list()
    .filter(({ id, type }) => type === SETTINGS_TYPE && sameScope(attachedTo(id), scope));
}
