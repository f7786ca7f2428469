import * as v from "valibot";
import {
  expected,
  fields,
  flag,
  isObject,
  list,
  number,
  objectMessage,
  oneOf,
  optionalFields,
  text,
} from "../../base/index.js";
import {
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

/** Resource Manager takes null for a missing field, at any depth. */
export function withoutNulls(properties: Properties): Properties {
  const present = Object.entries(properties).filter(([, value]) => value != null);
  return Object.fromEntries(present.map(([name, value]) => [name, cleaned(value)]));
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return isObject(value) ? withoutNulls(value) : value;
}

/** An object, of which fields that are not named here are ignored, as Azure ignores them. */
export function partOf<const T extends v.ObjectEntries>(entries: T) {
  return v.object(entries, objectMessage);
}

export const anyNumber = v.number(expected("a number"));

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

const deliveryProperty = v.pipe(
  partOf({
    name: v.optional(text, ""),
    type: v.optional(text),
    properties: v.optional(
      partOf({
        sourceField: v.optional(text, ""),
        value: v.optional(text, ""),
        isSecret: v.optional(flag, false),
      }),
      {},
    ),
  }),
  v.transform(({ name, type, properties }): DeliveryHeader => {
    const { sourceField, value, isSecret } = properties;
    return /^dynamic$/i.test(type ?? "")
      ? { type: "dynamic", name, sourceField }
      : { type: "static", name, value, secret: isSecret };
  }),
);

/** The `properties` of a destination. Each type has some of them, and ignores the others. */
const destinationProperties = partOf({
  endpointUrl: v.optional(text, ""),
  azureActiveDirectoryApplicationIdOrUri: v.optional(text),
  azureActiveDirectoryTenantId: v.optional(text, ""),
  maxEventsPerBatch: v.optional(anyNumber),
  preferredBatchSizeInKilobytes: v.optional(anyNumber),
  resourceId: v.optional(text, ""),
  queueName: v.optional(text, ""),
  queueMessageTimeToLiveInSeconds: v.optional(anyNumber),
  deliveryAttributeMappings: v.optional(list(deliveryProperty), []),
});

type EndpointType = "WebHook" | EventDestination["type"];

const endpointTypes: readonly EndpointType[] = [
  "WebHook",
  "StorageQueue",
  "ServiceBusQueue",
  "ServiceBusTopic",
  "EventHub",
  "NamespaceTopic",
  "AzureFunction",
];

/** The property `destination`, of one of these types. */
export function destinationOfType(...types: readonly EndpointType[]) {
  return v.pipe(
    partOf({
      endpointType: v.picklist(
        types,
        ({ input }) =>
          `'${input}' is not supported by the local Event Grid; use ${types.join(", ")}`,
      ),
      properties: v.optional(destinationProperties, {}),
    }),
    v.transform(({ endpointType, properties }) => targetOf(endpointType, properties)),
  );
}

export const destination = destinationOfType(...endpointTypes);

function targetOf(
  type: EndpointType,
  properties: v.InferOutput<typeof destinationProperties>,
): Target {
  const { resourceId, deliveryAttributeMappings: deliveryProperties } = properties;
  switch (type) {
    case "WebHook":
      return {
        endpointUrl: properties.endpointUrl,
        clientId: properties.azureActiveDirectoryApplicationIdOrUri || undefined,
        tenantId: properties.azureActiveDirectoryTenantId,
        batching: batchingOf(properties),
        deliveryProperties,
      };
    case "AzureFunction":
      // The Functions host is a webhook with a handshake.
      return {
        endpointUrl: functionUrl(resourceId),
        destination: { type, resourceId },
        batching: batchingOf(properties),
        deliveryProperties,
      };
    case "StorageQueue": {
      const { queueName: queue, queueMessageTimeToLiveInSeconds: messageTimeToLiveInSeconds } =
        properties;
      return {
        destination: { type, queue, storageAccountId: resourceId, messageTimeToLiveInSeconds },
        deliveryProperties,
      };
    }
    default:
      return { destination: { type, resourceId }, deliveryProperties };
  }
}

/** Either setting alone turns batches on. */
function batchingOf({
  preferredBatchSizeInKilobytes: kilobytes,
  maxEventsPerBatch = kilobytes === undefined ? 1 : MAX_EVENTS_PER_BATCH,
}: OutputBatching): DeliverySettings["batching"] {
  const preferredBatchSizeInKilobytes = kilobytes ?? NO_BATCHING.preferredBatchSizeInKilobytes;
  return { maxEventsPerBatch, preferredBatchSizeInKilobytes };
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
