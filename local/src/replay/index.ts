export { recordingOf } from "./export.js";
export { filesOf, type RecordingFile, readFiles, readRecording } from "./recording.js";
export { type ReplayOptions, type ReplayResult, replay, replayOptionFields } from "./replay.js";
export { outcomesOf, type ReplayedDelivery, type ReplayedEvent } from "./result.js";
