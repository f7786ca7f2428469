export { Access } from "./access.js";
export { type Commands, commandRoute } from "./command-route.js";
export type { ControllableCloud } from "./commands.js";
export { healthRoute, type Phase } from "./health-route.js";
export { indexRoute } from "./index-route.js";
export { read } from "./read.js";
export { remoteRoute } from "./remote-route.js";
export { type ReplayMessage, replayRoute, type ShownReplayResult } from "./replay-route.js";
