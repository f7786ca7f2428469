import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../examples/start/free-port.js";
import { pathOf } from "./programs.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Who runs PostgreSQL and PgBouncer, which refuse to run as root. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined;

/** A real PostgreSQL on a free port, with its data in a temporary folder. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #data: string;
  readonly #user: ServerUser;
  #process: ChildProcess | undefined;

  private constructor(port: number, data: string, user: ServerUser) {
    this.port = port;
    this.#data = data;
    this.#user = user;
  }

  static async start(): Promise<PostgresServer> {
    const user = serverUser();
    const data = folderOf(user, "data");
    const options = ["--username=test", "--auth=trust", "--encoding=UTF8", "--no-sync"];
    execFileSync(pathOf("initdb"), [...options, `--pgdata=${data}`], { ...user, stdio: "pipe" });
    const server = new PostgresServer(await freePort(), data, user);
    await server.start();
    return server;
  }

  get url(): string {
    return `postgresql://test@127.0.0.1:${this.port}/postgres`;
  }

  /** Of its main process, while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, on the same port as before and with the data that it has stored. */
  async start(): Promise<void> {
    const args = ["-D", this.#data, "-p", `${this.port}`, "-h", "127.0.0.1", "-k", ""];
    const child = spawn(pathOf("postgres"), [...args, "-c", "max_connections=200"], {
      ...this.#user,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let text = "";
      child.once("exit", () => reject(new Error(`postgres ended: ${text}`)));
      child.stderr.on("data", (chunk) => {
        text += chunk;
        if (text.includes("ready to accept connections")) resolve();
      });
    });
  }

  /** Stops it as `pg_ctl stop -m immediate` does: as if it had crashed. */
  async crash(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGQUIT");
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.crash();
  }
}

export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
}

/** A folder in a temporary one, which a server's user owns. */
export function folderOf(user: ServerUser, name: string): string {
  const parent = temporaryFolder();
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (user === undefined) return folder;
  // It passes through the test's folders, which belong to root.
  for (const each of [tmpdir(), parent]) {
    const { mode } = statSync(each);
    if ((mode & 0o001) === 0) chmodSync(each, mode | 0o011);
  }
  chownSync(folder, user.uid, user.gid);
  return folder;
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}
