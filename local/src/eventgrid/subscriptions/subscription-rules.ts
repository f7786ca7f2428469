import { checkOptions } from "../../check-options.js";
import { invalidRequest } from "../../errors.js";
import { subscriptionSettings } from "../../setting-shapes.js";
import { anyObject, anything, object, text } from "../../shape.js";
import { deliveryPropertyProblems } from "../delivery/delivery-properties.js";
import { filterProblems } from "../filters/filter-rules.js";
import { checkScope } from "../scope.js";
import type { EventSubscriptionSettings, NewEventSubscription } from "./event-subscription.js";
import { withoutQuery } from "./handshake.js";

export interface CheckedSubscription {
  readonly name: string;
  readonly scope: string;
  readonly settings: EventSubscriptionSettings;
}

/** Names that an event subscription can have. */
export const SUBSCRIPTION_NAME = /^[-a-zA-Z0-9]{3,64}$/;

const newSubscription = object(
  { name: text, scope: text, endpointUrl: text },
  {
    ...subscriptionSettings,
    retryPolicy: object({}, { maxDeliveryAttempts: anything, eventTimeToLiveInMinutes: anything }),
    batching: object({}, { maxEventsPerBatch: anything, preferredBatchSizeInKilobytes: anything }),
    attributes: anyObject,
  },
);

/**
 * Fills in the defaults.
 *
 * @throws LocalCloudError `ERR_OPTIONS`
 * @throws ServiceError that names everything that the service would refuse
 */
export function checkSubscription(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly tenantId: string },
): CheckedSubscription {
  checkOptions(newSubscription, props, "An event subscription cannot have these options");
  const scope = checkScope(props.scope, cloud.subscriptionId);
  const settings: EventSubscriptionSettings = {
    endpointUrl: props.endpointUrl,
    clientId: props.clientId,
    tenantId: props.tenantId ?? cloud.tenantId,
    filter: props.filter ?? {},
    retryPolicy: {
      maxDeliveryAttempts: props.retryPolicy?.maxDeliveryAttempts ?? 30,
      eventTimeToLiveInMinutes: props.retryPolicy?.eventTimeToLiveInMinutes ?? 1440,
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
  const problems = [...problemsOf(props.name, settings)];
  if (problems.length > 0) throw invalidRequest(problems.join(" "));
  return { name: props.name, scope, settings };
}

function* problemsOf(name: string, settings: EventSubscriptionSettings): Generator<string> {
  if (!SUBSCRIPTION_NAME.test(name)) {
    yield `Event subscription name '${name}' is invalid: it must have 3 to 64 letters, digits or hyphens.`;
  }
  const url = settings.endpointUrl;
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    yield `The endpoint URL '${withoutQuery(url)}' is invalid: a webhook needs an https URL.`;
  }
  const { retryPolicy, batching, expiresAt } = settings;
  yield* outside("retryPolicy.maxDeliveryAttempts", retryPolicy.maxDeliveryAttempts, 30);
  yield* outside(
    "retryPolicy.eventTimeToLiveInMinutes",
    retryPolicy.eventTimeToLiveInMinutes,
    1440,
  );
  yield* outside("maxEventsPerBatch", batching.maxEventsPerBatch, 5000);
  yield* outside("preferredBatchSizeInKilobytes", batching.preferredBatchSizeInKilobytes, 1024);
  yield* filterProblems(settings.filter);
  yield* deliveryPropertyProblems(settings.deliveryProperties, settings.clientId !== undefined);
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
    yield `The expiration time '${expiresAt}' is no timestamp.`;
  }
}

function* outside(field: string, value: number, most: number): Generator<string> {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  yield `${field} must be an integer from 1 to ${most}, not ${value}.`;
}
