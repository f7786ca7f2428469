import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const TIMEOUT_MS = 120_000;
const POLL_MS = 50;

/** A service of an example in a separate process, started as its README says. */
export class RunningService {
  /**
   * Starts the service with this environment only, and waits until it is ready.
   *
   * @param module below `examples/`
   * @throws an error with the output of the service, when it ends or does not become ready
   */
  static async start(
    module: string,
    environment: Readonly<Record<string, string>>,
    readyUrl: string,
  ): Promise<RunningService> {
    const service = new RunningService(
      spawn(process.execPath, ["--import", "tsx", resolve("examples", module)], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env.PATH, ...environment },
      }),
    );
    const end = performance.now() + TIMEOUT_MS;
    while (!(await isReady(readyUrl))) {
      if (service.#process.exitCode === null && performance.now() < end) {
        await setTimeout(POLL_MS);
      } else {
        await service.kill();
        throw new Error(`${module} did not become ready:\n${service.#output}`);
      }
    }
    return service;
  }

  readonly #process: ChildProcess;
  #output = "";

  private constructor(process: ChildProcess) {
    this.#process = process;
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
      });
    }
  }

  /** The lines that its handlers have logged so far. */
  get log(): Record<string, unknown>[] {
    return this.#output
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter((line) => "event" in line);
  }

  /** Kills it; draining is tested elsewhere. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
