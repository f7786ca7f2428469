import * as v from "valibot";
import {
  asText,
  expected,
  fields,
  flag,
  invalidRequest,
  list,
  listAt,
  number,
  numberAt,
  objectAt,
  oneOf,
  optionalFields,
  text,
  textAt,
} from "../../base/index.js";
import {
  alertSeverities,
  destinationProblems,
  type EventDestination,
  eventDestination,
  functionUrl,
  takesDeliveryProperties,
} from "../destinations/index.js";
import { type DeliveryHeader, deliveryPropertyProblems } from "./delivery-properties.js";

/*
 * Where a subscription delivers to, and how: the settings that Resource Manager keeps in the
 * destination.
 */

/** The properties of an event subscription as Resource Manager stores them. */
export type Properties = Readonly<Record<string, unknown>>;

/** The problem of a number that is not a whole one within bounds, both included. */
export function* rangeProblems(
  name: string,
  value: number,
  most: number,
  least = 1,
): Generator<string> {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  yield `${name} must be an integer from ${least} to ${most}, not ${value}.`;
}

/** Several events in one delivery, which succeeds or fails as a whole. */
export interface OutputBatching {
  /** 1–5000. @default 1, or 5000 if only the preferred size is set */
  readonly maxEventsPerBatch?: number | undefined;
  /** 1–1024; a single larger event is still delivered. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number | undefined;
}

/** Options in code that Resource Manager keeps in the destination. */
export interface DeliveryOptions {
  /** The webhook's https URL, including its query. Needed unless there is another `destination`. */
  readonly endpointUrl?: string | undefined;
  /**
   * A queue, Service Bus topic, event hub, topic of a namespace or Azure function to send the events
   * to, instead of a webhook.
   */
  readonly destination?: EventDestination | undefined;
  /**
   * Client ID or identifier URI of the application that protects the webhook.
   * @default deliveries carry no token
   */
  readonly clientId?: string | undefined;
  /** Tenant of that application. @default the cloud's */
  readonly tenantId?: string | undefined;
  /** @default one event per delivery */
  readonly batching?: OutputBatching | undefined;
  /** Headers to add to deliveries. @default none */
  readonly deliveryProperties?: readonly DeliveryHeader[] | undefined;
}

/** The same settings with every default filled in. */
export interface DeliverySettings {
  /** The URL of the webhook or function; `undefined` for another destination. */
  readonly endpointUrl: string | undefined;
  readonly destination: EventDestination | undefined;
  readonly clientId: string | undefined;
  readonly tenantId: string;
  readonly batching: Readonly<typeof NO_BATCHING>;
  readonly deliveryProperties: readonly DeliveryHeader[];
}

const MAX_EVENTS_PER_BATCH = 5000;

/** One event per delivery. */
export const NO_BATCHING = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };

/** Names and types of the sizes of batches. */
const batchingOption = optionalFields({
  maxEventsPerBatch: number,
  preferredBatchSizeInKilobytes: number,
});

type Target = Partial<DeliverySettings>;

export const noTarget = {
  endpointUrl: undefined,
  destination: undefined,
  clientId: undefined,
  batching: NO_BATCHING,
  deliveryProperties: [],
} satisfies Target;

/** Names and types of delivery properties. */
const deliveryProperties = list(
  v.variant(
    "type",
    [
      fields({ type: oneOf("static"), name: text, value: text, secret: v.optional(flag) }),
      fields({ type: oneOf("dynamic"), name: text, sourceField: text }),
    ],
    expected('"static" or "dynamic"'),
  ),
);

/** Names and types of the options in code. */
export const targetOptions = {
  endpointUrl: v.optional(text),
  destination: v.optional(eventDestination),
  clientId: v.optional(text),
  tenantId: v.optional(text),
  batching: v.optional(batchingOption),
  deliveryProperties: v.optional(deliveryProperties),
};

/**
 * Reads a checked destination.
 *
 * @throws ServiceError 400 for a type that is not served
 */
export function targetIn(destination: unknown): Target {
  const type = textAt(destination, "endpointType");
  const properties = objectAt(destination, "properties");
  const resourceId = textAt(properties, "resourceId") ?? "";
  const deliveryProperties = listAt(properties, "deliveryAttributeMappings").map(headerIn);
  switch (type) {
    case undefined:
      return {};
    case "WebHook":
      return {
        endpointUrl: textAt(properties, "endpointUrl") ?? "",
        clientId: textAt(properties, "azureActiveDirectoryApplicationIdOrUri") || undefined,
        tenantId: textAt(properties, "azureActiveDirectoryTenantId") ?? "",
        batching: batchingIn(properties),
        deliveryProperties,
      };
    case "AzureFunction":
      // The Functions host is a webhook with a handshake.
      return {
        endpointUrl: functionUrl(resourceId),
        destination: { type, resourceId },
        batching: batchingIn(properties),
        deliveryProperties,
      };
    case "StorageQueue": {
      const queue = textAt(properties, "queueName") ?? "";
      const messageTimeToLiveInSeconds = numberAt(properties, "queueMessageTimeToLiveInSeconds");
      return {
        destination: { type, queue, storageAccountId: resourceId, messageTimeToLiveInSeconds },
        deliveryProperties,
      };
    }
    case "ServiceBusQueue":
    case "ServiceBusTopic":
    case "EventHub":
    case "NamespaceTopic":
      return { destination: { type, resourceId }, deliveryProperties };
    case "MonitorAlert": {
      const severity = alertSeverities.find((each) => each === properties.severity);
      if (severity === undefined) throw invalidRequest("A monitor alert needs a severity.");
      const description = textAt(properties, "description");
      const actionGroups = listAt(properties, "actionGroups").map(asText);
      return { destination: { type, severity, description, actionGroups }, deliveryProperties };
    }
    default:
      throw invalidRequest(
        `The local Event Grid does not support destinations of the type '${type}'.`,
      );
  }
}

