import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pin, SERVER_CORE } from "./cores.js";

/** A server in a process of its own, on the core of the servers. */
export class ServerProcess {
  readonly #process: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
  }

  /**
   * @param program its file in bench/servers, without extension
   * @param options what it reads with `options()`
   */
  static async start(program: string, options: object = {}): Promise<ServerProcess> {
    const file = fileURLToPath(new URL(`../servers/${program}.ts`, import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", file, JSON.stringify(options)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production" },
    });
    const url = await told(child, program);
    if (child.pid !== undefined) pin(child.pid, SERVER_CORE);
    return new ServerProcess(child, String(url));
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** CPU time that it has used, user and system, in microseconds. */
  async cpu(): Promise<number> {
    this.#process.send("cpu");
    return Number(await told(this.#process, this.url));
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
  }
}

/** The next message of a process. */
function told(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
