import * as v from "valibot";
import { type BodySchemas, checkBody } from "../api/index.js";
import { expected, isObject, unknownField, withoutEnd } from "../base/index.js";
import written from "./body-schemas.json";

/** The objects in bodies. */
type Name = keyof typeof written;

/** As `npm run generate` writes them, from Microsoft's description of a stable version of the API. */
const stable: BodySchemas & Readonly<Record<Name, BodySchemas[string]>> = written;

const publicNetworkAccess = { oneOf: ["Enabled", "Disabled", "SecuredByPerimeter"] };
const sku = { object: "TopicSku" };

/** Values that only previews of the API have. docs/contributing/parity.md names the source. */
const previews: BodySchemas = {
  "Microsoft.EventGrid/topics": { fields: { kind: { oneOf: ["Azure", "AzureArc"] }, sku } },
  "Microsoft.EventGrid/domains": { fields: { sku } },
  TopicSku: { fields: { name: { oneOf: ["Basic", "Premium"] } } },
  TopicProperties: { fields: { publicNetworkAccess } },
  DomainProperties: { fields: { publicNetworkAccess } },
};

/** Fields that the service requires although its description does not say so. */
const needed: { readonly [Each in Name]?: readonly (keyof (typeof written)[Each]["fields"])[] } = {
  "Microsoft.EventGrid/systemTopics": ["properties"],
  SystemTopicProperties: ["source", "topicType"],
  "Microsoft.EventGrid/namespaces/topics/eventSubscriptions": ["properties"],
  SubscriptionProperties: ["deliveryConfiguration"],
  DeliveryConfiguration: ["deliveryMode"],
  IdentityInfo: ["type"],
  EventSubscriptionIdentity: ["type"],
  DeliveryWithResourceIdentity: ["identity", "destination"],
  DeadLetterWithResourceIdentity: ["identity", "deadLetterDestination"],
  StorageBlobDeadLetterDestination: ["endpointType", "properties"],
  StorageBlobDeadLetterDestinationProperties: ["resourceId", "blobContainerName"],
  DeliveryAttributeMapping: ["name"],
  AdvancedFilter: ["key"],
  Filter: ["key"],
};

/** The schemas of the bodies of Event Grid's resources. The service takes no other literals. */
export const bodySchemas: typeof stable = {
  ...stable,
  ...Object.fromEntries(
    Object.entries(previews).map(([name, { fields }]) => [
      name,
      { ...stable[name], fields: { ...stable[name]?.fields, ...fields } },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(needed).map(([name, required]) => [
      name,
      { fields: {}, ...stable[name], required },
    ]),
  ),
};

/** The fields of an object in a body, without those that code does not write. */
const fieldsOf = <Each extends Name>(
  name: Each,
  ...omitted: (keyof (typeof written)[Each]["fields"])[]
) =>
  Object.fromEntries(
    Object.entries(bodySchemas[name].fields).filter(([field]) =>
      omitted.every((each) => each !== field),
    ),
  );

/** The fields of a webhook that options in code write beside the properties, without a destination. */
const webhook = {
  ...fieldsOf(
    "WebHookEventSubscriptionDestinationProperties",
    "azureActiveDirectoryApplicationIdOrUri",
    "minimumTlsVersionAllowed",
  ),
  clientId: "string",
};

/**
 * The schemas of options in code, which have the fields of the bodies. A storage account has a default,
 * and dead letters of a namespace need no identity.
 */
export const optionSchemas: BodySchemas = {
  ...bodySchemas,
  StorageBlobDeadLetterDestinationProperties: {
    fields: fieldsOf("StorageBlobDeadLetterDestinationProperties"),
    required: ["blobContainerName"],
  },
  DeadLetterWithResourceIdentity: { fields: fieldsOf("DeadLetterWithResourceIdentity") },
  EventSubscription: {
    fields: {
      name: "string",
      scope: "string",
      ...webhook,
      ...fieldsOf(
        "EventSubscriptionProperties",
        "deliveryWithResourceIdentity",
        "deadLetterWithResourceIdentity",
      ),
    },
    required: ["name", "scope"],
  },
  NamespaceSubscription: {
    fields: {
      name: "string",
      ...webhook,
      ...fieldsOf("QueueInfo", "deadLetterDestinationWithResourceIdentity"),
      ...fieldsOf("SubscriptionProperties", "deliveryConfiguration", "eventDeliverySchema"),
      deadLetterDestination: { object: "DeadLetterDestination" },
    },
    required: ["name"],
  },
};

/**
 * The schema of an option in code that has the form of this object in a body, and no other fields.
 *
 * @param limits the problems of an option whose types are right. @default none
 */
export function optionLike<Option extends object>(
  name: string,
  limits: (option: Option) => Iterable<string> = () => [],
) {
  return v.pipe(
    v.custom<Option>(isObject, expected("an object")),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { value } = dataset;
      const unknown = (field: string, object: string, path: string) =>
        `${path && `${path}.`}${field} ${unknownField(field, Object.keys(optionSchemas[object]?.fields ?? {}))}`;
      const option = Object.fromEntries(Object.entries(value));
      const { problems } = checkBody(optionSchemas, name, option, { unknown });
      for (const problem of problems) {
        const place = problem.replace(/ .*/s, "");
        addIssue({ message: problem.slice(place.length + 1), path: [placeIn(value, place)] });
      }
      const report = (problem: string) =>
        addIssue({ message: `is invalid: ${withoutEnd(problem, ".")}` });
      try {
        for (const problem of limits(value)) report(problem);
      } catch (error) {
        // Values of the wrong type have been reported.
        if (problems.length === 0) report(String(Object(error).message));
      }
    }),
  );
}

/** A place such as `filter.advancedFilters[0]` of an option. */
function placeIn(input: object, key: string): v.UnknownPathItem {
  return { type: "unknown", origin: "value", input, key, value: undefined };
}
