import type { Router } from "../../api/index.js";
import { ServiceError } from "../../base/index.js";
import { resourceManagerEventTypes, systemEventFamilies } from "../../eventgrid/index.js";
import { locations } from "../resources/index.js";

interface TopicType {
  /** For example `Microsoft.Storage.StorageAccounts`. */
  readonly name: string;
  readonly resourceType: string;
  readonly isGlobal: boolean;
  readonly eventTypes: readonly string[];
  /** Those of subscriptions that name none. */
  readonly defaultTypes: readonly string[];
}

const topicTypes: readonly TopicType[] = [
  ...systemEventFamilies.flatMap(({ resourceType, types, defaultTypes }) =>
    resourceType === undefined ? [] : [topicType(resourceType, types, defaultTypes)],
  ),
  topicType("Microsoft.EventGrid/Topics", []),
  topicType("Microsoft.EventGrid/Domains", []),
  ...["ResourceGroups", "Subscriptions"].map((kind) => ({
    ...topicType(`Microsoft.Resources/${kind}`, resourceManagerEventTypes),
    isGlobal: true,
  })),
];

function topicType(
  resourceType: string,
  eventTypes: readonly string[],
  defaultTypes: readonly string[] = eventTypes,
): TopicType {
  const name = resourceType.replace("/", ".");
  return { name, resourceType, isGlobal: false, eventTypes, defaultTypes };
}

/** The topic type of a scope, by its resource type. */
export function topicTypeOf(scope: string): string {
  const provider = /\/providers\/([^/]+)\/([^/]+)/i.exec(scope);
  if (provider) return `${provider[1]}.${provider[2]}`;
  return /\/resourceGroups\//i.test(scope)
    ? "Microsoft.Resources.ResourceGroups"
    : "Microsoft.Resources.Subscriptions";
}

/** Topic types and their event types; every principal may read them. */
export function addTopicTypeRoutes(router: Router): void {
  const root = "/providers/Microsoft.EventGrid/topicTypes";
  const find = (name: string) => {
    const found = topicTypes.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw new ServiceError(404, "NotFound", `The topic type '${name}' was not found.`);
  };
  router.on("GET", root, () => ({ status: 200, body: { value: topicTypes.map(answerOf) } }));
  router.on("GET", `${root}/:name`, (_, parameter) => ({
    status: 200,
    body: answerOf(find(parameter("name"))),
  }));
  router.on("GET", `${root}/:name/eventTypes`, (_, parameter) => ({
    status: 200,
    body: { value: eventTypeAnswers(find(parameter("name"))) },
  }));
  router.on(
    "GET",
    "/subscriptions/:s/resourceGroups/:group/providers/:namespace/:type/:resource/providers/Microsoft.EventGrid/eventTypes",
    (_, parameter) => {
      const type = find(`${parameter("namespace")}.${parameter("type")}`);
      return { status: 200, body: { value: eventTypeAnswers(type) } };
    },
  );
}

function answerOf({ name, resourceType, isGlobal }: TopicType) {
  return {
    id: `providers/Microsoft.EventGrid/topicTypes/${name}`,
    name,
    type: "Microsoft.EventGrid/topicTypes",
    properties: {
      provider: resourceType.split("/")[0],
      displayName: resourceType.split("/")[1],
      description: `Events of ${resourceType}.`,
      resourceRegionType: isGlobal ? "GlobalResource" : "RegionalResource",
      provisioningState: "Succeeded",
      supportedLocations: isGlobal ? [] : locations,
      supportedScopesForSource: ["Resource"],
    },
  };
}

function eventTypeAnswers({ name, eventTypes, defaultTypes }: TopicType) {
  return eventTypes.map((eventType) => ({
    id: `providers/Microsoft.EventGrid/topicTypes/${name}/eventTypes/${eventType}`,
    name: eventType,
    type: "Microsoft.EventGrid/topicTypes/eventTypes",
    properties: {
      displayName: eventType.split(".").at(-1),
      description: `Raised by the source as ${eventType}.`,
      schemaUrl: "https://aka.ms/azure-event-grid-event-schemas",
      isInDefaultSet: defaultTypes.includes(eventType),
    },
  }));
}
