import type * as v from "valibot";
import { activityCommands } from "./activity-commands.js";
import type { Read } from "./command.js";
import { controlCommands } from "./control-commands.js";
import { eventCommands } from "./event-commands.js";
import { namespaceCommands } from "./namespace-commands.js";
import { resourceCommands } from "./resource-commands.js";

/**
 * The commands of a running cloud, by method and path below `/local/`. The HTTP interface, the
 * command line, the clients and the tables of the documentation come from these rows.
 */
export const commands = {
  ...activityCommands,
  ...eventCommands,
  ...resourceCommands,
  ...namespaceCommands,
  ...controlCommands,
};

export type CommandName = keyof typeof commands;

/** What a client sends. */
export type CommandInput<Name extends CommandName> = v.InferInput<
  (typeof commands)[Name]["schema"]
>;

/** What a client gets; `undefined` for a command without a result. */
export type CommandResult<Name extends CommandName> = Read<
  Awaited<ReturnType<(typeof commands)[Name]["run"]>>
>;
