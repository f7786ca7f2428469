import { isDeepStrictEqual } from "node:util";
import { invalidRequest, objectAt, ServiceError, scopeKey, textAt } from "../../base/index.js";
import { accessKeyName, mappingIn, type Topic, type Topics } from "../../eventgrid/index.js";
import { topicEndpointAt } from "../../network/index.js";
import { isOfType, type Resource, type ResourceType, stableUuid } from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";
import { domainFields, topicFields } from "./field-rules.js";
import { eventGridLists } from "./lists.js";

export const TOPIC_TYPE = "Microsoft.EventGrid/topics";
export const DOMAIN_TYPE = "Microsoft.EventGrid/domains";

/** Custom topics or domains, which Event Grid keeps, with their keys. */
export function topicResources(
  type: typeof TOPIC_TYPE | typeof DOMAIN_TYPE,
  topics: Topics,
): ResourceType {
  const resourceOf = (topic: Topic): Resource => {
    const { id, name, location, attributes } = topic;
    const properties = {
      ...objectAt(attributes, "properties"),
      ...(!topic.localAuthEnabled && { disableLocalAuth: true }),
    };
    return { id, name, type, location, body: { ...attributes, properties } };
  };
  const deleted = new Set<string>();
  return {
    type,
    ...eventGridLists,
    read: {
      get: (id) => {
        const topic = topics.get(id);
        return topic && resourceOf(topic);
      },
      list: () => topics.list().map(resourceOf),
    },
    location: "required",
    onWrite: ({ id, name, location, body }) => {
      const properties = objectAt(body, "properties");
      const existing = topics.get(id);
      if (existing) requireSameSchema(existing, properties);
      const topic =
        existing ??
        topics.create({
          name,
          resourceGroupName: id.split("/")[4],
          location,
          inputSchema: inputSchemaIn(properties),
          inputSchemaMapping: mappingIn(properties.inputSchemaMapping),
        });
      const localAuthEnabled = properties.disableLocalAuth !== true;
      const { identity, kind, sku, tags } = body;
      const attributes = { properties, identity, kind, sku, tags };
      return resourceOf(topics.update(topic.id, { localAuthEnabled, attributes }));
    },
    onDelete: ({ id }) => {
      topics.delete(id);
      deleted.add(scopeKey(id));
    },
    notFound: (id) => (deleted.has(scopeKey(id)) ? topicNotFound(id) : resourceNotFound(id)),
    fields: type === DOMAIN_TYPE ? domainFields : topicFields,
    computed: ({ id }, origin) => ({
      inputSchema: topics.get(id)?.inputSchema,
      endpoint: topicEndpointAt(origin, topics.get(id)?.path ?? ""),
      metricResourceId: stableUuid(id),
    }),
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
  const name = id.split("/").at(-1);
  const message = isOfType(id, TOPIC_TYPE)
    ? `Topic ${name} is not found.`
    : `Domain ${name} is not found. Please check the domain name and try again.`;
  return new ServiceError(404, "ResourceNotFound", message);
}

/**
 * Resource Manager's default is the Event Grid schema.
 *
 * @throws ServiceError 400 for an unknown schema
 */
function inputSchemaIn(properties: unknown): Topic["inputSchema"] {
  const text = textAt(properties, "inputSchema") ?? "EventGridSchema";
  const schema = inputSchemas.find((each) => each.toLowerCase() === text.toLowerCase());
  if (schema) return schema;
  throw invalidRequest(
    `The input schema '${text}' is invalid. It must be one of ${inputSchemas.join(", ")}.`,
  );
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
