import { Command, InvalidArgumentError, Option } from "commander";
import { collect, readTime, wholeNumber } from "../arguments.js";
import type {
  ContainerFlags,
  countGroups,
  Grouping,
  ReplayOptions,
  ReplayResult,
  Selection,
  WebhookDependencies,
  WebhookFlags,
} from "../dead-letters/index.js";
import type { TopicFlags } from "../publishing/index.js";
import {
  ExitCode,
  isConfirmed,
  jsonText,
  oneLine,
  type Terminal,
  UsageError,
} from "../terminal/index.js";

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

interface ReplayFlags extends SelectionFlags, TopicFlags, WebhookFlags {
  readonly id?: readonly string[];
  readonly limit?: number;
  readonly again?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** Dependencies that tests replace. */
export type DeadLettersDependencies = Pick<ReplayOptions, "leaseWaitMs"> & WebhookDependencies;

type End = (exitCode: number) => void;

/** `cloud-eventgrid dead-letters`: reads a dead-letter container and sends its events again. */
export function deadLettersCommand(
  terminal: Terminal,
  end: End,
  dependencies: DeadLettersDependencies = {},
): Command {
  return new Command("dead-letters")
    .description("List, show and replay the events in a dead-letter container")
    .addHelpText("after", HELP)
    .addCommand(listCommand(terminal, end))
    .addCommand(showCommand(terminal, end))
    .addCommand(replayCommand(terminal, end, dependencies));
}

function listCommand(terminal: Terminal, end: End): Command {
  const { env, out } = terminal;
  return selecting(new Command("list"))
    .description("Count dead letters by day, reason and type")
    .addHelpText("after", LIST_HELP)
    .addOption(
      new Option("--by <columns>", "day, hour, reason, type, subscription, outcome")
        .argParser(groupings)
        .default(["day", "reason", "type"], "day,reason,type"),
    )
    .action(async (flags: ListFlags) => {
      const { countGroups, openContainer, selectBlobs } = await import("../dead-letters/index.js");
      const container = await openContainer(flags, env);
      const unreadable = new Unreadable(terminal, end);
      const { onProblem } = unreadable;
      const selection = { ...selectionOf(flags), onProblem };
      terminal.progress("reading dead letters");
      const groups = await countGroups(selectBlobs(container, selection), flags.by);
      if (flags.json) out(groupsAsJson(groups, unreadable));
      else if (groups.total === 0) out("There are no dead letters.\n");
      else out(`${groups.table()}\n${dead(groups.total)} in ${container.url}\n`);
    });
}

function showCommand(terminal: Terminal, end: End): Command {
  const { env, out } = terminal;
  return selecting(new Command("show"))
    .description("Show dead letters with their events")
    .addHelpText("after", SHOW_HELP)
    .argument("[id...]", "ids of events (default: all dead letters)")
    .option("--limit <number>", "show at most this many", wholeNumber(1, 1_000_000), 10)
    .action(async (ids: readonly string[], flags: SelectionFlags & { readonly limit: number }) => {
      const { openContainer, selectBlobs } = await import("../dead-letters/index.js");
      const container = await openContainer(flags, env);
      const unreadable = new Unreadable(terminal, end);
      const { onProblem } = unreadable;
      const selection = { ...selectionOf(flags, ids), onProblem, limit: flags.limit };
      const records = [];
      terminal.progress("reading dead letters");
      for await (const { letters } of selectBlobs(container, selection)) {
        for (const { isExact: _, ...letter } of letters) records.push(letter);
      }
      if (flags.json) out(jsonText({ records, unreadable: unreadable.list() }));
      else for (const record of records) out(`${jsonText(record)}\n`);
      if (records.length === 0) {
        if (!flags.json) out("There are no such dead letters.\n");
        end(ExitCode.problems);
      }
    });
}

function replayCommand(
  terminal: Terminal,
  end: End,
  dependencies: DeadLettersDependencies,
): Command {
  const { env, out, error } = terminal;
  return selecting(new Command("replay"))
    .description("Send dead letters again, with their original ids and sources")
    .option("--env <prefix>", "the topic of a binding in environment variables")
    .option("--dotenv <file>", "a file with environment variables for --env")
    .option("--topic <endpoint>", "the topic's endpoint")
    .option("--access-key-env <variable>", "environment variable with the topic's access key")
    .option("--entra", "sign in to the topic with @azure/identity")
    .option("--webhook <url>", "send to this webhook instead of a topic")
    .option("--webhook-application <id>", "client ID of the webhook's application, to sign in to")
    .option("--token-env <variable>", "environment variable with a token for the webhook")
    .option("--id <id>", "only the event with this id (repeatable)", collect)
    .option("--limit <number>", "send at most this many events", wholeNumber(1, 100_000_000))
    .option("--again", "send events again that were replayed before")
    .option("--dry-run", "say what would be sent, and send nothing")
    .option("--yes", "send without asking")
    .addHelpText("after", REPLAY_HELP)
    .action(async (flags: ReplayFlags) => {
      const { Ages, countGroups, openContainer, readWebhook, replay, selectBlobs, topicSender } =
        await import("../dead-letters/index.js");
      const { readTopic } = await import("../publishing/index.js");
      const readTarget = () => {
        const topic = readTopic(flags, terminal);
        return { ...topic, open: async () => topicSender(await topic.open()) };
      };
      const { dryRun = false, yes = false, again = false, limit } = flags;
      const hasTopic = flags.topic !== undefined || flags.env !== undefined;
      if (hasTopic && flags.webhook !== undefined) {
        throw new UsageError("give a topic or --webhook, not both");
      }
      const target =
        flags.webhook !== undefined
          ? readWebhook(flags, terminal, dependencies)
          : !dryRun || hasTopic
            ? readTarget()
            : undefined;
      const container = await openContainer(flags, env);
      const unreadable = new Unreadable(terminal, end);
      const report = (result: ReplayResult) =>
        flags.json ? jsonText({ ...shown(result), unreadable: unreadable.list() }) : text(result);
      const say = flags.json ? error : out;
      const selection = {
        ...selectionOf(flags, flags.id),
        replayed: again ? undefined : false,
        limit,
        onProblem: unreadable.onProblem,
      };
      const ages = new Ages(() => error(OLD));
      const select = () => ages.watch(selectBlobs(container, selection));
      if (dryRun || !yes) {
        terminal.progress("reading dead letters");
        const groups = await countGroups(select(), ["reason", "type"]);
        if (dryRun && flags.json) return out(groupsAsJson(groups, unreadable, { dryRun }));
        if (groups.total === 0) say("There are no dead letters to send.\n");
        else say(`${groups.table()}\n${dead(groups.total)} to send${to(target?.endpoint)}.\n`);
        if (groups.total === 0 && flags.json) out(report(NOTHING));
        if (groups.total === 0) return;
      }
      if (dryRun || target === undefined) return;
      if (flags.webhook === undefined) error(WARNING);
      if (!yes && !(await isConfirmed(terminal, "Send them?", "add --yes to send them"))) {
        if (flags.json) out(report(NOTHING));
        return;
      }
      const sender = await target.open();
      const blobs = select();
      const onProgress = (accepted: number) => terminal.progress(`${accepted} events accepted`);
      const result = await replay(blobs, sender, { ...dependencies, onProgress }).finally(() =>
        sender.close(),
      );
      out(report(result));
      const { failures, busy, stopped } = result;
      if (failures.length + busy.length > 0 || stopped !== undefined) end(ExitCode.problems);
    });
}

/** Names the blobs that contain something else than dead letters, each once. */
class Unreadable {
  readonly #problems = new Map<string, string>();

