import type { Router } from "../../../api/index.js";
import {
  checkScope,
  field,
  groupOf,
  invalidRequest,
  isObject,
  listAt,
  objectAt,
  ServiceError,
} from "../../../base/index.js";
import {
  defaultTypesOf,
  type EventSubscription,
  knownTypesOf,
  topicIdOf,
  withDefaultTypes,
  withoutQuery,
} from "../../../eventgrid/index.js";
import {
  isOfType,
  type Resource,
  type ResourceType,
  shownPlainly,
  typeOf,
} from "../../engine/index.js";
import {
  type Action,
  groupNotFound,
  parentNotFound,
  resourceNotFound,
} from "../../resources/index.js";
import { eventGridLists, eventSubscriptionFields } from "../field-rules.js";
import type { EventGridState } from "../state.js";
import { DOMAIN_TYPE, SYSTEM_TOPIC_TYPE, sourceOf, TOPIC_TYPE } from "../topic-resources.js";
import { patched } from "./event-subscription-patch.js";
import { metricsAnswer } from "./metrics-answer.js";
import { requireDeadLetterRole, requireSecureWebhookRoles } from "./writer-rules.js";

export const EVENT_SUBSCRIPTION_TYPE = "Microsoft.EventGrid/eventSubscriptions";
const BELOW_SYSTEM_TOPIC = `${SYSTEM_TOPIC_TYPE}/eventSubscriptions`;

/**
 * Event subscriptions at any scope, and those below topics, domains and system topics. The scope of
 * the latter is the source.
 */
export function eventSubscriptionResources(state: EventGridState): ResourceType[] {
  return [
    { ...eventSubscriptionType(state), scope: "any" },
    ...[
      BELOW_SYSTEM_TOPIC,
      `${TOPIC_TYPE}/eventSubscriptions`,
      `${DOMAIN_TYPE}/eventSubscriptions`,
      `${DOMAIN_TYPE}/topics/eventSubscriptions`,
    ].map((type) => eventSubscriptionType(state, type)),
  ];
}

export function eventSubscriptionType(
  state: EventGridState,
  type = EVENT_SUBSCRIPTION_TYPE,
): ResourceType {
  const { eventSubscriptions } = state;
  const collection = type === EVENT_SUBSCRIPTION_TYPE ? `providers/${type}` : "eventSubscriptions";
  return {
    type,
    ...eventGridLists,
    fields: eventSubscriptionFields,
    isOperation: true,
    read: {
      get: (id) => {
        const subscription = find(state, id);
        return subscription && resourceOf(subscription, id);
      },
    },
    list: (parent) => {
      const root = `${parent}/${collection}`;
      const listed = eventSubscriptions.list(scopeOf(state, root));
      return listed.map((each) => resourceOf(each, `${root}/${each.name}`));
    },
    patch: ({ id }, changes) => ({ properties: patched(get(state, id).properties, changes) }),
    onWrite: ({ id, name, body }, { request: { caller, method } }) => {
      const scope = scopeOf(state, id);
      const sent = objectAt(body, "properties");
      // A PUT that leaves out the schema keeps it, and its response does not show it.
      const kept = eventSubscriptions.get(scope, name)?.settings.deliverySchema;
      const written = { eventDeliverySchema: kept, ...sent };
      const properties = isCustomTopic(state, scope)
        ? written
        : withDefaultTypes(written, defaultTypesOf(scope) ?? knownTypesOf(scope));
      const { subscription, completed, awaitingManualAction } = eventSubscriptions.write(
        { name, scope, properties },
        (wanted) => {
          requireSecureWebhookRoles(state.directory, caller, wanted.settings);
          requireDeadLetterRole(state, wanted);
        },
      );
      const shown = {
        ...subscription,
        properties: { ...subscription.properties, eventDeliverySchema: sent.eventDeliverySchema },
      };
      const isChanging = method === "PUT";
      return { ...resourceOf(shown, id, isChanging), completed, awaiting: awaitingManualAction };
    },
    onDelete: ({ id, name }) => void eventSubscriptions.delete(scopeOf(state, id), name),
    show: shownPlainly,
    notFound: subscriptionNotFound,
    checkParent: (id, action) => requireParent(state, id.replace(BELOW_PARENT, ""), action),
    actions: {
      // The only way to read the URL with its query, which may contain a secret.
      getFullUrl: ({ id }) => {
        const { endpointUrl, destination } = get(state, id).settings;
        if (endpointUrl === undefined || destination)
          throw invalidRequest("Only webhooks have a full URL.");
        return { endpointUrl };
      },
      getDeliveryAttributes: ({ id }) => ({ value: deliveryAttributes(get(state, id)) }),
    },
  };
}

