import { Command, InvalidArgumentError } from "commander";
import { readTime, wholeNumber } from "../arguments.js";
import type { ContainerFlags, Grouping, Selection, TopicFlags } from "../dead-letters/index.js";
import { ExitCode, jsonText, type Terminal, UsageError } from "../terminal.js";

interface SelectionFlags extends ContainerFlags {
  readonly subscription?: string;
  readonly reason?: string;
  readonly type?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly json?: true;
}

interface ListFlags extends SelectionFlags {
  readonly by: readonly Grouping[];
}

interface ReplayFlags extends SelectionFlags, TopicFlags {
  readonly id: readonly string[];
  readonly limit?: number;
  readonly again?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

type End = (exitCode: number) => void;

/** `cloud-eventgrid dead-letters`: reads a dead-letter container and sends its events again. */
export function deadLettersCommand(terminal: Terminal, end: End): Command {
  return new Command("dead-letters")
    .description("List, show and replay the events in a dead-letter container")
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal, end))
    .addCommand(replayCommand(terminal, end));
}

function listCommand({ env, out }: Terminal): Command {
  return selecting(new Command("list"))
    .description("Count dead letters by day, reason and type")
    .option("--by <columns>", "day, hour, reason, type, subscription, outcome", groupings, [
      "day",
      "reason",
      "type",
    ])
    .action(async (flags: ListFlags) => {
      const { Groups, openContainer, selectBlobs } = await import("../dead-letters/index.js");
      const container = await openContainer(flags, env);
      const groups = new Groups(flags.by);
      for await (const { letters } of selectBlobs(container, selectionOf(flags))) {
        for (const letter of letters) groups.add(letter);
      }
      if (flags.json) out(jsonText({ total: groups.total, groups: groups.list() }));
      else if (groups.total === 0) out("There are no dead letters.\n");
      else out(`${groups.table()}\n${dead(groups.total)} in ${container.url}\n`);
    });
}

function showCommand({ env, out }: Terminal, end: End): Command {
  return selecting(new Command("show"))
    .description("Show dead letters with their events")
    .argument("[id...]", "ids of events; all dead letters without one")
    .option("--limit <number>", "show at most this many", wholeNumber(1, 1_000_000), 10)
    .action(async (ids: readonly string[], flags: SelectionFlags & { readonly limit: number }) => {
      const { openContainer, selectBlobs } = await import("../dead-letters/index.js");
      const container = await openContainer(flags, env);
      const shown = [];
      for await (const { letters } of selectBlobs(container, selectionOf(flags, ids))) {
        shown.push(...letters.slice(0, flags.limit - shown.length));
        if (shown.length === flags.limit) break;
      }
      const records = shown.map(({ isExact: _, ...letter }) => letter);
      if (flags.json) out(jsonText(records));
      else for (const record of records) out(`${jsonText(record)}\n`);
      if (records.length === 0) {
        if (!flags.json) out("There are no such dead letters.\n");
        end(ExitCode.problems);
      }
    });
}

