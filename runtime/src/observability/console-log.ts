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
function consoleLog(
  fields: object = {},
  threshold = thresholds[process.env.LOG_LEVEL ?? "info"] ?? levels.info,
): Log {
  const isLevelEnabled = (level: Level) => levels[level] >= threshold;
  const writer = (level: Level) => (details: object | string, message?: string) => {
    if (!isLevelEnabled(level)) return;
    const own = typeof details === "string" ? { msg: details } : { ...details, msg: message };
    const line = { level: levels[level], time: Date.now(), ...fields, ...own };
    console[level](JSON.stringify(line, (_, value) => (isError(value) ? shown(value) : value)));
  };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    child: (more) => consoleLog({ ...fields, ...more }, threshold),
    isLevelEnabled,
  };
}

export function logOf(logger: Log | boolean = true): Log {
  if (typeof logger === "object") return logger;
  return logger ? consoleLog() : silentLog;
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
