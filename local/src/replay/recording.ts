import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { LocalCloudError } from "../base/index.js";
import { describe, type RecordedDelivery, RecordReader, type Records } from "./record.js";

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
  if (!(await stat(place)).isDirectory()) {
    return [{ name: path, text: await readFile(place, "utf8") }];
  }
  return Promise.all(
    (await recordingsIn(place)).sort().map(async (file) => ({
      name: join(path, file),
      text: await readFile(join(place, file), "utf8"),
    })),
  );
}

/** Relative paths of the recordings in a directory. Does not follow links to directories. */
async function recordingsIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const { name } = entry;
    if (entry.isDirectory()) {
      return (await recordingsIn(join(directory, name))).map((file) => join(name, file));
    }
    if (!/\.(json|ndjson|jsonl)$/i.test(name)) return [];
    const isFile = entry.isFile() || (await stat(join(directory, name))).isFile();
    return isFile ? [name] : [];
  });
  return (await Promise.all(found)).flat();
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
  const deliveries = files
    .flatMap(({ name, text }) => withOrder(reader.read(name, text)))
    .sort((a, b) => (a.order === b.order ? 0 : a.order - b.order))
    .map(({ delivery }) => delivery);
  const { skipped } = reader;
  if (deliveries.length > 0) return { deliveries, skipped };
  const problems = ["There is no event to replay.", ...skipped.map(describe)];
  throw new LocalCloudError("ERR_REPLAY", problems.join("\n"));
}

/** The latest time so far, so that a record that is out of order stays behind its predecessor. */
function withOrder(deliveries: readonly RecordedDelivery[]) {
  const firstTime = deliveries.find(({ at }) => at !== undefined)?.at;
  let order = firstTime ?? Number.NEGATIVE_INFINITY;
  return deliveries.map((delivery) => {
    order = Math.max(order, delivery.at ?? order);
    return { delivery, order };
  });
}
