import { AZURE_LIMITS } from "cloud-eventgrid-binding-runtime/internal";
import {
  type DeadLetterContainer,
  deadLetterDestination,
  filterBody,
  type SubscriptionSettings,
} from "../subscription/index.js";

type PushSettings = Pick<
  SubscriptionSettings,
  "subjectFilter" | "advancedFilters" | "retryPolicy"
> & { readonly deadLetter?: DeadLetterContainer };

/**
 * The event subscription of a system topic that delivers to a namespace topic, as Resource Manager takes
 * it. It has every optional field, because azapi does not write one that is removed. Only event types
 * that are not known are left out: Azure fills in its default types, which would differ from null at every plan.
 */
export function pushBody(
  topicId: string,
  props: PushSettings,
  includedEventTypes: readonly string[] | undefined,
): object {
  const { subjectFilter, advancedFilters = [], retryPolicy, deadLetter } = props;
  const identity = { type: "SystemAssigned" };
  const { deliveryAttempts, eventTimeToLiveMinutes } = AZURE_LIMITS;
  return {
    properties: {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      deliveryWithResourceIdentity: {
        identity,
        destination: { endpointType: "NamespaceTopic", properties: { resourceId: topicId } },
      },
      filter: {
        ...(includedEventTypes && { includedEventTypes }),
        subjectBeginsWith: subjectFilter?.beginsWith ?? "",
        subjectEndsWith: subjectFilter?.endsWith ?? "",
        isSubjectCaseSensitive: subjectFilter?.caseSensitive ?? false,
        enableAdvancedFilteringOnArrays: advancedFilters.length > 0,
        advancedFilters: advancedFilters.map(filterBody),
      },
      retryPolicy: {
        maxDeliveryAttempts: retryPolicy?.maxDeliveryAttempts ?? deliveryAttempts.max,
        eventTimeToLiveInMinutes: retryPolicy?.eventTimeToLiveMinutes ?? eventTimeToLiveMinutes.max,
      },
      deadLetterWithResourceIdentity: deadLetter
        ? { identity, deadLetterDestination: deadLetterDestination(deadLetter) }
        : null,
    },
  };
}