function headerIn(mapping: unknown): DeliveryHeader {
  const { value, isSecret, sourceField } = objectAt(mapping, "properties");
  const name = textAt(mapping, "name") ?? "";
  return textAt(mapping, "type") === "Dynamic"
    ? { type: "dynamic", name, sourceField: asText(sourceField ?? "") }
    : { type: "static", name, value: asText(value ?? ""), secret: isSecret === true };
}

/** Either setting alone turns batches on. */
function batchingIn(properties: Properties): DeliverySettings["batching"] {
  const kilobytes = numberAt(properties, "preferredBatchSizeInKilobytes");
  return {
    maxEventsPerBatch:
      numberAt(properties, "maxEventsPerBatch") ??
      (kilobytes === undefined ? 1 : MAX_EVENTS_PER_BATCH),
    preferredBatchSizeInKilobytes: kilobytes ?? NO_BATCHING.preferredBatchSizeInKilobytes,
  };
}

/** The property `destination` for options in code. */
export function destinationOf(props: DeliveryOptions, account: string): Properties | undefined {
  const { endpointUrl, destination, clientId, tenantId } = props;
  const deliveryAttributeMappings = props.deliveryProperties?.map(mappingOf);
  const common = { ...props.batching, deliveryAttributeMappings };
  if (!destination) {
    return endpointUrl === undefined
      ? undefined
      : {
          endpointType: "WebHook",
          properties: {
            endpointUrl,
            azureActiveDirectoryApplicationIdOrUri: clientId,
            azureActiveDirectoryTenantId: tenantId,
            ...common,
          },
        };
  }
  if (destination.type === "MonitorAlert") {
    const { type: endpointType, ...properties } = destination;
    return { endpointType, properties };
  }
  if (destination.type !== "StorageQueue") {
    const { type: endpointType, resourceId } = destination;
    return { endpointType, properties: { resourceId, ...common } };
  }
  return {
    endpointType: destination.type,
    properties: {
      resourceId: destination.storageAccountId ?? account,
      queueName: destination.queue,
      queueMessageTimeToLiveInSeconds: destination.messageTimeToLiveInSeconds,
      ...common,
    },
  };
}

/** A delivery property as Resource Manager writes it. */
function mappingOf(property: DeliveryHeader) {
  const { name } = property;
  if (property.type === "dynamic") {
    return { name, type: "Dynamic", properties: { sourceField: property.sourceField } };
  }
  const { value, secret = false } = property;
  return { name, type: "Static", properties: { value, isSecret: secret } };
}

/** Settings from code that exclude each other. */
export function* exclusionProblems(props: DeliveryOptions): Generator<string> {
  const { destination, endpointUrl, clientId, batching = {} } = props;
  const { maxEventsPerBatch = 1 } = batching;
  if (!destination) return;
  const { type } = destination;
  if (endpointUrl !== undefined || clientId !== undefined) {
    yield `An endpoint URL and an application are for webhooks, not for a destination of the type ${type}.`;
  }
  if (maxEventsPerBatch > 1 && type !== "AzureFunction") {
    yield `Batches are for webhooks and functions, not for a destination of the type ${type}.`;
  }
}

/** Values outside the service's limits. */
export function* targetProblems(settings: DeliverySettings): Generator<string> {
  const { destination, deliveryProperties, batching, clientId } = settings;
  if (destination) yield* destinationProblems(destination);
  else if (settings.endpointUrl === undefined) {
    yield "The event subscription has no destination: it needs either an endpointUrl or a destination.";
  }
  if (destination && !takesDeliveryProperties(destination) && deliveryProperties.length > 0) {
    yield `Delivery properties are not supported for a destination of the type ${destination.type}.`;
  }
  yield* rangeProblems("maxEventsPerBatch", batching.maxEventsPerBatch, MAX_EVENTS_PER_BATCH);
  yield* rangeProblems(
    "preferredBatchSizeInKilobytes",
    batching.preferredBatchSizeInKilobytes,
    1024,
  );
  yield* deliveryPropertyProblems(deliveryProperties, clientId !== undefined);
}
