import { type Command, Option } from "commander";
import { clockTime, table } from "../../commands/index.js";
import type { ActivityRow, EventDetails, LiveMessage, Outcome } from "../../dashboard/index.js";
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

const OUTCOMES: Readonly<Record<Outcome, true>> = {
  accepted: true,
  unmatched: true,
  delivered: true,
  retrying: true,
  deadLettered: true,
  dropped: true,
  handshakeSucceeded: true,
  handshakeFailed: true,
};

function addFilters(command: Command): void {
  command
    .option("--type <type>", "only events of this type")
    .option("--subscription <name>", "only this event subscription")
    .addOption(
      new Option("--outcome <outcome>", "only what ended like this").choices(Object.keys(OUTCOMES)),
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
          if (fits(row, filter)) terminal.print(`${json ? JSON.stringify(row) : lineOf(row)}\n`);
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
      return show(details, detailsText(details));
    }
    const { rows } = await instance.call("GET activity", { limit: "10000" });
    const shown = rows.filter((row) => row.kind === "delivery" && fits(row, filter)).slice(-limit);
    const text = table(
      ["EVENT", "TIME", "SUBSCRIPTION", "TYPE", "SUBJECT", "ATTEMPT", "STATUS", "OUTCOME"],
      shown.map((row) => [
        row.eventId,
        clockTime(row.at),
        row.subscription,
        row.type,
        row.subject,
        row.attempt ?? "-",
        row.status ?? "-",
        row.outcome,
      ]),
      "No deliveries.",
    );
    show(shown, text);
  });
}

function detailsText(event: EventDetails): string {
  const facts = [
    ["event", `#${event.number}  ${event.id}`],
    ["type", event.type],
    ["subject", event.subject ?? ""],
    ["source", event.source],
    ["topic", event.topic ?? "Azure service"],
    ["accepted", event.acceptedAt],
  ].map(([name, value]) => `${name?.padEnd(9)} ${value}\n`);
  const outcomes = event.subscriptions.map(
    ({ subscription, outcome, reason, attempts, deadLetter }) =>
      [
        `\n${subscription}: ${outcome}${reason === undefined ? "" : ` (${reason})`}\n`,
        ...attempts.map(({ at, attempt, status, outcome, error, durationMs, response }) =>
          attempt === undefined
            ? `     ${clockTime(at)}  ${outcome}  ${error}\n`
            : `  ${attempt}. ${clockTime(at)}  ${status ?? "no response"}  ${outcome}  ${Math.round(durationMs)} ms${error ? `  ${error}` : ""}${response?.body.text ? `\n     ${response.body.text}` : ""}\n`,
        ),
        deadLetter ? `  dead letter: ${deadLetter.blob}\n` : "",
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
    // Programs get the fields of Event Grid's blobs, people the number for `deliveries` and `resend`.
    const records = await instance.call("GET dead-letters", { subscription });
    const details = await instance.call("GET dead-letter-details");
    const text = table(
      ["EVENT", "LAST ATTEMPT", "SUBSCRIPTION", "TYPE", "SUBJECT", "ATTEMPTS", "REASON"],
      details
        .filter((each) => subscription === undefined || each.subscription === subscription)
        .map((each) => [
          each.event ?? each.eventId,
          each.lastAttemptAt && clockTime(each.lastAttemptAt),
          each.subscription,
          each.type,
          each.subject,
          each.attempts,
          each.reason,
        ]),
      "No dead letters.",
    );
    show(records, text);
  });
}
