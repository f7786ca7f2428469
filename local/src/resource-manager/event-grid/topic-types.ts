import type { Router } from "../../api/index.js";
import { serviceError } from "../../base/index.js";
import { resourceManagerEventTypes, systemEventFamilies } from "../../eventgrid/index.js";
import type { Resources } from "../engine/index.js";
import { regions, resourceNotFound } from "../resources/index.js";

interface TopicType {
  /** For example `Microsoft.Storage.StorageAccounts`. */
  readonly name: string;
  readonly displayName: string;
  readonly isGlobal: boolean;
  /** The form of the sources' IDs; `undefined` for Event Grid's own resources. */
  readonly sourceFormat: string | undefined;
  readonly eventTypes: readonly string[];
  /** Those of subscriptions that name none. */
  readonly defaultTypes: readonly string[];
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  "Microsoft.ApiManagement/service": "Azure API Management Service",
  "Microsoft.AppConfiguration/configurationStores": "Microsoft Azure App Configuration",
  "Microsoft.Cache/Redis": "Microsoft Azure Cache for Redis",
  "Microsoft.Communication/communicationServices": "Azure Communication Services",
  "Microsoft.ContainerRegistry/registries": "Azure Container Registry",
  "Microsoft.Devices/IotHubs": "Azure IoT Hub Accounts",
  "Microsoft.EventGrid/Domains": "Event Grid Domains",
  "Microsoft.EventGrid/Topics": "Event Grid Topics",
  "Microsoft.EventHub/namespaces": "Event Hubs Namespaces",
  "Microsoft.HealthcareApis/workspaces": "Azure Health Data Services",
  "Microsoft.KeyVault/vaults": "Microsoft Key Vault",
  "Microsoft.MachineLearningServices/workspaces": "Machine Learning Workspaces",
  "Microsoft.Maps/accounts": "Azure Maps Accounts",
  "Microsoft.Resources/ResourceGroups": "Resource Groups",
  "Microsoft.Resources/Subscriptions": "Azure Subscriptions",
  "Microsoft.ServiceBus/namespaces": "Service Bus Namespaces",
  "Microsoft.SignalRService/SignalR": "Azure SignalR Service",
  "Microsoft.Storage/storageAccounts": "Storage Accounts (Blob & GPv2)",
  "Microsoft.Web/serverfarms": "App Service Plans",
  "Microsoft.Web/sites": "App Services",
};

/** Types without a region. */
const GLOBAL = [
  "Microsoft.Communication/communicationServices",
  "Microsoft.Maps/accounts",
  "Microsoft.Resources/ResourceGroups",
  "Microsoft.Resources/Subscriptions",
];

/** Names that are not the resource type with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  "Microsoft.Devices/IotHubs": "Microsoft.Devices.IoTHubs",
  "Microsoft.EventHub/namespaces": "Microsoft.Eventhub.Namespaces",
  "Microsoft.KeyVault/vaults": "Microsoft.KeyVault.vaults",
  "Microsoft.Web/serverfarms": "Microsoft.Web.ServerFarms",
};

const SUBSCRIPTION = "/subscriptions/<subscriptionId>";
const GROUP = `${SUBSCRIPTION}/resourceGroups/<resourceGroupName>`;

const topicTypes: readonly TopicType[] = [
  ...systemEventFamilies.flatMap(({ resourceType, types, defaultTypes }) =>
    resourceType === undefined
      ? []
      : [topicType(resourceType, types, `${GROUP}/providers/${resourceType}/<name>`, defaultTypes)],
  ),
  // Their events are not known here.
  ...["Microsoft.AgFoodPlatform/farmBeats", "Microsoft.Maintenance/maintenanceConfigurations"].map(
    (resourceType) => topicType(resourceType, [], `${GROUP}/providers/${resourceType}/<name>`),
  ),
  topicType("Microsoft.EventGrid/Topics", []),
  topicType("Microsoft.EventGrid/Domains", []),
  topicType("Microsoft.Resources/ResourceGroups", resourceManagerEventTypes, GROUP),
  topicType("Microsoft.Resources/Subscriptions", resourceManagerEventTypes, SUBSCRIPTION),
];

function topicType(
  resourceType: string,
  eventTypes: readonly string[],
  sourceFormat?: string,
  defaultTypes: readonly string[] = eventTypes,
): TopicType {
  const capital = resourceType.replace(/\/./, (start) => start.toUpperCase()).replace("/", ".");
  return {
    name: NAMES[resourceType] ?? capital,
    displayName: DISPLAY_NAMES[resourceType] ?? resourceType,
    isGlobal: GLOBAL.includes(resourceType),
    sourceFormat,
    eventTypes,
    defaultTypes,
  };
}

/** The topic type of a scope, by its resource type. */
export function topicTypeOf(scope: string): string {
  const provider = /\/providers\/([^/]*)\/([^/]*)/i.exec(scope);
  if (provider) return `${provider[1]}.${provider[2]}`;
  return /\/resourceGroups\//i.test(scope)
    ? "Microsoft.Resources.ResourceGroups"
    : "Microsoft.Resources.Subscriptions";
}

