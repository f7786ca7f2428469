import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createClient } from "redis";
import { freePort } from "../../examples/start/free-port.js";
import { LOAD_CORE, pin } from "./cores.js";

/** A real `redis-server` without persistence, on the core of the load. */
export class RedisProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** @throws an error when `redis-server` is not installed or does not start */
  static async start(): Promise<RedisProcess> {
    const port = await freePort();
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
    const child = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
    if (child.pid !== undefined) pin(child.pid, LOAD_CORE);
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
      child.stdout.on("data", (text) => {
        if (String(text).includes("Ready to accept connections")) resolve();
      });
    });
    return new RedisProcess(`redis://127.0.0.1:${port}`, child);
  }

  /** Deletes all keys. */
  async flush(): Promise<void> {
    const client = await createClient({ url: this.url }).connect();
    await client.flushAll("SYNC");
    await client.close();
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