  constructor(
    private readonly terminal: Terminal,
    private readonly end: End,
  ) {}

  /** Takes a blob of a selection. */
  readonly onProblem: NonNullable<Selection["onProblem"]> = (blob, problem) => {
    if (this.#problems.has(blob)) return;
    this.#problems.set(blob, problem);
    this.terminal.error(`Not readable: ${blob}: ${problem}\n`);
    this.end(ExitCode.problems);
  };

  /** The blobs as JSON shows them. */
  list() {
    return [...this.#problems].map(([blob, problem]) => ({ blob, problem }));
  }
}

function groupsAsJson(
  groups: Awaited<ReturnType<typeof countGroups>>,
  unreadable: Unreadable,
  more: object = {},
): string {
  const { total } = groups;
  return jsonText({ ...more, total, groups: groups.list(), unreadable: unreadable.list() });
}

/** The result of a replay that sent nothing. */
const NOTHING: ReplayResult = { accepted: 0, failures: [], busy: [] };

/** The result as JSON shows it: without the events. */
function shown({ failures, ...result }: ReplayResult) {
  return {
    ...result,
    failures: failures.map(({ letter: { event, blob, index }, reason }) => ({
      id: event.id,
      blob,
      index,
      reason,
    })),
  };
}

function text({ accepted, failures, busy, stopped }: ReplayResult): string {
  const lines = [
    `${accepted} ${accepted === 1 ? "event was" : "events were"} accepted.`,
    ...failures.map(
      ({ letter: { event, blob }, reason }) =>
        `Not accepted: ${oneLine(String(event.id))} (${blob}): ${reason}`,
    ),
    ...busy.map((blob) => `Left out: ${blob}: another replay is sending it`),
    ...(stopped === undefined ? [] : [`The replay stopped early: ${stopped}`]),
  ];
  return `${lines.join("\n")}\n`;
}

const WARNING = "Warning: every subscription of the topic receives these events again.\n";

const OLD = `Warning: some of the events are older than 8 days. An inbox in PostgreSQL handles
those again that it handled then, unless its retentionMs is longer.
`;

const HELP = `
Examples:
  cloud-eventgrid dead-letters list --container-env DEAD_LETTERS --since 7d`;

const LIST_HELP = `
Examples:
  cloud-eventgrid dead-letters list --container-env DEAD_LETTERS --since 7d`;

const SHOW_HELP = `
Examples:
  cloud-eventgrid dead-letters show --container-env DEAD_LETTERS \\
    --reason MaxDeliveryAttemptsExceeded --limit 1`;

const REPLAY_HELP = `
Every subscription of a topic receives the events, not only the one that failed.
With --webhook they go to one webhook, for subscriptions at a storage account or
another source that nobody can publish to. An event is marked as replayed in the
metadata of its blob after it was accepted, so you can start an interrupted
replay again.

Examples:
  cloud-eventgrid dead-letters replay --container-env DEAD_LETTERS \\
    --env ORDERS --type shop.order.placed --dry-run

Exit codes:
  0  every event was accepted
  1  the container or the topic cannot be reached
  2  the arguments are wrong
  3  some events were not accepted, or some blobs could not be read`;

const dead = (count: number) => `${count} dead letter${count === 1 ? "" : "s"}`;
const to = (endpoint: string | undefined) => (endpoint === undefined ? "" : ` to ${endpoint}`);

function selecting(command: Command): Command {
  return command
    .option("--container <url>", "the container's URL, or its name for a connection string")
    .option("--container-env <variable>", "environment variable with the container's URL")
    .option("--subscription <name>", "only dead letters of this event subscription")
    .option("--reason <reason>", "only with this reason, such as MaxDeliveryAttemptsExceeded")
    .option("--type <type>", "only events of this type")
    .option("--since <time>", "only from this time on: 2026-01-31T07:00Z, 24h, 7d", readTime)
    .option("--until <time>", "only before this time", readTime)
    .option("--json", "print JSON")
    .hook("preAction", (_, selected) => {
      const { since, until } = selected.opts<SelectionFlags>();
      if (since && until && since >= until) throw new UsageError("--since must be before --until");
    });
}

function selectionOf(flags: SelectionFlags, ids: readonly string[] = []): Selection {
  const { subscription, reason, type, since, until } = flags;
  return { ids, subscription, reason, type, since, until };
}

function groupings(text: string): readonly string[] {
  const known = ["day", "hour", "reason", "type", "subscription", "outcome"];
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`It must be a list of ${known.join(", ")}.`);
}
