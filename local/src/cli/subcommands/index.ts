export { activityCommands } from "./activity-commands.js";
export { envCommand, startCommand } from "./instance-commands.js";
export { publishCommand } from "./publish-command.js";
export { replayCommand } from "./replay-command.js";
export { tableCommands } from "./table-commands.js";
