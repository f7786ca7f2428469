import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Outcome, Trial } from "./warm.js";

/** The process with the warm Vitest, started anew when a mutant runs for ever or ends it. */
export class WarmProcess {
  #child: ChildProcess | undefined;

  /** @returns `undefined` if there was no answer in `limit` milliseconds */
  async run(trial: Trial, limit: number): Promise<Outcome | undefined> {
    this.#child ??= await started();
    const ended = new AbortController();
    const answer = once(this.#child, "message", { signal: ended.signal }).then(
      ([it]) => it as Outcome,
    );
    const gone = once(this.#child, "exit", { signal: ended.signal }).then(() => undefined);
    const late = setTimeout(limit, undefined, { signal: ended.signal });
    this.#child.send(trial);
    const all = [answer, gone, late];
    for (const one of all) one.catch(() => undefined);
    const outcome = await Promise.race(all);
    ended.abort();
    if (outcome === undefined) this.end();
    return outcome;
  }

  /** Ends the process with its workers, which are in its group. */
  end(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }
}

async function started(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("./warm.ts", import.meta.url)), {
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}
