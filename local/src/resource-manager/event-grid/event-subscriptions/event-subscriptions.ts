import { isDeepStrictEqual } from "node:util";
import {
  checkScope,
  groupOf,
  invalidRequest,
  isOfType,
  nameIn,
  propertiesIn,
  type ServiceError,
  scopeOfSubscription,
  serviceError,
  typeOf,
} from "../../../base/index.js";
import {
  defaultTypesOf,
  type EventSubscription,
  knownTypesOf,
  topicIdOf,
  withDefaultTypes,
} from "../../../eventgrid/index.js";
import {
  ifKept,
  type Resource,
  type ResourceType,
  resourceAt,
  shownPlainly,
} from "../../engine/index.js";
import {
  type Action,
  groupNotFound,
  parentNotFound,
  resourceNotFound,
} from "../../resources/index.js";
import { eventGridType, eventSubscriptionFields } from "../field-rules.js";
import type { EventGridState } from "../state.js";
import { DOMAIN_TYPE, SYSTEM_TOPIC_TYPE, sourceOf, TOPIC_TYPE } from "../topic-resources.js";
import {
  deliveryAttributes,
  destinationOf,
  fullUrlOf,
  patched,
  shownProperties,
} from "./event-subscription-answer.js";
import { requireSecureWebhookRoles, requireWriteAccess } from "./writer-rights.js";
import { requireResources } from "./writer-rules.js";

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
    ...eventGridType,
    fields: eventSubscriptionFields,
    isOperation: true,
    read: {
      get: (id) => ifKept(find(state, id), (each) => resourceOf(each, id)),
    },
    list: (parent) => {
      requireParent(state, parent, "read");
      const isOfDomain = isOfType(parent, `${DOMAIN_TYPE}/topics`);
      if (isOfDomain && !state.resources.get(parent)) throw resourceNotFound(parent);
      const root = `${parent}/${collection}`;
      const listed = eventSubscriptions.list(scopeOf(state, root));
      return listed.map((each) => resourceOf(each, `${root}/${each.name}`));
    },
    patch: ({ id }, changes) => ({
      properties: patched(getEventSubscription(state, id).properties, changes),
    }),
    onWrite: ({ id, name, body }, { request: { caller, method } }) => {
      const scope = scopeOf(state, id);
      const sent = propertiesIn(body);
      const before = eventSubscriptions.get(scope, name);
      const destination = destinationOf(sent);
      const isWritten =
        method === "PUT" ||
        !isDeepStrictEqual(destination, destinationOf(before?.properties ?? {}));
      if (isWritten) requireWriteAccess(state, caller, id, destination);
      // A PUT that leaves out the schema keeps it, and its response does not show it.
      const kept = before?.settings.deliverySchema;
      const written = { eventDeliverySchema: kept, ...sent };
      const properties = isCustomTopic(state, scope)
        ? written
        : withDefaultTypes(written, defaultTypesOf(scope) ?? knownTypesOf(scope));
      const { subscription, completed, awaitingManualAction } = eventSubscriptions.write(
        { name, scope, properties },
        (wanted) => {
          requireSecureWebhookRoles(state.directory, caller, wanted.settings);
          requireResources(state, wanted);
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
    checkParent: (id, action) => requireParent(state, scopeOfSubscription(id), action),
    actions: {
      getFullUrl: ({ id }) => {
        const { endpointUrl, destination } = getEventSubscription(state, id).settings;
        return fullUrlOf(destination ? undefined : endpointUrl);
      },
      getDeliveryAttributes: ({ id }) =>
        deliveryAttributes(getEventSubscription(state, id).properties),
    },
  };
}

/** @param id the one that the client uses, which does not always contain the scope */
export function resourceOf(
  subscription: EventSubscription,
  id: string,
  isChanging?: boolean,
): Resource {
  const topic = isOfType(id, BELOW_SYSTEM_TOPIC) ? { topic: scopeOfSubscription(id) } : {};
  const properties = { ...shownProperties(subscription, isChanging), ...topic };
  return { ...resourceAt(id, typeOf(id), { properties }), name: subscription.name };
}

export function getEventSubscription(state: EventGridState, id: string): EventSubscription {
  const subscription = find(state, id);
  if (subscription) return subscription;
  throw subscriptionNotFound();
}

function subscriptionNotFound(): ServiceError {
  return serviceError.ResourceNotFound("Event subscription doesn't exist.");
}

function find(state: EventGridState, id: string): EventSubscription | undefined {
  return state.eventSubscriptions.get(scopeOf(state, id), nameIn(id));
}

/**
 * The scope of an event subscription, or of a collection of them.
 *
 * @throws ServiceError 400 for an ID that is no scope, 404 if the system topic does not exist
 */
function scopeOf({ resources, subscriptionIds }: EventGridState, id: string): string {
  const parent = scopeOfSubscription(id);
  if (!isOfType(id, BELOW_SYSTEM_TOPIC)) {
    // https://github.com/pulumi/pulumi/issues/6048
    if (isOfType(parent, SYSTEM_TOPIC_TYPE)) {
      throw invalidRequest(
        "This event subscription operation is not supported using this API call. Please use the proper API and try again.",
      );
    }
    return checkScope(parent, subscriptionIds);
  }
  const systemTopic = resources.get(parent);
  if (systemTopic) return sourceOf(systemTopic);
  throw resourceNotFound(parent);
}

/**
 * Resource groups, topics and domains must exist. Other resources may be elsewhere; those that were
 * deleted here get no new event subscriptions.
 *
 * @throws ServiceError 404 if the resource does not exist, or its resource group
 */
function requireParent({ resources }: EventGridState, scope: string, action: Action): void {
  const parent = topicIdOf(scope);
  const group = groupOf(parent);
  if (group !== undefined && !resources.store.get(group)) throw groupNotFound(group);
  if (!isOfType(parent, TOPIC_TYPE) && !isOfType(parent, DOMAIN_TYPE)) {
    if (action === "write" && resources.isDeleted(parent)) throw resourceNotFound(parent);
    return;
  }
  if (resources.get(parent)) return;
  throw parent === scope ? resourceNotFound(parent) : parentNotFound(action, scope);
}

/** Whether the scope is a topic, a domain or a domain's topic. */
function isCustomTopic({ topics, domains }: EventGridState, scope: string): boolean {
  return (topics.get(scope) ?? domains.get(topicIdOf(scope))) !== undefined;
}