function replayCommand(terminal: Terminal, end: End): Command {
  const { env, out, error } = terminal;
  return selecting(new Command("replay"))
    .description("Send dead letters to a topic again, with their original ids and sources")
    .option("--env <prefix>", "the topic of a binding in environment variables")
    .option("--env-file <file>", "a file with environment variables for --env")
    .option("--topic <endpoint>", "the topic's endpoint")
    .option("--access-key-env <variable>", "environment variable with the topic's access key")
    .option("--entra", "sign in to the topic with @azure/identity")
    .option("--id <id>", "only the event with this id (repeatable)", collect, [])
    .option("--limit <number>", "send at most this many events", wholeNumber(1, 100_000_000))
    .option("--again", "send events again that were replayed before")
    .option("--dry-run", "say what would be sent, and send nothing")
    .option("--yes", "send without asking")
    .addHelpText("after", REPLAY_HELP)
    .action(async (flags: ReplayFlags) => {
      const { Groups, openContainer, readTarget, replay, selectBlobs } = await import(
        "../dead-letters/index.js"
      );
      const target =
        flags.dryRun && !flags.topic && !flags.env ? undefined : readTarget(flags, terminal);
      const container = await openContainer(flags, env);
      const selection = selectionOf(flags, flags.id);
      const { limit, again = false } = flags;
      const due = async function* () {
        let left = limit ?? Number.POSITIVE_INFINITY;
        for await (const { blob, letters } of selectBlobs(container, selection)) {
          const chosen = letters.filter(({ replayed }) => again || !replayed).slice(0, left);
          left -= chosen.length;
          if (chosen.length > 0) yield { blob, letters: chosen };
          if (left === 0) return;
        }
      };
      if (!flags.yes) {
        const groups = new Groups(["reason", "type"]);
        for await (const { letters } of due()) for (const letter of letters) groups.add(letter);
        const text = flags.json && flags.dryRun;
        if (text) out(jsonText({ dryRun: true, events: groups.total, groups: groups.list() }));
        else if (groups.total === 0) out("There are no dead letters to send.\n");
        else out(`${groups.table()}\n${dead(groups.total)} to send${to(target?.endpoint)}.\n`);
        if (flags.dryRun || groups.total === 0) return;
        out(WARNING);
        if (terminal.ask === undefined) throw new UsageError("add --yes to send them");
        if (!/^y(es)?$/i.test(await terminal.ask("Send them? [y/N] "))) return;
      } else if (!flags.json) error(WARNING);
      if (target === undefined) return;
      const publisher = await target.open();
      const result = await replay(due(), publisher).finally(() => publisher.close());
      const failures = result.failures.map(({ letter, reason }) => ({
        ...{ id: letter.event.id, blob: letter.blob, index: letter.index, reason },
      }));
      const { accepted, stopped } = result;
      if (flags.json) out(jsonText({ accepted, failures, ...(stopped && { stopped }) }));
      else {
        out(`The topic accepted ${accepted} events.\n`);
        for (const { id, blob, reason } of failures)
          out(`Not accepted: ${id} (${blob}): ${reason}\n`);
        if (stopped) out(`The replay stopped early: ${stopped}\n`);
      }
      if (failures.length > 0 || stopped) end(ExitCode.problems);
    });
}

const WARNING = "Warning: every subscription of the topic receives these events again.\n";

const REPLAY_HELP = `
Every subscription of the topic receives the events, not only the one that failed. An event is
marked as replayed in the metadata of its blob after the topic has accepted it, so a replay that
was interrupted can simply be started again.

Exit codes:
  0  every event was accepted
  1  the container or the topic cannot be reached
  2  the arguments are wrong
  3  some events were not accepted`;

const dead = (count: number) => `${count} dead letter${count === 1 ? "" : "s"}`;
const to = (endpoint: string | undefined) => (endpoint === undefined ? "" : ` to ${endpoint}`);
const collect = (value: string, before: readonly string[]) => [...before, value];

function selecting(command: Command): Command {
  return command
    .option("--container <url>", "the container's URL, or its name for a connection string")
    .option("--container-env <variable>", "environment variable with the container's URL")
    .option("--subscription <name>", "only dead letters of this event subscription")
    .option("--reason <reason>", "only with this reason, such as MaxDeliveryAttemptsExceeded")
    .option("--type <type>", "only events of this type")
    .option("--since <time>", "only from this time on: 2026-01-31T07:00Z, 24h, 7d", readTime)
    .option("--until <time>", "only before this time", readTime)
    .option("--json", "print JSON");
}

function selectionOf(flags: SelectionFlags, ids: readonly string[] = []): Selection {
  const { subscription, reason, type, since, until } = flags;
  return {
    ids,
    ...(subscription !== undefined && { subscription }),
    ...(reason !== undefined && { reason }),
    ...(type !== undefined && { type }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

function groupings(text: string): readonly string[] {
  const known = ["day", "hour", "reason", "type", "subscription", "outcome"];
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`It must be a list of ${known.join(", ")}.`);
}
