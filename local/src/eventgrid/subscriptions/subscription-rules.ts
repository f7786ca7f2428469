import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  checkScope,
  expected,
  fields,
  flag,
  integer,
  invalidRequest,
  isScope,
  list,
  matching,
  oneOf,
  optionalFields,
  text,
  textWhere,
} from "../../base/index.js";
import { type Directory, EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import { destinationProblems, messageDestination, storageProblems } from "../destinations/index.js";
import { deliverySchemas, type InputSchema, systemDeliverySchemas } from "../events/index.js";
import { type AdvancedFilter, filterProblems, isAdvancedFilter } from "../filters/index.js";
import { deliveryPropertyProblems } from "./delivery-properties.js";
import type {
  EventSubscription,
  EventSubscriptionSettings,
  NewEventSubscription,
} from "./event-subscription.js";
import { withoutQuery } from "./handshake.js";

export interface CheckedSubscription {
  readonly name: string;
  readonly scope: string;
  readonly settings: EventSubscriptionSettings;
}

const NAME = /^[-a-zA-Z0-9]{3,64}$/;
const MAX_ATTEMPTS = 30;
const MAX_TIME_TO_LIVE = 1440;
const MAX_EVENTS = 5000;
const MAX_KILOBYTES = 1024;
const NO_ENDPOINT = "needs either an endpointUrl or a destination";

/** Settings without limits. */
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
      advancedFilters: list(
        v.custom<AdvancedFilter>(
          isAdvancedFilter,
          expected("an object with a key and an operatorType"),
        ),
      ),
      enableAdvancedFilteringOnArrays: flag,
    }),
  ),
  deadLetter: v.optional(fields({ container: text, storageAccountId: v.optional(text) })),
  deliveryProperties: v.optional(
    list(
      v.variant(
        "type",
        [
          fields({ type: oneOf("static"), name: text, value: text, secret: v.optional(flag) }),
          fields({ type: oneOf("dynamic"), name: text, sourceField: text }),
        ],
        expected('"static" or "dynamic"'),
      ),
    ),
  ),
  expiresAt: v.optional(text),
  labels: v.optional(list(text)),
};

/** Checks types only: the service itself reports values outside their limits. */
const newSubscription = fields({
  name: text,
  scope: text,
  endpointUrl: v.optional(text),
  ...settings,
  retryPolicy: v.optional(
    optionalFields({ maxDeliveryAttempts: v.unknown(), eventTimeToLiveInMinutes: v.unknown() }),
  ),
  batching: v.optional(
    optionalFields({ maxEventsPerBatch: v.unknown(), preferredBatchSizeInKilobytes: v.unknown() }),
  ),
  attributes: v.optional(anyObject),
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
    retryPolicy: v.optional(
      optionalFields({
        maxDeliveryAttempts: integer(1, MAX_ATTEMPTS),
        eventTimeToLiveInMinutes: integer(1, MAX_TIME_TO_LIVE),
      }),
    ),
    batching: v.optional(
      optionalFields({
        maxEventsPerBatch: integer(1, MAX_EVENTS),
        preferredBatchSizeInKilobytes: integer(1, MAX_KILOBYTES),
      }),
    ),
  }),
  v.check(
    ({ endpointUrl, destination }) => (endpointUrl === undefined) !== (destination === undefined),
    NO_ENDPOINT,
  ),
);

/**
 * Checks the settings and fills in the defaults.
 *
 * @throws LocalCloudError `ERR_OPTIONS` for settings of the wrong type
 * @throws ServiceError with everything that the service would refuse
 */
