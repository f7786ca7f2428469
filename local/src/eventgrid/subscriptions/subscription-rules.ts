import * as v from "valibot";
import {
  checkOptions,
  checkScope,
  expected,
  fields,
  flag,
  invalidRequest,
  isScope,
  list,
  matching,
  number,
  oneOf,
  optionalFields,
  text,
  textWhere,
} from "../../base/index.js";
import { type Directory, EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import { destinationProblems, messageDestination, storageProblems } from "../destinations/index.js";
import { deliverySchemas, type InputSchema, systemDeliverySchemas } from "../events/index.js";
import { advancedFilter, filterProblems } from "../filters/index.js";
import { propertiesOf } from "./code-properties.js";
import { deliveryPropertyProblems } from "./delivery-properties.js";
import type {
  EventSubscription,
  EventSubscriptionSettings,
  NewEventSubscription,
} from "./event-subscription.js";
import { withoutQuery } from "./handshake.js";
import { type Properties, settingsOf } from "./properties.js";

export interface WrittenSubscription {
  readonly name: string;
  readonly scope: string;
  /** Without nulls. */
  readonly properties: Properties;
}

export interface CheckedSubscription extends WrittenSubscription {
  readonly settings: EventSubscriptionSettings;
}

const NAME = /^[-a-zA-Z0-9]{3,64}$/;

/** Names and types of delivery properties. */
export const deliveryProperties = list(
  v.variant(
    "type",
    [
      fields({ type: oneOf("static"), name: text, value: text, secret: v.optional(flag) }),
      fields({ type: oneOf("dynamic"), name: text, sourceField: text }),
    ],
    expected('"static" or "dynamic"'),
  ),
);

/** Names and types of the settings; the service itself reports values outside its limits. */
const settings = {
  destination: v.optional(messageDestination),
  clientId: v.optional(text),
  tenantId: v.optional(text),
  deliverySchema: v.optional(oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomInputSchema")),
  filter: v.optional(
    optionalFields({
      includedEventTypes: list(text),
      subjectBeginsWith: text,
      subjectEndsWith: text,
      isSubjectCaseSensitive: flag,
      advancedFilters: list(advancedFilter),
      enableAdvancedFilteringOnArrays: flag,
    }),
  ),
  retryPolicy: v.optional(
    optionalFields({ maxDeliveryAttempts: number, eventTimeToLiveInMinutes: number }),
  ),
  batching: v.optional(
    optionalFields({ maxEventsPerBatch: number, preferredBatchSizeInKilobytes: number }),
  ),
  deadLetter: v.optional(fields({ container: text, storageAccountId: v.optional(text) })),
  deliveryProperties: v.optional(deliveryProperties),
  expiresAt: v.optional(text),
  labels: v.optional(list(text)),
};

const newSubscription = fields({
  name: text,
  scope: text,
  endpointUrl: v.optional(text),
  ...settings,
});

/** Schema of an event subscription in a configuration file, limits included. */
export const subscriptionSchema = v.pipe(
  fields({
    name: matching(NAME, "3 to 64 letters, digits or hyphens"),
    scope: textWhere(
      isScope,
      "/subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource",
    ),
    endpointUrl: v.optional(
      v.pipe(
        text,
        v.check(
          isHttps,
          ({ input }) => `must be an https URL, not ${JSON.stringify(withoutQuery(input))}`,
        ),
      ),
    ),
    ...settings,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const properties = propertiesOf(dataset.value, { subscriptionId: "", isTopic: true });
    const settings = settingsOf(properties, { tenantId: "", inputSchema: undefined });
    for (const problem of [...exclusionProblems(dataset.value), ...valueProblems(settings)]) {
      addIssue({ message: `is invalid: ${problem.replace(/\.$/, "")}` });
    }
  }),
);

/** @throws LocalCloudError `ERR_OPTIONS` for settings of the wrong type */
export function checkNewSubscription(props: NewEventSubscription): void {
  checkOptions(newSubscription, props, "Invalid options of an event subscription");
}

/**
 * Reads the settings of a subscription from its properties, and checks them.
 *
 * @param problems of the same settings that were found before
 * @throws ServiceError with everything that the service would refuse
 */
export function checkSubscription(
  { name, scope, properties }: WrittenSubscription,
  cloud: {
    readonly subscriptionId: string;
    readonly tenantId: string;
    /** The input schema of the topic; `undefined` for any other scope. */
    readonly inputSchemaOf: (scope: string) => InputSchema | undefined;
  },
  problems: readonly string[] = [],
): CheckedSubscription {
  const normalized = checkScope(scope, cloud.subscriptionId);
  const inputSchema = cloud.inputSchemaOf(normalized);
  const settings = settingsOf(properties, { tenantId: cloud.tenantId, inputSchema });
  const all = [
    ...nameProblems(name),
    ...endpointProblems(settings),
    ...problems,
    ...valueProblems(settings),
    ...schemaProblems(settings, inputSchema),
  ];
  if (all.length > 0) throw invalidRequest(all.join(" "));
  return { name, scope: normalized, properties, settings };
}

function* nameProblems(name: string): Generator<string> {
  if (NAME.test(name)) return;
  yield `Event subscription name '${name}' is invalid: it must have 3 to 64 letters, digits or hyphens.`;
}

function* endpointProblems({ endpointUrl }: EventSubscriptionSettings): Generator<string> {
  if (endpointUrl === undefined || isHttps(endpointUrl)) return;
  yield `The endpoint URL '${withoutQuery(endpointUrl)}' is invalid: a webhook needs an https URL.`;
}

/** Settings from code that exclude each other. */
export function* exclusionProblems(props: NewEventSubscription): Generator<string> {
  const { destination, endpointUrl, clientId, batching = {} } = props;
  const { maxEventsPerBatch = 1 } = batching;
  if (!destination) return;
  if (endpointUrl !== undefined || clientId !== undefined || maxEventsPerBatch > 1) {
    yield `An endpoint URL, an application and batches are for webhooks, not for a destination of the type ${destination.type}.`;
  }
}

/** Values outside the service's limits. */
function* valueProblems(settings: EventSubscriptionSettings): Generator<string> {
  const { destination, deadLetter, deliveryProperties, expiresAt } = settings;
  const { maxDeliveryAttempts, eventTimeToLiveInMinutes } = settings.retryPolicy;
  const { maxEventsPerBatch, preferredBatchSizeInKilobytes } = settings.batching;
  if (destination) yield* destinationProblems(destination);
  else if (settings.endpointUrl === undefined) {
    yield "The event subscription has no destination: it needs either an endpointUrl or a destination.";
  }
  if (destination?.type === "StorageQueue" && deliveryProperties.length > 0) {
    yield "Delivery properties are not supported for a destination of the type StorageQueue.";
  }
  yield* outside("retryPolicy.maxDeliveryAttempts", maxDeliveryAttempts, 30);
  yield* outside("retryPolicy.eventTimeToLiveInMinutes", eventTimeToLiveInMinutes, 1440);
  yield* outside("maxEventsPerBatch", maxEventsPerBatch, 5000);
  yield* outside("preferredBatchSizeInKilobytes", preferredBatchSizeInKilobytes, 1024);
  if (deadLetter) {
    yield* storageProblems("container", deadLetter.container, deadLetter.storageAccountId);
  }
  yield* filterProblems(settings.filter);
  yield* deliveryPropertyProblems(deliveryProperties, settings.clientId !== undefined);
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
    yield `The expiration time '${expiresAt}' is not a timestamp.`;
  }
}

function* schemaProblems(
  { deliverySchema }: EventSubscriptionSettings,
  inputSchema: InputSchema | undefined,
): Generator<string> {
  const supported = inputSchema ? deliverySchemas[inputSchema] : systemDeliverySchemas;
  if (supported.includes(deliverySchema)) return;
  const source = inputSchema
    ? `a topic with the input schema '${inputSchema}'`
    : "events of Azure services";
  yield `The event delivery schema '${deliverySchema}' is not supported for ${source}. Supported: ${supported.join(", ")}.`;
}

function* outside(field: string, value: number, max: number): Generator<string> {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  yield `${field} must be an integer from 1 to ${max}, not ${value}.`;
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

/**
 * Checks that Event Grid can get a token for the webhook.
 *
 * @throws ServiceError if the tenant lacks the application that protects the webhook, its service
 * principal or Event Grid's own
 */
export function checkWebhookApplication(
  { settings }: EventSubscription,
  directory: Directory,
): void {
  const { clientId, tenantId } = settings;
  if (clientId === undefined) return;
  const tenant = directory.tenant(tenantId);
  if (!tenant?.principalOf(clientId)) {
    throw invalidRequest(
      `The application '${clientId}' that protects the webhook, or its service principal, was not found in the tenant '${tenantId}'.`,
    );
  }
  if (!tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID)) {
    throw invalidRequest(
      `The tenant '${tenantId}' has no service principal for Event Grid's application ${EVENT_GRID_CLIENT_ID}.`,
    );
  }
}
