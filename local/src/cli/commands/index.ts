export { activityCommands } from "./activity-commands.js";
export { completionCommands } from "./completion.js";
export { controlCommands } from "./control-commands.js";
export { eventCommands } from "./event-commands.js";
export { envCommand, startCommand } from "./instance-commands.js";
export { namespaceCommands } from "./namespace-commands.js";
export { replayCommand } from "./replay-command.js";
export { resourceCommands } from "./resource-commands.js";
