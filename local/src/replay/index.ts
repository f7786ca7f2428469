export type { SkippedRecord } from "./record.js";
export { filesOf, type RecordingFile, readRecording } from "./recording.js";
export { type ReplayOptions, type ReplayResult, replay } from "./replay.js";
export type { ReplayedDelivery, ReplayedEvent } from "./result.js";
