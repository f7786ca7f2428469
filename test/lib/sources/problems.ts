import { sources } from "cloud-eventgrid-binding";

/** Everything that a source says is wrong. */
export function problemsOf(source: () => unknown): readonly string[] {
  try {
    source();
    return [];
  } catch (error) {
    if (error instanceof sources.EventSourceError) return error.problems;
    throw error;
  }
}
