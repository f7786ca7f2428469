import { types } from "node:util";
import { type Log, silentLog } from "./log.js";

/** The levels of pino, whose lines these are. */
const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;
/** What `LOG_LEVEL` may be; "info" is the default. */
const thresholds: Readonly<Record<string, number>> = {
  trace: 10,
  ...levels,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
};

type Level = keyof typeof levels;

/**
 * Writes JSON lines as pino does, from the level of the variable `LOG_LEVEL` on, with the methods of
 * `console`: platforms such as Azure Functions record those with their level.
 */
class ConsoleLog implements Log {
  readonly #fields: object;
  readonly #threshold: number;

  constructor(
    fields: object = {},
    threshold = thresholds[process.env.LOG_LEVEL ?? "info"] ?? levels.info,
  ) {
    this.#fields = fields;
    this.#threshold = threshold;
  }

  debug(details: object | string, message?: string): void {
    this.#write("debug", details, message);
  }

  info(details: object | string, message?: string): void {
    this.#write("info", details, message);
  }

  warn(details: object | string, message?: string): void {
    this.#write("warn", details, message);
  }

  error(details: object | string, message?: string): void {
    this.#write("error", details, message);
  }

  child(fields: object): Log {
    return new ConsoleLog({ ...this.#fields, ...fields }, this.#threshold);
  }

  isLevelEnabled(level: Level): boolean {
    return levels[level] >= this.#threshold;
  }

  #write(level: Level, details: object | string, message: string | undefined): void {
    if (!this.isLevelEnabled(level)) return;
    const fields = typeof details === "string" ? { msg: details } : { ...details, msg: message };
    const line = { level: levels[level], time: Date.now(), ...this.#fields, ...fields };
    console[level](JSON.stringify(line, (_, value) => (isError(value) ? shown(value) : value)));
  }
}

/** The log that the option `logger` means. */
export function logOf(logger: Log | boolean = true): Log {
  if (typeof logger === "object") return logger;
  return logger ? new ConsoleLog() : silentLog;
}

function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** An error's own fields may hold a payload, so only its code is shown. */
function shown(error: Error): object {
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  return { type: name, message, code, stack, cause };
}