/** Topic types whose events are not known here, and whose sources are subscriptions. */
const OTHERS = /^Microsoft\.(PolicyInsights\.PolicyStates|ResourceNotifications\.\w+)$/i;

/** A topic type by its name, which has no case. */
export function topicTypeNamed(
  name: string,
): Pick<TopicType, "isGlobal" | "sourceFormat"> | undefined {
  if (OTHERS.test(name)) return { isGlobal: true, sourceFormat: undefined };
  return topicTypes.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

/** Topic types and their event types; every principal may read them. */
export function addTopicTypeRoutes(
  router: Router,
  { resources }: { readonly resources: Resources },
): void {
  const root = "/providers/Microsoft.EventGrid/topicTypes";
  const find = (name: string) => {
    const found = topicTypes.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw serviceError.NotFound(`The topic type '${name}' was not found.`);
  };
  router.get(root, () => ({ value: topicTypes.map(answerOf) }));
  router.get(`${root}/:name`, (_, parameter) => answerOf(find(parameter("name"))));
  router.get(`${root}/:name/eventTypes`, (_, parameter) =>
    eventTypeAnswers(find(parameter("name"))),
  );
  router.get(
    "/subscriptions/:s/resourceGroups/:group/providers/:namespace/:type/:resource/providers/Microsoft.EventGrid/eventTypes",
    ({ path }, parameter) => {
      const id = path.replace(/\/providers\/Microsoft\.EventGrid\/eventTypes.*/i, "");
      const isOwn = parameter("namespace").toLowerCase() === "microsoft.eventgrid";
      if (isOwn && !resources.get(id)) throw resourceNotFound(id);
      return eventTypeAnswers(find(`${parameter("namespace")}.${parameter("type")}`));
    },
  );
}

function answerOf({ name, displayName, isGlobal, sourceFormat }: TopicType) {
  return {
    id: `providers/Microsoft.EventGrid/topicTypes/${name}`,
    name,
    type: "Microsoft.EventGrid/topicTypes",
    properties: {
      provider: name.slice(0, name.lastIndexOf(".")),
      displayName,
      description: `Events of ${displayName}.`,
      resourceRegionType: isGlobal ? "GlobalResource" : "RegionalResource",
      provisioningState: "Succeeded",
      ...(!isGlobal && { supportedLocations: regions }),
      ...(sourceFormat !== undefined && { sourceResourceFormat: sourceFormat }),
    },
  };
}

function eventTypeAnswers({ name, eventTypes, defaultTypes }: TopicType) {
  const value = eventTypes.map((eventType) => ({
    id: `providers/Microsoft.EventGrid/topicTypes/${name}/eventTypes/${eventType}`,
    name: eventType,
    type: "Microsoft.EventGrid/topicTypes/eventTypes",
    properties: {
      displayName: eventType
        .split(".")
        .at(-1)
        ?.replace(/(?<=[a-z])(?=[A-Z])/g, " "),
      description: `Raised by the source as ${eventType}.`,
      schemaUrl: "https://aka.ms/azure-event-grid-event-schemas",
      isInDefaultSet: defaultTypes.includes(eventType),
    },
  }));
  return { value };
}
