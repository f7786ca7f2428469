import {
  invalidRequest,
  isObject,
  listAt,
  numberAt,
  propertiesIn,
  textAt,
  textOrEmpty,
} from "../../base/index.js";
import {
  type DeliveryAttributeMapping,
  destinationProblems,
  destinationTypes,
  type EventDestination,
  functionUrl,
  takesDeliveryProperties,
  type WebhookProperties,
} from "../destinations/index.js";
import { deliveryPropertyProblems } from "./delivery-properties.js";

/*
 * Where a subscription delivers to, and how: the settings that Resource Manager keeps in the
 * destination.
 */

/** The properties of an event subscription as Resource Manager stores them. */
export type Properties = Readonly<Record<string, unknown>>;

/**
 * The problems of numbers that are not whole ones within bounds, both included.
 *
 * @param path what the values are in, as messages name it
 */
export function* rangeProblems<Name extends string>(
  values: Readonly<Record<NoInfer<Name>, number>>,
  bounds: Readonly<Record<Name, readonly [least: number, most: number]>>,
  path?: string,
): Generator<string> {
  for (const name of Object.keys(bounds) as Name[]) {
    const [least, most] = bounds[name];
    const value = values[name];
    if (Number.isInteger(value) && value >= least && value <= most) continue;
    const full = path === undefined ? name : `${path}.${name}`;
    yield `${full} must be an integer from ${least} to ${most}, not ${value}.`;
  }
}

/** Options in code of which Resource Manager makes the destination. */
export interface DeliveryOptions
  extends Omit<WebhookProperties, "azureActiveDirectoryApplicationIdOrUri"> {
  /** Needed unless the endpoint is a webhook, whose properties stand beside the other options. */
  readonly destination?: EventDestination | undefined;
  /**
   * Client ID or identifier URI of the application that protects the webhook.
   * @default deliveries carry no token
   */
  readonly clientId?: string | undefined;
}

/** Where and how a subscription delivers, with every default filled in. */
export interface DeliverySettings {
  /** The URL of the webhook or function; `undefined` for another destination. */
  readonly endpointUrl: string | undefined;
  readonly destination: EventDestination | undefined;
  readonly clientId: string | undefined;
  readonly tenantId: string;
  readonly batching: Readonly<typeof NO_BATCHING>;
  readonly deliveryProperties: readonly DeliveryAttributeMapping[];
}

const MAX_EVENTS_PER_BATCH = 5000;

/** One event per delivery. */
export const NO_BATCHING = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };

type Target = Partial<DeliverySettings>;

export const noTarget = {
  endpointUrl: undefined,
  destination: undefined,
  clientId: undefined,
  batching: NO_BATCHING,
  deliveryProperties: [],
} satisfies Target;

/**
 * Reads a checked destination.
 *
 * @throws ServiceError 400 for a type that is not served
 */
export function targetIn(destination: unknown): Target {
  if (destination === undefined) return {};
  if (!isServed(destination)) {
    throw invalidRequest(
      `The local Event Grid does not support destinations of the type '${textAt(destination, "endpointType")}'.`,
    );
  }
  const { endpointType } = destination;
  // It may be missing in a body.
  const properties = propertiesIn(destination);
  const deliveryProperties = listAt(properties, "deliveryAttributeMappings").filter(isMapping);
  if (endpointType === "WebHook") {
    return {
      endpointUrl: textOrEmpty(properties, "endpointUrl"),
      clientId: textAt(properties, "azureActiveDirectoryApplicationIdOrUri") || undefined,
      tenantId: textOrEmpty(properties, "azureActiveDirectoryTenantId"),
      batching: batchingIn(properties),
      deliveryProperties,
    };
  }
  const target = { destination: { endpointType, properties }, deliveryProperties };
  if (endpointType !== "AzureFunction") return target;
  // The Functions host is a webhook with a handshake.
  const endpointUrl = functionUrl(String(properties.resourceId));
  return { ...target, endpointUrl, batching: batchingIn(properties) };
}

function isServed(destination: unknown): destination is EventDestination {
  const type = textAt(destination, "endpointType");
  return destinationTypes.some((each) => each === type);
}

/** Whether it has the form that the schemas check. */
function isMapping(mapping: unknown): mapping is DeliveryAttributeMapping {
  return isObject(mapping);
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

/** The properties of a webhook's destination, which stand beside the other options in code. */
function webhookIn(props: DeliveryOptions): WebhookProperties {
  return {
    endpointUrl: props.endpointUrl,
    azureActiveDirectoryApplicationIdOrUri: props.clientId,
    azureActiveDirectoryTenantId: props.azureActiveDirectoryTenantId,
    maxEventsPerBatch: props.maxEventsPerBatch,
    preferredBatchSizeInKilobytes: props.preferredBatchSizeInKilobytes,
    deliveryAttributeMappings: props.deliveryAttributeMappings,
  };
}

/** The property `destination` for options in code. */
export function destinationOf(
  props: DeliveryOptions,
  account: string,
): EventDestination | undefined {
  const { destination, endpointUrl } = props;
  if (destination) return inAccount(destination, account);
  if (endpointUrl === undefined) return undefined;
  return { endpointType: "WebHook", properties: webhookIn(props) };
}

/** A queue or container with a default for its storage account. Other destinations stay as they are. */
export function inAccount<T extends { readonly endpointType: string; readonly properties: object }>(
  destination: T,
  resourceId: string,
): T {
  if (!destination.endpointType.toLowerCase().startsWith("storage")) return destination;
  return { ...destination, properties: { resourceId, ...destination.properties } };
}

/** Options of a webhook beside another destination, which has properties of its own. */
export function* exclusionProblems(props: DeliveryOptions): Generator<string> {
  const { destination } = props;
  const isAlone = Object.values(webhookIn(props)).every((each) => each === undefined);
  if (!destination || isAlone) return;
  yield `A destination of the type ${destination.endpointType} has properties of its own: write endpointUrl and the other settings of a webhook there, or leave the destination out.`;
}

/** Values outside the service's limits. */
export function* targetProblems(settings: DeliverySettings): Generator<string> {
  const { destination, deliveryProperties, batching, clientId } = settings;
  if (destination) yield* destinationProblems(destination);
  else if (settings.endpointUrl === undefined) {
    yield "The event subscription has no destination: it needs either an endpointUrl or a destination.";
  }
  if (destination && !takesDeliveryProperties(destination) && deliveryProperties.length > 0) {
    yield `Delivery properties are not supported for a destination of the type ${destination.endpointType}.`;
  }
  yield* rangeProblems(batching, {
    maxEventsPerBatch: [1, MAX_EVENTS_PER_BATCH],
    preferredBatchSizeInKilobytes: [1, 1024],
  });
  yield* deliveryPropertyProblems(deliveryProperties, clientId !== undefined);
}