export function checkSubscription(
  props: NewEventSubscription,
  cloud: {
    readonly subscriptionId: string;
    readonly tenantId: string;
    /** The input schema of the topic; `undefined` for any other scope. */
    readonly inputSchemaOf: (scope: string) => InputSchema | undefined;
  },
): CheckedSubscription {
  checkOptions(newSubscription, props, "Invalid options of an event subscription");
  const scope = checkScope(props.scope, cloud.subscriptionId);
  const inputSchema = cloud.inputSchemaOf(scope);
  const defaultSchema = inputSchema ? deliverySchemas[inputSchema][0] : "CloudEventSchemaV1_0";
  const settings: EventSubscriptionSettings = {
    endpointUrl: props.endpointUrl,
    destination: props.destination,
    clientId: props.clientId,
    tenantId: props.tenantId ?? cloud.tenantId,
    deliverySchema: props.deliverySchema ?? defaultSchema,
    filter: props.filter ?? {},
    retryPolicy: {
      maxDeliveryAttempts: props.retryPolicy?.maxDeliveryAttempts ?? MAX_ATTEMPTS,
      eventTimeToLiveInMinutes: props.retryPolicy?.eventTimeToLiveInMinutes ?? MAX_TIME_TO_LIVE,
    },
    batching: {
      maxEventsPerBatch: props.batching?.maxEventsPerBatch ?? 1,
      preferredBatchSizeInKilobytes: props.batching?.preferredBatchSizeInKilobytes ?? 64,
    },
    deadLetter: props.deadLetter,
    deliveryProperties: props.deliveryProperties ?? [],
    expiresAt: props.expiresAt,
    labels: props.labels ?? [],
    attributes: props.attributes ?? {},
  };
  const problems = [
    ...settingProblems(props.name, settings),
    ...schemaProblems(settings, inputSchema),
  ];
  if (problems.length > 0) throw invalidRequest(problems.join(" "));
  return { name: props.name, scope, settings };
}

function* settingProblems(name: string, settings: EventSubscriptionSettings): Generator<string> {
  if (!NAME.test(name)) {
    yield `Event subscription name '${name}' is invalid: it must have 3 to 64 letters, digits or hyphens.`;
  }
  yield* endpointProblems(settings);
  const { retryPolicy, batching, deadLetter, expiresAt } = settings;
  const { maxDeliveryAttempts, eventTimeToLiveInMinutes } = retryPolicy;
  const { maxEventsPerBatch, preferredBatchSizeInKilobytes } = batching;
  yield* outside("retryPolicy.maxDeliveryAttempts", maxDeliveryAttempts, MAX_ATTEMPTS);
  yield* outside(
    "retryPolicy.eventTimeToLiveInMinutes",
    eventTimeToLiveInMinutes,
    MAX_TIME_TO_LIVE,
  );
  yield* outside("maxEventsPerBatch", maxEventsPerBatch, MAX_EVENTS);
  yield* outside("preferredBatchSizeInKilobytes", preferredBatchSizeInKilobytes, MAX_KILOBYTES);
  if (deadLetter) {
    yield* storageProblems("container", deadLetter.container, deadLetter.storageAccountId);
  }
  yield* filterProblems(settings.filter);
  yield* deliveryPropertyProblems(settings.deliveryProperties, settings.clientId !== undefined);
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
    yield `The expiration time '${expiresAt}' is not a timestamp.`;
  }
}

function* endpointProblems(settings: EventSubscriptionSettings): Generator<string> {
  const { endpointUrl, destination, clientId, deliveryProperties, batching } = settings;
  if (!destination) {
    if (endpointUrl === undefined) yield `The event subscription ${NO_ENDPOINT}.`;
    if (endpointUrl === undefined || isHttps(endpointUrl)) return;
    yield `The endpoint URL '${withoutQuery(endpointUrl)}' is invalid: a webhook needs an https URL.`;
    return;
  }
  yield* destinationProblems(destination);
  const { type } = destination;
  if (endpointUrl !== undefined || clientId !== undefined || batching.maxEventsPerBatch > 1) {
    yield `An endpoint URL, an application and batches are for webhooks, not for a destination of the type ${type}.`;
  }
  if (type === "StorageQueue" && deliveryProperties.length > 0) {
    yield "Delivery properties are not supported for a destination of the type StorageQueue.";
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
