import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pin, SERVER_CORE } from "./cores.js";
import type { Reference } from "./reference.js";

/** A server in a separate process on a separate core. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /**
   * Starts a module of `bench/servers`, which sends its URL when it listens.
   *
   * @param against the commit whose server is started @default the working copy's
   */
  static async start(
    module: string,
    options: object = {},
    against?: Reference,
  ): Promise<ServerProcess> {
    const path =
      against?.module(`servers/${module}.ts`) ??
      fileURLToPath(new URL(`../servers/${module}.ts`, import.meta.url));
    const child = fork(path, [JSON.stringify(options)], {
      execArgv: ["--import", import.meta.resolve("tsx")],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production" },
    });
    if (child.pid !== undefined) pin(child.pid, SERVER_CORE);
    const url = await Promise.race([
      once(child, "message").then(([message]) => String(message)),
      once(child, "exit").then(([code]) => {
        throw new Error(`the server ${module} ended with ${code} before it listened`);
      }),
    ]);
    return new ServerProcess(url, child);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** CPU time used so far, in microseconds. */
  async cpuMicros(): Promise<number> {
    return Number(await this.#ask("cpu"));
  }

  /** Lets the server collect garbage while it is idle. */
  async rest(): Promise<void> {
    await this.#ask("rest");
  }

  async #ask(question: "cpu" | "rest"): Promise<unknown> {
    this.#child.send(question);
    const [answer] = await once(this.#child, "message");
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
