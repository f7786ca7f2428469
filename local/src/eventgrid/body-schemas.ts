import * as v from "valibot";
import { type BodySchemas, checkBody } from "../api/index.js";
import { expected, isObject, unknownField } from "../base/index.js";
import written from "./body-schemas.json";

/** As `npm run generate` writes them, from Microsoft's description of a stable version of the API. */
const stable: BodySchemas = written;

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
const needed: Readonly<Record<string, readonly string[]>> = {
  "Microsoft.EventGrid/systemTopics": ["properties"],
  SystemTopicProperties: ["source", "topicType"],
  SubscriptionProperties: ["deliveryConfiguration"],
  DeliveryConfiguration: ["deliveryMode"],
  IdentityInfo: ["type"],
  EventSubscriptionIdentity: ["type"],
  DeliveryWithResourceIdentity: ["identity", "destination"],
  DeadLetterWithResourceIdentity: ["identity", "deadLetterDestination"],
  StorageBlobDeadLetterDestination: ["endpointType", "properties"],
  StorageBlobDeadLetterDestinationProperties: ["resourceId", "blobContainerName"],
  AdvancedFilter: ["key"],
  Filter: ["key"],
};

/** The schemas of the bodies of Event Grid's resources. The service takes no other literals. */
export const bodySchemas: BodySchemas = {
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

/** The schema of an option in code that has the form of this object in a body, and no other fields. */
export function optionLike<Option extends object>(name: string) {
  return v.pipe(
    v.custom<Option>(isObject, expected("an object")),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const option = Object.fromEntries(Object.entries(dataset.value));
      const unknown = (field: string, object: string, path: string) =>
        `${path && `${path}.`}${field} ${unknownField(field, Object.keys(bodySchemas[object]?.fields ?? {}))}`;
      for (const problem of checkBody(bodySchemas, name, option, { unknown }).problems) {
        addIssue({ message: `is invalid: ${problem}` });
      }
    }),
  );
}
