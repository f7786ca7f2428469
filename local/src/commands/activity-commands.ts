import * as v from "valibot";
import { optional, required, text } from "../base/index.js";
import {
  type DeadLetterDetails,
  deadLetterDetails,
  eventDetails,
  rowsAfter,
  streamActivity,
} from "../dashboard/index.js";
import type { DeadLetter, DeliveryAttempt, Message } from "../eventgrid/index.js";
import { command } from "./command.js";
import { clockTime, iso, JsonText, jsonList, jsonWith, table } from "./output.js";

/** A message as clients read it. */
export interface MessageDetails {
  readonly subscription: string;
  readonly destinationType: string;
  readonly destination: string;
  readonly body: string;
  readonly at: string;
}

const subscription = optional(text, "--subscription <name>", "only of this event subscription");
const after = optional(text, undefined, "number of a row");

/**
 * What happened. Events remain the published text: parsing and writing would lose digits, and would
 * fail for deep nesting.
 */
export const activityCommands = {
  "GET deliveries": command({
    help: "returns the delivery attempts",
    run: (cloud) => new JsonText(jsonList(cloud.deliveries().map(shownDelivery))),
  }),
  "GET handshakes": command({
    help: "returns the handshakes",
    run: (cloud) => cloud.handshakes().map((each) => ({ ...each, at: iso(each.at) })),
  }),
  "GET dead-letters": command({
    help: "returns the dead letters",
    run: (cloud) =>
      new JsonText<readonly { readonly subscription: string }[]>(
        jsonList(cloud.deadLetters().map(shownDeadLetter)),
      ),
  }),
  "GET messages": command({
    help: "returns the messages in queues, topics and event hubs",
    inputs: { subscription },
    run: (cloud, { subscription: name }) => {
      const messages = cloud
        .messages()
        .filter((each) => name === undefined || each.subscription === name);
      return new JsonText<readonly MessageDetails[]>(jsonList(messages.map(shownMessage)));
    },
    line: {
      words: "messages",
      help: "list messages in queues, Service Bus topics and event hubs",
      text: (messages) =>
        messages.length === 0
          ? "No messages."
          : table(
              ["TIME", "SUBSCRIPTION", "DESTINATION", "MESSAGE"],
              messages.map((each) => [
                clockTime(each.at),
                each.subscription,
                `${each.destinationType} ${each.destination.split("/").at(-1)}`,
                each.body,
              ]),
            ),
    },
  }),
  "GET alerts": command({
    help: "returns the [alerts](local-azure-storage.md#test-alerts) of metric alert rules",
    run: (cloud) =>
      cloud.alerts().map(({ changes, ...alert }) => ({
        ...alert,
        changes: changes.map(({ at, ...change }) => ({ ...change, at: iso(at) })),
      })),
    line: {
      words: "alerts",
      help: "list [alerts](local-azure-storage.md#test-alerts)",
      text: (alerts) =>
        alerts.length === 0
          ? "No alert rules."
          : table(
              ["STATE", "SEVERITY", "RULE", "RESOURCE", "LAST CHANGE"],
              alerts.map(({ state, severity, rule, scope, changes }) => {
                const last = changes.at(-1);
                const name = scope.split("/").at(-1) ?? "";
                return [state, `${severity}`, rule, name, last ? `${last.state} ${last.at}` : ""];
              }),
            ),
    },
  }),

  "GET diagnostic-logs": command({
    help: "returns the [diagnostic logs](local-azure-storage.md#read-diagnostic-logs) of failed deliveries and publish requests",
    needsToken: true,
    run: (cloud) => cloud.diagnosticLogs(),
    line: {
      words: "logs",
      help: "print [diagnostic logs](local-azure-storage.md#read-diagnostic-logs), a JSON object a line",
      text: (logs) => logs.map((each) => JSON.stringify(each)).join("\n") || "No diagnostic logs.",
    },
  }),

  "GET activity": command({
    needsToken: true,
    inputs: { after, limit: optional(text) },
    run: ({ eventGrid }, { after, limit }) =>
      rowsAfter(eventGrid.activity, numberIn(after, 0), numberIn(limit, 1_000)),
  }),
  "GET live": command({
    needsToken: true,
    inputs: { after },
    run: (cloud, _, exchange) => streamActivity(exchange, cloud),
  }),
  "GET event": command({
    needsToken: true,
    inputs: { number: required(v.optional(text, ""), undefined, "number or id of the event") },
    run: (cloud, { number }) => {
      const numberOrId = /^\d+$/.test(number) ? Number(number) : number;
      return eventDetails(cloud, cloud.eventGrid.activity.findEvent(numberOrId));
    },
  }),
  "GET dead-letter-details": command({
    needsToken: true,
    run: ({ eventGrid }): DeadLetterDetails[] =>
      eventGrid.deadLetters().map((each) => deadLetterDetails(each, eventGrid.activity)),
  }),
};

function numberIn(text: string | undefined, defaultValue: number): number {
  const number = Number(text ?? defaultValue);
  return Number.isFinite(number) ? number : defaultValue;
}

/**
 * Requests and responses are left out: they contain a token, and programs need none to read this.
 */
export function shownAttempt(delivery: DeliveryAttempt): object {
  const { events: _, nextAttemptAt, request: __, response: ___, ...attempt } = delivery;
  return {
    ...attempt,
    at: iso(attempt.at),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: iso(nextAttemptAt) }),
  };
}

function shownDelivery(delivery: DeliveryAttempt): string {
  const events = jsonList(delivery.events.map(({ json }) => json));
  return jsonWith(shownAttempt(delivery), "events", events);
}

function shownDeadLetter({ event, ...fields }: DeadLetter): string {
  return jsonWith(fields, "event", event.json);
}

function shownMessage({ event, at, ...fields }: Message): string {
  return jsonWith({ ...fields, at: iso(at) }, "event", event.json);
}