/** The metrics of event subscriptions, which Azure Monitor serves. */
export function addMetricsRoute(router: Router, state: EventGridState): void {
  router.on("GET", "/*id/providers/Microsoft.Insights/metrics", (request, parameter) => {
    const id = parameter("id");
    state.authorization.require(request.caller, "Microsoft.Insights/metrics/read", id);
    const body = metricsAnswer(request, get(state, id), state.metrics, state.now());
    return { status: 200, body };
  });
}

/** @param id the one that the client uses, which does not always contain the scope */
export function resourceOf(
  subscription: EventSubscription,
  id: string,
  isChanging?: boolean,
): Resource {
  const topic = isOfType(id, BELOW_SYSTEM_TOPIC) ? { topic: id.replace(BELOW_PARENT, "") } : {};
  const body = { properties: { ...shownProperties(subscription, isChanging), ...topic } };
  return { id, name: subscription.name, type: typeOf(id), location: "", body };
}

function get(state: EventGridState, id: string): EventSubscription {
  const subscription = find(state, id);
  if (subscription) return subscription;
  throw subscriptionNotFound();
}

function subscriptionNotFound(): ServiceError {
  return new ServiceError(404, "ResourceNotFound", "Event subscription doesn't exist.");
}

const BELOW_PARENT = /(\/providers\/Microsoft\.EventGrid)?\/eventSubscriptions(\/[^/]+)?$/i;

function find(state: EventGridState, id: string): EventSubscription | undefined {
  if (!BELOW_PARENT.test(id)) return undefined;
  return state.eventSubscriptions.get(scopeOf(state, id), id.slice(id.lastIndexOf("/") + 1));
}

/**
 * The scope of an event subscription, or of a collection of them.
 *
 * @throws ServiceError 400 for an ID that is no scope, 404 if the system topic does not exist
 */
function scopeOf({ resources, subscriptionId }: EventGridState, id: string): string {
  const parent = id.replace(BELOW_PARENT, "");
  if (!isOfType(id, BELOW_SYSTEM_TOPIC)) return checkScope(parent, subscriptionId);
  const systemTopic = resources.get(parent);
  if (systemTopic) return sourceOf(systemTopic);
  throw resourceNotFound(parent);
}

/**
 * Topics and domains must exist. Other resources may be elsewhere.
 *
 * @throws ServiceError 404 if the topic or the domain does not exist, or its resource group
 */
function requireParent({ resources }: EventGridState, scope: string, action: Action): void {
  const parent = topicIdOf(scope);
  if (!isOfType(parent, TOPIC_TYPE) && !isOfType(parent, DOMAIN_TYPE)) return;
  if (resources.get(parent)) return;
  const group = groupOf(parent) ?? "";
  if (!resources.store.get(group)) throw groupNotFound(group);
  throw parent === scope ? resourceNotFound(parent) : parentNotFound(action, scope);
}

/** Whether the scope is a topic, a domain or a domain's topic. */
function isCustomTopic({ topics, domains }: EventGridState, scope: string): boolean {
  return (topics.get(scope) ?? domains.get(topicIdOf(scope))) !== undefined;
}

