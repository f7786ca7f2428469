export { CommandClient, refusalIn } from "./client.js";
export type { Command, CommandLine } from "./command.js";
export { commandRoute, indexRoute } from "./command-route.js";
export { commands } from "./commands.js";
export { clockTime, table } from "./output.js";
export type { ReplayMessage, ShownReplayResult } from "./replay-stream.js";
export { manualValidationLine } from "./resource-commands.js";
