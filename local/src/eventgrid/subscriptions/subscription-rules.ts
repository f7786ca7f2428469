import { ServiceError } from "../../errors.js";
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

/**
 * Fills in the defaults.
 *
 * @throws ServiceError that names everything that the service would refuse
 */
export function checkSubscription(
  props: NewEventSubscription,
  cloud: { readonly subscriptionId: string; readonly tenantId: string },
): CheckedSubscription {
  checkPresence(props);
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
  if (problems.length > 0) throw new ServiceError(400, "InvalidRequest", problems.join(" "));
  return { name: props.name, scope, settings };
}

/** Callers without types may leave out what has to be there. */
function checkPresence(props: NewEventSubscription): void {
  const missing = (["name", "scope", "endpointUrl"] as const).filter(
    (field) => typeof props[field] !== "string",
  );
  if (missing.length === 0) return;
  throw new ServiceError(
    400,
    "InvalidRequest",
    `An event subscription needs ${missing.join(", ")}: a string each.`,
  );
}

function* problemsOf(name: string, settings: EventSubscriptionSettings): Generator<string> {
  if (!/^[-a-zA-Z0-9]{3,64}$/.test(name)) {
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