type Properties = EventSubscription["properties"];

/**
 * The properties of an event subscription as Resource Manager shows them: the stored ones without
 * secrets, and unless a PUT goes on with the defaults. The URL has no query, and missing subject
 * filters are empty strings, which the azurerm provider needs to see no change.
 */
function shownProperties(
  subscription: EventSubscription,
  isChanging = /^(Creating|Updating)$/.test(subscription.provisioningState),
): Properties {
  const { scope, provisioningState, properties, settings } = subscription;
  const { destination, deliveryWithResourceIdentity: identified, expirationTimeUtc } = properties;
  const filter = shownFilter(objectAt(properties, "filter"));
  const hasOwnFilter = isChanging && properties.filter !== undefined;
  return {
    ...properties,
    ...(isObject(destination) && {
      destination: shownDestination(destination, subscription, isChanging),
    }),
    ...(isObject(identified) && {
      deliveryWithResourceIdentity: {
        ...identified,
        destination: shownDestination(
          objectAt(identified, "destination"),
          subscription,
          isChanging,
        ),
      },
    }),
    retryPolicy: settings.retryPolicy,
    expirationTimeUtc: expirationTimeUtc ? inWholeSeconds(String(expirationTimeUtc)) : undefined,
    filter: hasOwnFilter ? filter : { ...UNSET_FILTER, ...filter },
    ...(!isChanging && { eventDeliverySchema: settings.deliverySchema }),
    topic: shownScope(scope),
    provisioningState,
  };
}

/** Event Grid shows the scope in lower case, except for the part that Resource Manager owns. */
function shownScope(scope: string): string {
  const [root = ""] = /^\/subscriptions\/[^/]+(\/resourceGroups\/)?/i.exec(scope) ?? [];
  return root + scope.slice(root.length).toLowerCase();
}

const UNSET_FILTER = { subjectBeginsWith: "", subjectEndsWith: "" };

/** The delivery properties without the values of secret ones. */
function deliveryAttributes({ properties }: EventSubscription): unknown[] {
  const destination =
    properties.destination ?? field(properties, "deliveryWithResourceIdentity", "destination");
  return listAt(destination, "properties", "deliveryAttributeMappings").map(shownMapping);
}

function inWholeSeconds(time: string): string {
  return new Date(time).toISOString().replace(/[.][0-9]+Z$/, "Z");
}

/** Leaves out `false`, and an empty list of advanced filters, which providers take for a block. */
function shownFilter({ isSubjectCaseSensitive, ...filter }: Properties): Properties {
  const { advancedFilters, ...others } = filter;
  const shown = listAt(filter, "advancedFilters").length === 0 ? others : filter;
  return isSubjectCaseSensitive === true ? { ...shown, isSubjectCaseSensitive } : shown;
}

/** Webhooks and functions have their batch settings even if none were written. */
function shownDestination(
  destination: Properties,
  subscription: EventSubscription,
  isChanging: boolean,
) {
  const { endpointUrl, deliveryAttributeMappings, ...rest } = objectAt(destination, "properties");
  const { batching, endpointUrl: url, destination: other } = subscription.settings;
  const webhook = url !== undefined && {
    ...(!isChanging && batching),
    ...(other ? {} : { endpointUrl: null, endpointBaseUrl: baseUrlOf(url) }),
  };
  const mappings = listAt({ deliveryAttributeMappings }, "deliveryAttributeMappings");
  return {
    ...destination,
    properties: {
      ...rest,
      ...webhook,
      ...(mappings.length > 0 && { deliveryAttributeMappings: mappings.map(shownMapping) }),
    },
  };
}

/** The URL without its query and without the default port. */
function baseUrlOf(url: string): string {
  return withoutQuery(url).replace(/^(https:\/\/[^/]+):443(?![^/])/i, "$1");
}

export function shownMapping(mapping: unknown): unknown {
  if (field(mapping, "properties", "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}
