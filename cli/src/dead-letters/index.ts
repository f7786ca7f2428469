/** Dead letters in a storage container: counted, shown, and sent again. */
export { type ContainerFlags, openContainer } from "./container.js";
export { type Grouping, Groups } from "./groups.js";
export { replay } from "./replay.js";
export { type Selection, selectBlobs } from "./selection.js";
export { readTarget, type TopicFlags } from "./topic.js";
