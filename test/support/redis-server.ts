import { type ChildProcess, spawn } from "node:child_process";
import { freePort } from "../../examples/start/free-port.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A real `redis-server` on a free port, with its data in a temporary folder. */
export class RedisServer {
  readonly port: number;
  readonly #flags: readonly string[];
  readonly #folder = temporaryFolder();
  #process: ChildProcess | undefined;

  private constructor(port: number, flags: readonly string[]) {
    this.port = port;
    this.#flags = flags;
  }

  static async start(...flags: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Of its main process, while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, on the same port as before and with the data that it has stored. */
  start(): Promise<void> {
    const flags = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--dir", this.#folder];
    const child = spawn("redis-server", [...flags, ...this.#flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    return new Promise((resolve, reject) => {
      let text = "";
      child.once("exit", () => reject(new Error(`redis-server ended: ${text}`)));
      child.stdout.on("data", (chunk) => {
        text += chunk;
        if (text.includes("Ready to accept connections")) resolve();
      });
    });
  }

  async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGCONT");
    child.kill(signal);
    await ended;
  }

  /** Suspends it, with its connections open. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }
}
