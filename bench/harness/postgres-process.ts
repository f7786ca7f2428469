import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../examples/start/free-port.js";
import { LOAD_CORE, pin } from "./cores.js";

/** A real PostgreSQL with its default settings, on the core of the load. */
export class PostgresProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  /** @throws an error when PostgreSQL is not installed or does not start */
  static async start(): Promise<PostgresProcess> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "bench-postgres-"));
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o700);
    const options = ["--username=bench", "--auth=trust", "--encoding=UTF8", "-D", folder];
    execFileSync(pathOf("initdb"), options, { ...user, stdio: "pipe" });
    const args = ["-D", folder, "-p", `${port}`, "-h", "127.0.0.1", "-k", ""];
    const child = spawn(pathOf("postgres"), args, {
      ...user,
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (child.pid !== undefined) pin(child.pid, LOAD_CORE);
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`postgres ended with ${code}`)));
      child.stderr.on("data", (text) => {
        if (String(text).includes("ready to accept connections")) resolve();
      });
    });
    return new PostgresProcess(`postgresql://bench@127.0.0.1:${port}/postgres`, child, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGQUIT");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

/** Debian's packages keep the server's programs off the PATH. */
function pathOf(program: string): string {
  const versions = "/usr/lib/postgresql";
  const newest = existsSync(versions) ? readdirSync(versions).toSorted().at(-1) : undefined;
  return newest === undefined ? program : join(versions, newest, "bin", program);
}
