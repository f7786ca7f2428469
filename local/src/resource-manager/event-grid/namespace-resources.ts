import {
  groupNameOf,
  objectAt,
  parentOf,
  propertiesIn,
  subscriptionOf,
  textAt,
} from "../../base/index.js";
import {
  accessKeyName,
  type Namespace,
  type NamespaceSubscription,
  type NamespaceTopic,
} from "../../eventgrid/index.js";
import { topicEndpointAt } from "../../network/index.js";
import {
  type Change,
  ifKept,
  type Resource,
  type ResourceType,
  resourceAt,
} from "../engine/index.js";
import { parentNotFound } from "../resources/index.js";
import {
  deliveryAttributes,
  fullUrlOf,
  requireNamespaceResources,
  requireSecureWebhookRoles,
  shownNamespaceSubscription,
} from "./event-subscriptions/index.js";
import {
  eventGridType,
  namespaceFields,
  namespaceSubscriptionFields,
  namespaceTopicFields,
} from "./field-rules.js";
import type { EventGridState } from "./state.js";
import { namespaceProblems, requireValues } from "./value-rules.js";

const NAMESPACE_TYPE = "Microsoft.EventGrid/namespaces";
const TOPIC_TYPE = `${NAMESPACE_TYPE}/topics`;
const SUBSCRIPTION_TYPE = `${TOPIC_TYPE}/eventSubscriptions`;

/** Unlike topics and domains, they answer a PATCH with 202, and azurerm refuses 201. */
const operation = { isOperation: true, patchStatus: 202 } as const;

/** Topics of namespaces and their event subscriptions, which Event Grid keeps. */
export function namespaceResources(state: EventGridState): ResourceType[] {
  return [topicType(state), subscriptionType(state)];
}

/** Namespaces, which Event Grid keeps. */
export function namespaceType({ namespaces }: EventGridState): ResourceType {
  const resourceOf = ({ id, location, attributes }: Namespace) => {
    const properties = propertiesIn(attributes);
    return resourceAt(id, NAMESPACE_TYPE, { ...attributes, properties }, location);
  };
  return {
    type: NAMESPACE_TYPE,
    read: {
      get: (id) => ifKept(namespaces.get(id), resourceOf),
      list: () => namespaces.list().map(resourceOf),
    },
    location: "region",
    onWrite: ({ id, name, location, body }) => {
      requireValues(namespaceProblems(body));
      const namespace =
        namespaces.get(id) ??
        namespaces.create({
          name,
          subscriptionId: subscriptionOf(id),
          resourceGroupName: groupNameOf(id),
          location,
        });
      const { properties, identity, tags, sku } = body;
      namespace.attributes = { properties, identity, tags, sku };
      return resourceOf(namespace);
    },
    onDelete: ({ id }) => void namespaces.delete(id),
    fields: namespaceFields,
    computed: ({ id, body }, origin) => ({
      topicsConfiguration: {
        ...objectAt(propertiesIn(body), "topicsConfiguration"),
        // Azure returns a host; outside its public hosts the local one needs a port and a path.
        hostname: topicEndpointAt(origin, `${namespaces.get(id)?.path}/`).replace(
          /^https?:\/\/|\/$/g,
          "",
        ),
      },
    }),
    actions: keyActions((id) => namespaces.get(id)),
    ...operation,
    ...eventGridType,
  };
}

function keyActions(find: (id: string) => Namespace | NamespaceTopic | undefined) {
  return {
    listKeys: ({ id }: Resource) => find(id)?.keys(),
    regenerateKey: ({ id }: Resource, body: unknown) =>
      find(id)?.regenerateKey(accessKeyName(textAt(body, "keyName"))),
  };
}

function topicType({ namespaces }: EventGridState): ResourceType {
  const resourceOf = ({ id, eventRetentionInDays }: NamespaceTopic) =>
    resourceAt(id, TOPIC_TYPE, { properties: { eventRetentionInDays } });
  return {
    type: TOPIC_TYPE,
    read: {
      get: (id) => ifKept(namespaces.topic(id), resourceOf),
      list: () => namespaces.topics().map(resourceOf),
    },
    onWrite: ({ id, name, body }) => {
      const namespace = namespaces.get(parentOf(id));
      if (!namespace) throw parentNotFound("write", id);
      const { eventRetentionInDays, ...properties } = propertiesIn(body);
      const days = eventRetentionInDays == null ? undefined : Number(eventRetentionInDays);
      const topic = resourceOf(namespace.topics.write({ name, eventRetentionInDays: days }));
      return {
        ...topic,
        body: { properties: { ...properties, ...propertiesIn(topic.body) } },
      };
    },
    onDelete: ({ id, name }) => void namespaces.get(parentOf(id))?.topics.delete(name),
    actions: keyActions((id) => namespaces.topic(id)),
    fields: namespaceTopicFields,
    ...operation,
    ...eventGridType,
  };
}

function subscriptionType(state: EventGridState): ResourceType {
  const { namespaces, directory } = state;
  const resourceOf = ({ id, properties }: NamespaceSubscription) =>
    resourceAt(id, SUBSCRIPTION_TYPE, { properties });
  const shown = ({ id, name, type }: Resource, change: Change | undefined) => {
    const subscription = namespaces.subscription(id);
    const properties = subscription && shownNamespaceSubscription(subscription, change);
    return { id, name, type, properties };
  };
  return {
    type: SUBSCRIPTION_TYPE,
    read: {
      get: (id) => ifKept(namespaces.subscription(id), resourceOf),
      list: () => namespaces.subscriptions().map(resourceOf),
    },
    onWrite: ({ id, name, body }, { request: { caller } }) => {
      const topic = namespaces.topic(parentOf(id));
      if (!topic) throw parentNotFound("write", id);
      const properties = propertiesIn(body);
      const { subscription, completed } = topic.subscriptions.write(
        name,
        properties,
        (settings) => {
          if (settings.webhook) requireSecureWebhookRoles(directory, caller, settings.webhook);
          requireNamespaceResources(state, { id, properties, settings });
        },
      );
      return { ...resourceOf(subscription), ...(completed ? { completed } : {}) };
    },
    onDelete: ({ id, name }) => void namespaces.topic(parentOf(id))?.subscriptions.delete(name),
    show: shown,
    actions: {
      getFullUrl: ({ id }) => fullUrlOf(namespaces.subscription(id)?.settings.webhook?.endpointUrl),
      getDeliveryAttributes: ({ body }) =>
        deliveryAttributes(objectAt(propertiesIn(body), "deliveryConfiguration", "push")),
    },
    fields: namespaceSubscriptionFields,
    ...operation,
    ...eventGridType,
  };
}
