import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Why the run was given up. */
export class Interruption extends Error {
  constructor(
    message: string,
    /** What a shell expects of a program that ended so. */
    readonly exitCode: number,
  ) {
    super(message);
    this.name = "Interruption";
  }
}

/**
 * A signal that is aborted when somebody ends the run, or no longer reads what it prints: so that
 * everything that was started is ended in order, instead of being left behind.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    // Every time: a terminal and npm may both pass the same Ctrl-C on.
    process.on(name, () => {
      controller.abort(new Interruption(`interrupted by ${name}`, 128 + constants.signals[name]));
    });
  }
  process.stdout.on("error", () => controller.abort(new Interruption("nobody reads on", 0)));
  return controller.signal;
}
