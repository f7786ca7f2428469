import type { Command } from "commander";
import { clockTime, iso, table } from "../../commands/index.js";
import {
  type ActivityRow,
  attemptOf,
  type EventDetails,
  type LiveMessage,
} from "../../dashboard/index.js";
import { wholeNumber } from "../options.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

/** Commands that show what happens: `tail`, `deliveries`, `dead-letters`. */
export function activityCommands(terminal: Terminal): Command[] {
  return [tail(terminal), deliveries(terminal), deadLetters(terminal)];
}

interface RowFilter {
  readonly type?: string;
  readonly subscription?: string;
  readonly outcome?: string;
}

function addFilters(command: Command): void {
  command
    .option("--type <type>", "only events of this type")
    .option("--subscription <name>", "only this event subscription")
    .option(
      "--outcome <outcome>",
      "only accepted, unmatched, delivered, retrying, deadLettered, dropped, handshakeSucceeded or handshakeFailed",
    );
}

function fits(row: ActivityRow, { type, subscription, outcome }: RowFilter): boolean {
  return (
    (type === undefined || row.type === type) &&
    (subscription === undefined || row.subscription === subscription) &&
    (outcome === undefined || row.outcome === outcome)
  );
}

function tail(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "tail",
    "print events, deliveries and handshakes as they happen; --json prints one object a line",
    terminal,
  );
  addFilters(command);
  command.option("--all", "begin with what happened before");
  return act(async ({ instance }, { json, all, ...filter }) => {
    const { rows: latest } = await instance.call("GET activity", { limit: "1" });
    const after = all ? 0 : (latest.at(-1)?.number ?? 0);
    try {
      for await (const { rows } of instance.stream<LiveMessage>("GET live", {
        after: String(after),
      })) {
        for (const row of rows) {
          if (fits(row, filter))
            terminal.print(`${json ? JSON.stringify(withIsoTimes(row)) : lineOf(row)}\n`);
        }
      }
    } catch (error) {
      if (!terminal.interrupted.aborted) throw error;
    }
  });
}

function lineOf(row: ActivityRow): string {
  const target = row.subscription ?? row.topic ?? "Azure service";
  const subject = row.kind === "handshake" ? "" : `${row.type} ${row.subject ?? row.eventId}`;
  const result = [row.kind === "event" ? undefined : row.status, row.outcome, row.error];
  return [
    clockTime(row.at),
    `#${row.number}`.padEnd(6),
    row.kind.padEnd(9),
    target.padEnd(20),
    subject,
    result.filter((each) => each !== undefined).join(" "),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function deliveries(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "deliveries",
    "list delivery attempts, or show one event with all its attempts",
    terminal,
  );
  command.argument("[event]", "number or id of the event");
  addFilters(command);
  command.option("--limit <n>", "the latest n attempts", wholeNumber(1, 10_000), 50);
  return act(async ({ instance, show }, { limit, ...filter }, event?: string) => {
    if (event !== undefined) {
      const details = await instance.call("GET event", { number: event });
      return show(isoDetails(details), detailsText(details));
    }
    const { rows } = await instance.call("GET activity", { limit: "10000" });
    const shown = rows.filter((row) => row.kind === "delivery" && fits(row, filter)).slice(-limit);
    const text = table(
      ["EVENT", "TIME", "SUBSCRIPTION", "TYPE", "SUBJECT", "ATTEMPT", "STATUS", "OUTCOME"],
      shown.map((row) => [
        row.event,
        clockTime(row.at),
        row.subscription,
        row.type,
        row.subject,
        attemptOf(row),
        row.status ?? "-",
        row.outcome,
      ]),
    );
    show(shown.map(withIsoTimes), shown.length === 0 ? "No deliveries." : text);
  });
}

/** JSON for programs has the names and times of `GET /local/deliveries`. */
function withIsoTimes<Entry extends { at?: number; nextAttemptAt?: number | undefined }>(
  entry: Entry,
) {
  const { at, nextAttemptAt, ...others } = entry;
  return {
    ...others,
    ...(at === undefined ? {} : { at: iso(at) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: iso(nextAttemptAt) }),
  };
}

function isoDetails({ acceptedAt, subscriptions, ...event }: EventDetails) {
  return {
    ...event,
    acceptedAt: iso(acceptedAt),
    subscriptions: subscriptions.map(({ attempts, ...subscription }) => ({
      ...withIsoTimes(subscription),
      attempts: attempts.map(withIsoTimes),
    })),
  };
}

function detailsText(event: EventDetails): string {
  const facts = [
    ["event", `#${event.number}  ${event.id}`],
    ["type", event.type],
    ["subject", event.subject ?? ""],
    ["source", event.source],
    ["topic", event.topic ?? "Azure service"],
    ["accepted", iso(event.acceptedAt)],
  ].map(([name, value]) => `${name?.padEnd(9)} ${value}\n`);
  const outcomes = event.subscriptions.map(({ name, state, filteredBy, attempts, deadLetter }) =>
    [
      `\n${name}: ${state}${filteredBy === undefined ? "" : ` by ${filteredBy}`}\n`,
      ...attempts.map(
        ({ at, deliveryCount, status, outcome, error, durationMs, response }) =>
          `  ${deliveryCount + 1}. ${clockTime(at)}  ${status ?? "no response"}  ${outcome}  ${Math.round(durationMs)} ms${error ? `  ${error}` : ""}${response?.body ? `\n     ${response.body}` : ""}\n`,
      ),
      deadLetter ? `  dead letter: ${deadLetter.reason}, ${deadLetter.blob}\n` : "",
    ].join(""),
  );
  if (outcomes.length === 0)
    outcomes.push("\nNo event subscription covers this topic or resource.\n");
  return [...facts, ...outcomes, `\n${event.json}\n`].join("");
}

function deadLetters(terminal: Terminal): Command {
  const { command, act } = clientCommand("dead-letters", "list undeliverable events", terminal);
  command.option("--subscription <name>", "only of this event subscription");
  return act(async ({ instance, show }, { subscription }) => {
    const all = await instance.call("GET dead-letter-details");
    const shown = ofSubscription(all, subscription);
    const records = await instance.call("GET dead-letters");
    const text = table(
      ["EVENT", "LAST ATTEMPT", "SUBSCRIPTION", "TYPE", "SUBJECT", "ATTEMPTS", "REASON"],
      shown.map((each) => [
        each.event ?? each.eventId,
        each.lastAttemptAt === undefined ? "" : clockTime(each.lastAttemptAt),
        each.subscription,
        each.type,
        each.subject,
        each.attempts,
        each.reason,
      ]),
    );
    // Programs get the fields of Event Grid's blobs.
    const json = ofSubscription(records, subscription);
    show(json, shown.length === 0 ? "No dead letters." : text);
  });
}

function ofSubscription<T extends { readonly subscription: string }>(
  all: readonly T[],
  name: string | undefined,
): readonly T[] {
  return name === undefined ? all : all.filter(({ subscription }) => subscription === name);
}
