import type { AcceptedEvent } from "../event.js";

/** Why an event could not be delivered. */
export interface DeadLetterReason {
  readonly deadletterreason: string;
  readonly deliveryattempts: number;
  readonly lastdeliveryoutcome: string;
  /** Timestamps in ISO 8601. */
  readonly publishtime: string;
  readonly lastdeliveryattempttime: string;
}

/** An event that was given up and put into its subscription's dead-letter container. */
export interface DeadLetter extends DeadLetterReason {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly event: AcceptedEvent;
  /** The blob's name inside the container. */
  readonly blob: string;
}

/** The record that stands in the container: the event as it came, and why it is there. */
export function deadLetterRecord(event: AcceptedEvent, reason: DeadLetterReason): string {
  const fields = Object.entries(reason).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `${event.json.slice(0, event.json.lastIndexOf("}"))},${fields.join(",")}}`;
}

/** `SUBSCRIPTION/2026/1/31/7/<uuid>.json`: the name in capitals, the numbers without zeros. */
export function blobName(subscriptionName: string, at: number, id: string): string {
  const date = new Date(at);
  const parts = [
    subscriptionName.toUpperCase(),
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    `${id}.json`,
  ];
  return parts.join("/");
}
