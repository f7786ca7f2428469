import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LOAD_CORE } from "./cores.js";

/** Requests that differ in the places marked in the body. */
export interface WrkLoad {
  readonly url: string;
  readonly connections: number;
  readonly milliseconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, with `mark` wherever a new ID belongs. */
  readonly body: string;
  readonly mark: string;
}

/** Whether wrk is installed. It is an independent load generator: https://github.com/wg/wrk */
export function hasWrk(): boolean {
  return spawnSync("wrk", ["--version"]).error === undefined;
}

/**
 * Sends POST requests with wrk from the core of the load.
 *
 * @returns the number of requests
 * @throws when a response has another status than 2xx or 3xx
 */
export async function sendWithWrk(load: WrkLoad): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-wrk-"));
  try {
    const path = join(folder, "load.lua");
    writeFileSync(path, script(load));
    const seconds = Math.max(1, Math.round(load.milliseconds / 1000));
    const wrk = ["wrk", "-t1", `-c${load.connections}`, `-d${seconds}s`, "-s", path, load.url];
    const pinned = availableParallelism() > 1 ? ["taskset", "-c", String(LOAD_CORE), ...wrk] : wrk;
    const [program = "wrk", ...args] = pinned;
    const { stdout } = await promisify(execFile)(program, args);
    const [, requests, failed] = /requests=(\d+) failed=(\d+)/.exec(stdout) ?? [];
    if (requests === undefined || failed !== "0") throw new Error(`wrk failed: ${stdout}`);
    return Number(requests);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** IDs are random GUIDs, as Event Grid's are. */
function script({ headers, body, mark }: WrkLoad): string {
  const parts = body.split(mark).map((part) => `[==[${part}]==]`);
  const set = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  return `
local parts = {${parts.join(",")}}
math.randomseed(${Math.floor(Math.random() * 2 ** 31)})
local random = math.random
local guid = "%04x%04x-%04x-4%03x-9%03x-%04x%04x%04x"
local out = {}
wrk.method = "POST"
${set.join("\n")}
function request()
  for i = 1, #parts - 1 do
    out[2 * i - 1] = parts[i]
    out[2 * i] = string.format(guid, random(0, 65535), random(0, 65535),
      random(0, 65535), random(0, 4095), random(0, 4095), random(0, 65535), random(0, 65535), random(0, 65535))
  end
  out[2 * #parts - 1] = parts[#parts]
  return wrk.format(nil, nil, nil, table.concat(out))
end
function done(summary)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write("requests=", summary.requests, " failed=", failed, "\\n")
end
`;
}
