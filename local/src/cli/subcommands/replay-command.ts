import { type Command, InvalidArgumentError } from "commander";
import { LocalCloudError, withProblems } from "../../base/index.js";
import {
  type CommandClient,
  type ReplayMessage,
  type ShownReplayResult,
  table,
} from "../../commands/index.js";
import { readFiles } from "../../replay/index.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

/** `replay`: delivers the events of recordings and dead letters again. */
export function replayCommand(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "replay",
    "deliver recorded events, dead letters or files of events [again](local-azure-events.md#replay)",
    terminal,
  );
  command
    .argument("<files...>", "files, or directories with files; - reads standard input")
    .option(
      "--speed <factor>",
      "how many times as fast as recorded, or max: each event follows when the one before is answered",
      speed,
      1,
    )
    .option(
      "--topic <name>",
      "topic or domain that accepts the events, or NAMESPACE/TOPIC (default: the one that the recording names, or the only one)",
    )
    .option(
      "--subscription <name>",
      "only to this event subscription, even if its filter does not match",
    )
    .option("--no-redeliveries", "leave out recorded redeliveries")
    .option("--drain", "wait for retries too (default on a stepped clock)");
  return act(async ({ instance, show }, options, paths: readonly string[]) => {
    const { speed, topic, subscription, redeliveries, drain } = options;
    const files = await Promise.all(
      paths.map(async (path) =>
        path === "-"
          ? [{ name: "standard input", text: await terminal.readInput() }]
          : readFiles([path], terminal.directory),
      ),
    );
    const request = { files: files.flat(), speed, topic, subscription, redeliveries, drain };
    const result = await resultOf(instance, request, terminal);
    if (result === undefined) return;
    show(result, textOf(result));
    const { skipped } = result;
    if (skipped.length === 0) return;
    throw new LocalCloudError(
      "ERR_REPLAY",
      withProblems(
        `${skipped.length} ${skipped.length === 1 ? "record was" : "records were"} not replayed`,
        skipped.map(({ place, problem }) => `${place}: ${problem}`),
      ),
    );
  });
}

function speed(text: string): number | "max" {
  const factor = Number(text);
  if (text === "max") return text;
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw new InvalidArgumentError("It must be a number above 0, or max.");
}

/** `undefined` if the command is interrupted, which ends the replay. */
async function resultOf(
  instance: CommandClient,
  request: object,
  terminal: Terminal,
): Promise<ShownReplayResult | undefined> {
  let isAnnounced = false;
  try {
    for await (const message of instance.stream<ReplayMessage>("POST replay", request)) {
      if ("result" in message) return message.result;
      if ("error" in message) throw new LocalCloudError("ERR_REFUSED", message.error.message);
      if (!isAnnounced) terminal.printError("Replaying. Ctrl-C ends it.\n");
      isAnnounced = true;
    }
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
  }
  if (terminal.interrupted.aborted) return undefined;
  throw new LocalCloudError("ERR_NOT_RUNNING", "The local Azure stopped during the replay.");
}

function textOf({ events }: ShownReplayResult): string {
  const rows = events.flatMap(({ place, event, deliveries }) => {
    const type = String(event.type ?? event.eventType);
    const name = String(event.subject ?? event.id);
    if (deliveries.length === 0) {
      return [
        [place, type, name, "-", 0, "-", "no event subscription covers its topic or resource"],
      ];
    }
    return deliveries.map(({ subscription, attempts, status, outcome, reason }) => [
      place,
      type,
      name,
      subscription,
      attempts.length,
      status ?? "-",
      reason === undefined ? outcome : `${outcome}: ${reason}`,
    ]);
  });
  const columns = ["RECORD", "TYPE", "SUBJECT", "SUBSCRIPTION", "ATTEMPTS", "STATUS", "OUTCOME"];
  const count = `${events.length} ${events.length === 1 ? "event was" : "events were"} replayed.\n`;
  return events.length === 0 ? count : `${table(columns, rows)}\n${count}`;
}
