import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { integer, object, record, text } from "../shape.js";

/** What a running cloud leaves in its directory for `env` to find. */
export interface RunningInstance {
  readonly pid: number;
  /** Of its HTTP side: whoever answers there is still running. */
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

const FILE = "running.json";

const shape = object(
  { pid: integer(1, 2 ** 31), port: integer(1, 65_535), environment: record(text) },
  {},
);

/** Makes the directory, whose contents no version control wants. */
export function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, ".gitignore"), "*\n");
}

/** Only its owner may read it: the environment holds the deployer's secret. */
export function writeRunningInstance(directory: string, instance: RunningInstance): void {
  const text = `${JSON.stringify(instance, undefined, 2)}\n`;
  writeFileSync(join(directory, FILE), text, { mode: 0o600 });
}

export function removeRunningInstance(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}

/** The cloud that runs with this directory; none when there is none, or it ended without a word. */
export async function findRunningInstance(directory: string): Promise<RunningInstance | undefined> {
  let instance: RunningInstance | undefined;
  try {
    instance = shape(JSON.parse(readFileSync(join(directory, FILE), "utf8")), "", []);
  } catch {
    return undefined;
  }
  return instance && (await answers(instance.port)) ? instance : undefined;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
