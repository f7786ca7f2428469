import { Token } from "cdktf";
import { MINUTES_OF_DAY } from "cloud-eventgrid-binding-runtime/internal";
import { deadLetterDestination, filterBody } from "../subscription/index.js";
import type { CloudEventGridPullBindingProps, PullDeadLetterProps } from "./pull-props.js";

/** The event subscription of a pull binding as Resource Manager takes it, with every optional field. */
export function queueBody(props: CloudEventGridPullBindingProps): object {
  const { events, includedEventTypes = events?.types ?? [], filters = [] } = props;
  const { receiveLockSeconds = 60, maxDeliveryCount = 10, deadLetter, topic } = props;
  return {
    properties: {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      deliveryConfiguration: {
        deliveryMode: "Queue",
        queue: {
          receiveLockDurationInSeconds: receiveLockSeconds,
          maxDeliveryCount,
          eventTimeToLive: timeToLive(props.eventTimeToLiveMinutes, topic.eventRetentionDays ?? 1),
          deadLetterDestinationWithResourceIdentity: deadLetter ? deadLetterBody(deadLetter) : null,
        },
      },
      filtersConfiguration: {
        includedEventTypes: includedEventTypes.length > 0 ? [...includedEventTypes] : null,
        filters: filters.map(filterBody),
      },
      expirationTimeUtc: null,
    },
  };
}

/** A container and the identity that writes into it. */
function deadLetterBody(deadLetter: PullDeadLetterProps): object {
  const { type = "SystemAssigned", userAssignedIdentity = null } = deadLetter.identity ?? {};
  return {
    identity: { type, userAssignedIdentity },
    deadLetterDestination: deadLetterDestination(deadLetter),
  };
}

/** @param retentionDays of the topic, the default; Terraform writes it if it is known only later */
function timeToLive(minutes: number | undefined, retentionDays: number): string {
  if (minutes !== undefined) return duration(minutes);
  return Token.isUnresolved(retentionDays)
    ? `P${retentionDays}D`
    : duration(retentionDays * MINUTES_OF_DAY);
}

/**
 * An ISO 8601 duration in the shortest form, which is the one that Azure returns: with another form
 * there would be a difference at every plan.
 */
function duration(minutes: number): string {
  const parts = [
    [Math.floor(minutes / MINUTES_OF_DAY), "D"],
    [Math.floor((minutes % MINUTES_OF_DAY) / 60), "H"],
    [minutes % 60, "M"],
  ] as const;
  const [days, ...time] = parts.map(([count, unit]) => (count === 0 ? "" : `${count}${unit}`));
  return `P${days}${time.some((part) => part !== "") ? `T${time.join("")}` : ""}`;
}
