export { exportedRecords, loggedEvents, recordingText } from "./export.js";
export { filesOf, type RecordingFile, readFiles, readRecording } from "./recording.js";
export { type ReplayOptions, type ReplayResult, replay, replayOptionFields } from "./replay.js";
export type { ReplayedDelivery, ReplayedEvent } from "./result.js";
export { testCase } from "./test-case.js";
