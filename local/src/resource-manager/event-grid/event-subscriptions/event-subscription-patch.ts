import { field, isObject, listAt, objectAt, textAt } from "../../../base/index.js";
import type { EventSubscription } from "../../../eventgrid/index.js";

type Properties = EventSubscription["properties"];

/**
 * The properties after a PATCH, whose body has the changed ones at its top level. A destination is
 * replaced as a whole, except for what only a write contains: clients such as az send back the
 * destination that they read, without the webhook's URL and the values of secret delivery properties.
 */
export function patched(stored: Properties, changes: Properties): Properties {
  const { destination, deliveryWithResourceIdentity: identified } = changes;
  const before = stored.destination ?? field(stored, "deliveryWithResourceIdentity", "destination");
  const others = { ...stored };
  // A subscription has only one of the two.
  if (isObject(destination)) delete others.deliveryWithResourceIdentity;
  if (isObject(identified)) delete others.destination;
  return {
    ...others,
    ...changes,
    ...(isObject(destination) && { destination: withSecrets(destination, before) }),
    ...(isObject(identified) && {
      deliveryWithResourceIdentity: {
        ...identified,
        destination: withSecrets(objectAt(identified, "destination"), before),
      },
    }),
  };
}

function withSecrets(destination: Properties, before: unknown): Properties {
  const properties = objectAt(destination, "properties");
  const endpointUrl = textAt(before, "properties", "endpointUrl");
  const isWebhook = /^webhook$/i.test(textAt(destination, "endpointType") ?? "");
  const mappings = listAt(properties, "deliveryAttributeMappings");
  return {
    ...destination,
    properties: {
      ...properties,
      ...(isWebhook && { endpointUrl: properties.endpointUrl ?? endpointUrl }),
      ...(mappings.length > 0 && {
        deliveryAttributeMappings: mappings.map((each) => withSecret(each, before)),
      }),
    },
  };
}

function withSecret(mapping: unknown, before: unknown): unknown {
  const { isSecret, value } = objectAt(mapping, "properties");
  if (isSecret !== true || (value != null && value !== "Hidden")) return mapping;
  const stored = listAt(before, "properties", "deliveryAttributeMappings");
  return stored.find((each) => field(each, "name") === field(mapping, "name")) ?? mapping;
}
