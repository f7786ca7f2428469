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

/** The input that a client sends. */
export type CommandInput<Name extends CommandName> = v.InferInput<
  (typeof commands)[Name]["schema"]
>;

/** The result that a client gets; `undefined` for a command without one. */
export type CommandResult<Name extends CommandName> = Read<
  Awaited<ReturnType<(typeof commands)[Name]["run"]>>
>;
