import { isDeepStrictEqual } from "node:util";
import {
  groupNameOf,
  invalidRequest,
  isOfType,
  nameIn,
  propertiesIn,
  type ServiceError,
  sameScope,
  scopeKey,
  serviceError,
  subscriptionOf,
  textAt,
  textOrEmpty,
} from "../../base/index.js";
import {
  accessKeyName,
  domainTopicNameOf,
  mappingIn,
  type Topic,
  type Topics,
  topicIdOf,
} from "../../eventgrid/index.js";
import { topicEndpointAt } from "../../network/index.js";
import {
  ifKept,
  type Resource,
  type Resources,
  type ResourceType,
  resourceAt,
  shownPlainly,
  stableUuid,
} from "../engine/index.js";
import { parentNotFound, resourceNotFound } from "../resources/index.js";
import {
  domainFields,
  eventGridType,
  plainFields,
  topicFields,
  trackedFields,
} from "./field-rules.js";
import type { EventGridState } from "./state.js";
import { systemTopicProblems } from "./system-topic-rules.js";
import {
  identityProblems,
  inputMappingProblems,
  ipRuleProblems,
  requireValues,
  topicNameProblems,
} from "./value-rules.js";

export const TOPIC_TYPE = "Microsoft.EventGrid/topics";
export const DOMAIN_TYPE = "Microsoft.EventGrid/domains";

/** Custom topics or domains, which Event Grid keeps, with their keys. */
export function topicResources(
  type: typeof TOPIC_TYPE | typeof DOMAIN_TYPE,
  topics: Topics,
  resources: Resources,
): ResourceType {
  const resourceOf = (topic: Topic): Resource => {
    const { id, location, attributes } = topic;
    const properties = {
      ...propertiesIn(attributes),
      ...(!topic.localAuthEnabled && { disableLocalAuth: true }),
    };
    return resourceAt(id, type, { ...attributes, properties }, location);
  };
  return {
    type,
    ...eventGridType,
    read: {
      get: (id) => ifKept(topics.get(id), resourceOf),
      list: () => topics.list().map(resourceOf),
    },
    location: "region",
    onWrite: ({ id, name, location, body }) => {
      const properties = propertiesIn(body);
      const existing = topics.get(id);
      requireValues([
        ...ipRuleProblems(properties),
        ...identityProblems(type === TOPIC_TYPE ? "topic" : "domain", body.identity),
        ...(existing ? [] : inputMappingProblems(properties)),
      ]);
      if (existing) requireSameSchema(existing, properties);
      const topic =
        existing ??
        topics.create({
          name,
          subscriptionId: subscriptionOf(id),
          resourceGroupName: groupNameOf(id),
          location,
          inputSchema: inputSchemaIn(properties),
          inputSchemaMapping: mappingIn(properties.inputSchemaMapping),
        });
      const localAuthEnabled = properties.disableLocalAuth !== true;
      const { identity, kind, sku, tags } = body;
      const attributes = { properties, identity, kind, sku, tags };
      return resourceOf(topics.update(topic.id, { localAuthEnabled, attributes }));
    },
    onDelete: ({ id }) => void topics.delete(id),
    notFound: (id) => (resources.isDeleted(id) ? topicNotFound(id) : resourceNotFound(id)),
    fields: type === DOMAIN_TYPE ? domainFields : topicFields,
    computed: ({ id }, origin) => {
      const topic = topics.get(id);
      return {
        inputSchema: topic?.inputSchema,
        endpoint: topic && topicEndpointAt(origin, topic.path),
        metricResourceId: stableUuid(id),
      };
    },
    actions: {
      listKeys: ({ id }) => topics.listKeys(id),
      regenerateKey: ({ id }, body) =>
        topics.regenerateKey(id, accessKeyName(textAt(body, "keyName"))),
    },
    isOperation: true,
  };
}

/** Resource Manager still asks Event Grid for a topic or domain that existed. */
function topicNotFound(id: string): ServiceError {
  const name = nameIn(id);
  const message = isOfType(id, TOPIC_TYPE)
    ? `Topic ${name} is not found.`
    : `Domain ${name} is not found. Please check the domain name and try again.`;
  return serviceError.ResourceNotFound(message);
}

/** Resource Manager's default is the Event Grid schema. */
function inputSchemaIn(properties: unknown): Topic["inputSchema"] {
  const text = textAt(properties, "inputSchema");
  return inputSchemas.find((each) => each === text) ?? "EventGridSchema";
}

const inputSchemas = ["EventGridSchema", "CloudEventSchemaV1_0", "CustomEventSchema"] as const;

/**
 * The schema and its mapping are fixed when a topic is created. One that is left out stays.
 *
 * @throws ServiceError 400 for a change
 */
function requireSameSchema(topic: Topic, properties: Readonly<Record<string, unknown>>): void {
  const { inputSchema, inputSchemaMapping } = topic;
  if (properties.inputSchema && inputSchemaIn(properties) !== inputSchema) {
    throw invalidRequest(
      `The input schema of '${topic.name}' cannot be changed from ${inputSchema} to ${properties.inputSchema}. Create another topic.`,
    );
  }
  const mapping = mappingIn(properties.inputSchemaMapping);
  if (mapping && !isDeepStrictEqual(mapping, inputSchemaMapping ?? {})) {
    throw invalidRequest(
      `The input schema mapping of '${topic.name}' cannot be changed. Create another topic.`,
    );
  }
}

