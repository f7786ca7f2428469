import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import {
  fields,
  inDirectory,
  integer,
  LocalCloudError,
  port,
  record,
  socketHost,
  text,
} from "../base/index.js";

const FILE = "running.json";

const schema = fields({
  pid: integer(1, 2 ** 31),
  /** HTTP port. A connection shows that the cloud is still running. */
  port,
  /** Where it listens, as it is in URLs. */
  host: v.optional(text, "127.0.0.1"),
  /** Opens the dashboard's commands; missing if none is needed. */
  token: v.optional(text),
  environment: record(text),
  /** For `env --proxy`. */
  proxyEnvironment: record(text),
});

/** A running cloud, as it is recorded in its directory for the other commands. */
export type RunningInstance = v.InferOutput<typeof schema>;

/** Creates the directory and excludes its contents from version control. */
export function prepareDirectory(directory: string): void {
  inDirectory(directory, () => writeFileSync(join(directory, ".gitignore"), "*\n"));
}

/** Readable by its owner only, because of the token and the deployer's secret. */
export function writeRunningInstance(directory: string, instance: RunningInstance): void {
  const text = `${JSON.stringify(instance, undefined, 2)}\n`;
  writeFileSync(join(directory, FILE), text, { mode: 0o600 });
}

export function removeRunningInstance(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}

/** Finds the cloud that uses the directory; `undefined` if none runs, for example after a crash. */
export async function findRunningInstance(directory: string): Promise<RunningInstance | undefined> {
  let instance: RunningInstance | undefined;
  try {
    instance = v.parse(schema, JSON.parse(readFileSync(join(directory, FILE), "utf8")));
  } catch {
    return undefined;
  }
  return instance && (await accepts(instance)) ? instance : undefined;
}

/** @throws LocalCloudError `ERR_NOT_RUNNING` if no cloud uses the directory */
export async function requireRunningInstance(directory: string): Promise<RunningInstance> {
  const running = await findRunningInstance(directory);
  if (running) return running;
  throw new LocalCloudError(
    "ERR_NOT_RUNNING",
    `No local Azure runs in ${directory}. Start one with: npx --no -- cloud-eventgrid-local`,
  );
}

function accepts({ port, host }: RunningInstance): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, socketHost(host));
    const end = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
