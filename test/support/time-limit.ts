import { relative } from "node:path";
import { type RunnerTask, type RunnerTestFile, TestRunner } from "vitest";

/** Skips the test files that would start after `STOP_STARTING_AT` (Unix time in seconds). */
export default class TimeLimit extends TestRunner {
  onCollected(files: readonly RunnerTestFile[]): void {
    const limit = Number(process.env.STOP_STARTING_AT ?? Number.POSITIVE_INFINITY);
    if (Date.now() < limit * 1000) return;
    for (const file of files) {
      console.log(`Left out for lack of time: ${relative(this.config.root, file.filepath)}`);
      skip(file);
    }
  }
}

function skip(task: RunnerTask): void {
  task.mode = "skip";
  if (task.type === "suite") for (const child of task.tasks) skip(child);
}
