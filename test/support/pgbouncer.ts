import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../examples/start/free-port.js";
import { folderOf, serverUser } from "./postgres-server.js";
import { pathOf } from "./programs.js";

/** A real PgBouncer in front of a PostgreSQL, with default settings but for the mode. */
export class PgBouncer implements AsyncDisposable {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(server: number, mode: "session" | "transaction"): Promise<PgBouncer> {
    const user = serverUser();
    const settings = join(folderOf(user, "pgbouncer"), "pgbouncer.ini");
    const port = await freePort();
    writeFileSync(
      settings,
      `[databases]
* = host=127.0.0.1 port=${server} user=test
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
    );
    const child = spawn(pathOf("pgbouncer"), [settings], {
      ...user,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      let text = "";
      child.once("exit", () => reject(new Error(`pgbouncer ended: ${text}`)));
      child.stderr.on("data", (chunk) => {
        text += chunk;
        if (text.includes("process up")) resolve();
      });
    });
    return new PgBouncer(port, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}
