import { Command, Option } from "commander";
import { LocalCloudError } from "../../base/index.js";
import type { FaultDetails } from "../../dashboard/index.js";
import { receiverOperations } from "../../simulation/index.js";
import { seconds, wholeNumber } from "../options.js";
import { table } from "../table.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

/**
 * Commands that inject faults or change the clock and keys: `fault`, `clock step`, `keys rotate`.
 */
export function controlCommands(terminal: Terminal): Command[] {
  return [
    fault(terminal),
    new Command("clock").description("move the clock").addCommand(step(terminal)),
    new Command("keys").description("change the signing keys").addCommand(rotate(terminal)),
    drain(terminal),
    reset(terminal),
  ];
}

function fault(terminal: Terminal): Command {
  const { command, act } = clientCommand("fault", "list, set and clear faults", terminal);
  act(async ({ instance, show }) => {
    const faults = await instance.get<FaultDetails[]>("faults");
    const text = table(
      ["FAULT", "REMAINING", "SETTINGS"],
      faults.map(({ kind, remaining, settings }) => [
        kind,
        remaining ?? "until cleared",
        JSON.stringify(settings),
      ]),
    );
    show(faults, faults.length === 0 ? "No faults." : text);
  });
  const set = (name: string, description: string, takes: readonly FaultOption[]) => {
    const { command: kind, act: actOn } = clientCommand(name, description, terminal);
    for (const option of takes) options[option](kind);
    return actOn(
      async ({ instance, show }, { status, retryAfter, times, subscription, delay, ...rest }) => {
        const { unreachable, loseResponse, failTokens, operation } = rest;
        if (name === "deliveries" && !(status || unreachable || loseResponse || delay)) {
          throw new LocalCloudError(
            "ERR_COMMAND_LINE",
            "Set --status, --unreachable, --lose-response or --delay.",
          );
        }
        if (name === "receiving" && !(status || unreachable || loseResponse || failTokens)) {
          throw new LocalCloudError(
            "ERR_COMMAND_LINE",
            "Set --status, --unreachable, --lose-response or --fail-tokens.",
          );
        }
        await instance.post(`faults/${name}`, {
          status,
          retryAfterSeconds: retryAfter,
          times,
          subscription,
          delay: delay === undefined ? undefined : { seconds: delay },
          unreachable,
          loseResponse,
          failTokens,
          operation,
        });
        show({ fault: name }, "The fault is in force.");
      },
    );
  };
  const clear = clientCommand("clear", "end all faults", terminal);
  clear.act(async ({ instance, show }) => {
    await instance.delete("faults");
    show({ faults: [] }, "No faults are in force.");
  });
  command
    .addCommand(
      set("deliveries", "deliveries fail", [
        "status",
        "unreachable",
        "loseResponse",
        "delay",
        "times",
        "subscription",
      ]),
    )
    .addCommand(set("publishing", "topics refuse events", ["errorStatus", "retryAfter", "times"]))
    .addCommand(
      set("receiving", "requests of receivers of namespaces fail", [
        "operation",
        "errorStatus",
        "retryAfter",
        "unreachable",
        "loseResponse",
        "failTokens",
        "times",
        "subscription",
      ]),
    )
    .addCommand(set("duplicates", "events are delivered twice", ["times", "subscription"]))
    .addCommand(set("reordering", "events are delivered in random order", []))
    .addCommand(set("issuer", "Entra's metadata and keys are unreachable", []))
    .addCommand(clear.command);
  return command;
}

const options = {
  status: (command: Command) =>
    command.option("--status <code>", "HTTP status", wholeNumber(100, 599)),
  errorStatus: (command: Command) =>
    command.option("--status <code>", "HTTP status", wholeNumber(400, 599)),
  retryAfter: (command: Command) =>
    command.option("--retry-after <seconds>", "Retry-After header", wholeNumber(0, 86_400)),
  unreachable: (command: Command) => command.option("--unreachable", "there is no connection"),
  loseResponse: (command: Command) =>
    command.option("--lose-response", "the request takes effect, its response is lost"),
  failTokens: (command: Command) =>
    command.option("--fail-tokens", "status 200, but every lock token fails"),
  operation: (command: Command) =>
    command.addOption(
      new Option("--operation <name>", "only requests of this kind (default: all)").choices(
        receiverOperations,
      ),
    ),
  delay: (command: Command) =>
    command.option("--delay <duration>", "delay of the delivery", seconds),
  times: (command: Command) =>
    command.option("--times <n>", "how often (default: until cleared)", wholeNumber(1, 1_000_000)),
  subscription: (command: Command) =>
    command.option("--subscription <name>", "only for this event subscription (default: all)"),
};

type FaultOption = keyof typeof options;

function step(terminal: Terminal): Command {
  const { command, act } = clientCommand("step", "move a stepped clock", terminal);
  command.argument("<duration>", "for example 90s, 5m, 2h or 1d", seconds);
  return act(async ({ instance, show }, _, duration: number) => {
    await instance.post("advance", { seconds: duration });
    show({ seconds: duration }, `The clock moved by ${duration} seconds.`);
  });
}

function rotate(terminal: Terminal): Command {
  const { command, act } = clientCommand("rotate", "sign tokens with a new key", terminal);
  command.option("--retire", "withdraw the old keys, which makes their tokens invalid");
  return act(async ({ instance, show }, { retire = false }) => {
    await instance.post("keys/rotate", { retire });
    show(
      { retire },
      retire
        ? "Tokens are signed with a new key. Tokens of the old keys are invalid."
        : "Tokens are signed with a new key. The old key stays published.",
    );
  });
}

function drain(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "drain",
    "wait until every event is delivered, dead-lettered or dropped",
    terminal,
  );
  command.option("--within <duration>", "timeout in real time (default: none)", seconds);
  return act(async ({ instance, show }, { within }) => {
    await instance.post("drain", within === undefined ? {} : { within: { seconds: within } });
    show({ drained: true }, "Nothing is pending.");
  });
}

function reset(terminal: Terminal): Command {
  const { act } = clientCommand(
    "reset",
    "clear the history, faults and pending events; topics and subscriptions stay",
    terminal,
  );
  return act(async ({ instance, show }) => {
    await instance.post("reset");
    show({ reset: true }, "The history, pending events and faults are cleared.");
  });
}
