import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The reason why a run was stopped from outside. */
export class Interruption extends Error {
  constructor(
    message: string,
    /** The exit code that a shell expects. */
    readonly exitCode: number,
  ) {
    super(message);
    this.name = "Interruption";
  }
}

/**
 * Returns a signal that is aborted when a run is interrupted, or when its output is closed, so that
 * the run can stop what it started.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    // Not once: a terminal and npm may both pass on the same Ctrl-C.
    process.on(name, () => {
      controller.abort(new Interruption(`interrupted by ${name}`, 128 + constants.signals[name]));
    });
  }
  process.stdout.on("error", () => controller.abort(new Interruption("the output was closed", 0)));
  return controller.signal;
}
