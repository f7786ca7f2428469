import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { decodeText, LocalCloudError } from "../base/index.js";
import { describe, RecordReader, type Records } from "./record.js";

export interface RecordingFile {
  readonly name: string;
  readonly text: string;
}

/**
 * @param recording paths, or records
 * @throws LocalCloudError `ERR_REPLAY` for a file that cannot be read
 */
export async function filesOf(
  recording: string | readonly string[] | readonly object[],
): Promise<RecordingFile[]> {
  const all = typeof recording === "string" ? [recording] : recording;
  if (!all.some((item) => typeof item === "object")) return readFiles(all.map(String));
  return [{ name: "events", text: JSON.stringify(all) }];
}

/**
 * Reads files, and the files in directories, by name.
 *
 * @param directory that relative paths are in
 * @throws LocalCloudError `ERR_REPLAY` with everything that cannot be read
 */
export async function readFiles(
  paths: readonly string[],
  directory = ".",
): Promise<RecordingFile[]> {
  const results = await Promise.allSettled(paths.map((path) => filesAt(path, directory)));
  const problems = results.flatMap((result, index) =>
    result.status === "rejected"
      ? [`${paths[index]} cannot be read: ${messageOf(result.reason)}`]
      : [],
  );
  if (problems.length > 0) throw new LocalCloudError("ERR_REPLAY", problems.join("\n"));
  return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}

async function filesAt(path: string, directory: string): Promise<RecordingFile[]> {
  const place = resolve(directory, path);
  // Also a pipe, such as <(…) in a shell.
  if (!(await stat(place)).isDirectory()) {
    return [{ name: path, text: decodeText(await readFile(place)) }];
  }
  const names = (await namesIn(place)).filter((name) =>
    [".json", ".ndjson", ".jsonl"].includes(extname(name).toLowerCase()),
  );
  const files = names.sort().map(async (name) => {
    const file = join(place, name);
    if (!(await stat(file)).isFile()) return [];
    return [{ name: join(path, name), text: decodeText(await readFile(file)) }];
  });
  return (await Promise.all(files)).flat();
}

/** Follows no links to directories. From Node 26 on, `readdir` does, and a link that leads up never ends. */
async function namesIn(directory: string, within = ""): Promise<string[]> {
  const entries = await readdir(join(directory, within), { withFileTypes: true });
  const names = entries.map(async (entry) => {
    const name = join(within, entry.name);
    return entry.isDirectory() ? namesIn(directory, name) : [name];
  });
  return (await Promise.all(names)).flat();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The records of several files, merged by time. Those of one file keep their order.
 *
 * @throws LocalCloudError `ERR_REPLAY` if there is nothing to replay, or too much cannot be read
 */
export function readRecording(files: readonly RecordingFile[]): Records {
  const reader = new RecordReader();
  const ordered = files.flatMap(({ name, text }) => {
    const deliveries = reader.read(name, text);
    // The latest time so far, so that a record that is out of order stays behind its predecessor.
    let order = deliveries.find(({ at }) => at !== undefined)?.at ?? 0;
    return deliveries.map((delivery) => {
      order = Math.max(order, delivery.at ?? order);
      return { delivery, order };
    });
  });
  const { skipped } = reader;
  if (ordered.length > 0) {
    const sorted = ordered.sort((a, b) => a.order - b.order);
    return { deliveries: sorted.map(({ delivery }) => delivery), skipped };
  }
  const problems = ["There is no event to replay.", ...skipped.map(describe)];
  throw new LocalCloudError("ERR_REPLAY", problems.join("\n"));
}
