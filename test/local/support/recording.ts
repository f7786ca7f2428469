import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cloudEvent } from "./cloud.js";
import { emptyDirectory } from "./command.js";

const START = Date.parse("2026-11-21T08:00:00Z");

/** A record as `cloud-eventgrid listen --record` writes it, some seconds after the start. */
export function recorded(seconds: number, event: object, attempt = 1) {
  const time = new Date(START + seconds * 1000).toISOString();
  return { recorded: "cloud-eventgrid/1", time, event: cloudEvent({ ...event }), attempt };
}

export function ndjson(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Writes files into an empty directory, and returns their paths. */
export function files(contents: Readonly<Record<string, string>>): string[] {
  const directory = emptyDirectory();
  return Object.entries(contents).map(([name, content]) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  });
}