const DOMAIN_TOPIC_TYPE = `${DOMAIN_TYPE}/topics`;

/** The topics of domains, which Event Grid also creates and deletes with event subscriptions. */
export function domainTopicResources({
  domains,
  eventSubscriptions,
}: EventGridState): ResourceType {
  const resourceOf = (domain: Topic, name: string) =>
    resourceAt(`${domain.id}/topics/${name}`, DOMAIN_TOPIC_TYPE, {}, domain.location);
  return {
    type: DOMAIN_TOPIC_TYPE,
    ...eventGridType,
    read: {
      get: (id) => {
        const domain = domains.get(topicIdOf(id));
        const wanted = domainTopicNameOf(id)?.toLowerCase();
        const name = domain?.domainTopics().find((each) => each.toLowerCase() === wanted);
        return domain && name !== undefined ? resourceOf(domain, name) : undefined;
      },
      list: () =>
        domains
          .list()
          .flatMap((domain) => domain.domainTopics().map((name) => resourceOf(domain, name))),
    },
    onWrite: ({ id, name }) => {
      const domain = domains.get(topicIdOf(id));
      if (!domain) throw parentNotFound("write", id);
      requireValues(topicNameProblems("domain", name));
      domain.addDomainTopic(name);
      return resourceOf(domain, name);
    },
    onDelete: ({ id, name }) => {
      eventSubscriptions.deleteWithin(id);
      domains.get(topicIdOf(id))?.deleteDomainTopic(name);
    },
    fields: plainFields,
    isOperation: true,
  };
}

export const SYSTEM_TOPIC_TYPE = "Microsoft.EventGrid/systemTopics";

/**
 * System topics, each for the events of one source. Deliveries do not depend on them: here the source
 * of a subscription's events is its scope.
 */
export function systemTopicResources(state: EventGridState): ResourceType {
  const { eventSubscriptions, resources } = state;
  const typeIn = ({ body }: Resource) => textOrEmpty(propertiesIn(body), "topicType");
  /** The other system topics of the same source, which share its event subscriptions. */
  const othersOf = (topic: Resource) =>
    systemTopics(resources).filter(
      (each) => sameScope(sourceOf(each), sourceOf(topic)) && !sameScope(each.id, topic.id),
    );
  return {
    type: SYSTEM_TOPIC_TYPE,
    ...eventGridType,
    location: "required",
    onWrite: (written, { before }) => {
      const source = sourceOf(written);
      if (before && !sameScope(sourceOf(before), source)) {
        throw invalidRequest(
          `The source of a system topic cannot be changed from '${sourceOf(before)}' to '${source}'. Create another system topic.`,
        );
      }
      const topicType = typeIn(written);
      requireValues([
        ...(before ? [] : topicNameProblems("system", written.name)),
        ...systemTopicProblems(written, state),
      ]);
      // An Azure subscription is the source of several types.
      const other = othersOf(written).find(
        (each) => scopeKey(typeIn(each)) === scopeKey(topicType),
      );
      if (other) {
        throw invalidRequest(
          `There is an existing tracked system topic for the given source ${source}. Only one system topic is allowed per source. It is ${other.id}.`,
        );
      }
      return { ...written, body: { ...written.body, properties: { source, topicType } } };
    },
    onDelete: (topic) => {
      if (othersOf(topic).length > 0) return;
      for (const { scope, name } of eventSubscriptions.list(sourceOf(topic))) {
        eventSubscriptions.delete(scope, name);
      }
    },
    fields: trackedFields,
    properties: ({ id }) => ({ metricResourceId: stableUuid(id) }),
    isOperation: true,
    // Only an identity takes time, and no global source has one.
    isComplete: ({ location, body }) => location === "global" || body.identity === undefined,
  };
}

/** The extension topic of a resource names the system topic for the resource's events. */
export function extensionTopicResources(resources: Resources): ResourceType {
  const type = "Microsoft.EventGrid/extensionTopics";
  const own = new RegExp(`/providers/${type}/default$`, "i");
  return {
    type,
    scope: "any",
    methods: ["GET"],
    read: {
      get: (id) => {
        const topic = own.test(id) && systemTopicOf(resources, id.replace(own, ""));
        if (!topic) return undefined;
        const properties = { description: "", systemTopic: topic.id };
        return resourceAt(id, type, { properties }, "global");
      },
    },
    show: shownPlainly,
  };
}

/** The system topics of the subscription. */
function systemTopics({ store }: Resources): Resource[] {
  return store.list().filter(({ type }) => type === SYSTEM_TOPIC_TYPE);
}

/** The system topic for the events of a source. */
export function systemTopicOf(resources: Resources, source: string): Resource | undefined {
  return systemTopics(resources).find((each) => sameScope(sourceOf(each), source));
}

/** Resource ID of the source of a system topic's events. */
export function sourceOf({ body }: Resource): string {
  return textOrEmpty(propertiesIn(body), "source");
}
