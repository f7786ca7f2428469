import { types } from "node:util";
import {
  type Counter,
  createNoopMeter,
  type Gauge,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  ProxyTracerProvider,
  type Span,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
  type UpDownCounter,
} from "@opentelemetry/api";

/** A logger. Those of pino and Fastify are such loggers. */
export interface Log {
  debug(details: object, message?: string): void;
  debug(message: string): void;
  info(details: object, message?: string): void;
  info(message: string): void;
  warn(details: object, message?: string): void;
  warn(message: string): void;
  error(details: object, message?: string): void;
  error(message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: object): Log;
  /** Whether lines of a level are written. What costs time is left out otherwise. @default true */
  isLevelEnabled?(level: "debug" | "info"): boolean;
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
  isLevelEnabled: () => false,
};

/**
 * Reports whether a log writes lines of a level. That of a Fastify app without a logger cannot be asked, but
 * its methods are named `noop`; composing lines for it costs a sixth of a delivery.
 */
export function isEnabled(log: Log, level: "debug" | "info"): boolean {
  return log.isLevelEnabled?.(level) ?? log[level].name !== "noop";
}

/** How many events of a delivery, or problems of an event, one log line lists. */
export const MAX_LISTED = 10;
const MAX_NAME_LENGTH = 512;
const MAX_MESSAGE_LENGTH = 500;

export function beginningOf(text: string, length = MAX_NAME_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** An event as the log shows it: never its payload, and of long names only the beginning. */
export function eventNames({ id, type, source }: EventNames): EventNames {
  return { id: beginningOf(id), type: beginningOf(type), source: beginningOf(source) };
}

interface EventNames {
  readonly id: string;
  readonly type: string;
  readonly source: string;
}

/**
 * A thrown value in a form that the logger can write. An `Error` stays as it is. Of any other
 * object only the keys are logged, because its values may be a payload.
 */
export function loggableError(thrown: unknown): Error {
  if (isError(thrown)) return thrown;
  const error = new Error(textOf(thrown));
  // The stack would point here instead of to the place that threw.
  error.stack = error.message;
  return error;
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string")
    return `thrown string: ${beginningOf(thrown, MAX_MESSAGE_LENGTH)}`;
  if (typeof thrown !== "object" || thrown === null) {
    return `thrown ${typeof thrown}: ${beginningOf(String(thrown), MAX_MESSAGE_LENGTH)}`;
  }
  const keys = Object.keys(thrown).slice(0, MAX_LISTED).join(", ");
  return `thrown object that is not an Error, with the keys: ${beginningOf(keys, MAX_MESSAGE_LENGTH)}`;
}

/** Time in which a {@link LogThrottle} logs one line per reason. */
const THROTTLE_INTERVAL_MS = 10_000;

/**
 * Limits log lines that anonymous callers can cause, so that they do not decide how much is logged.
 */
export class LogThrottle<Reason extends string> {
  readonly #reasons = new Map<Reason, { loggedAt: number; unlogged: number }>();

  /** @param now the time in milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /**
   * Call it for every line. Writes the first line for a reason in every 10 seconds; the next one
   * says in `unlogged` how many were left out.
   */
  write(reason: Reason, write: (counted: { readonly unlogged: number }) => void): void {
    const now = this.now();
    const last = this.#reasons.get(reason);
    // A clock that was set back must not silence the log.
    if (last !== undefined && now >= last.loggedAt && now - last.loggedAt < THROTTLE_INTERVAL_MS) {
      last.unlogged += 1;
      return;
    }
    this.#reasons.set(reason, { loggedAt: now, unlogged: 0 });
    write({ unlogged: last?.unlogged ?? 0 });
  }
}

/** The levels of pino, whose lines these are. */
const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;
/** The values of `LOG_LEVEL`; "info" is the default. */
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
    console[level](jsonOf(line));
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

/**
 * A line as JSON. Never throws, whatever its fields are: a line that cannot be written must not decide
 * about the event that it is about.
 */
function jsonOf(line: object): string {
  try {
    return JSON.stringify(line, forJson);
  } catch {
    const fields = Object.entries(line).map(([name, field]) => [name, withoutThrowing(field)]);
    return JSON.stringify(Object.fromEntries(fields), forJson);
  }
}

/** A note instead of a field that refers back to itself, or of which a getter throws. */
function withoutThrowing(field: unknown): unknown {
  try {
    return JSON.stringify(field, forJson) && field;
  } catch {
    return "(cannot be written as JSON)";
  }
}

function forJson(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return isError(value) ? codeOnly(value) : value;
}

const MAX_CAUSES = 5;

/** An error's own fields may hold a payload, so only its code is shown, also of its causes. */
function codeOnly(error: Error, causes = MAX_CAUSES): object {
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  const hasCause = cause !== undefined && causes > 0;
  const shownCause = hasCause ? codeOnly(loggableError(cause), causes - 1) : undefined;
  return { type: name, message, code, stack, cause: shownCause };
}

/** Receives spans and metrics instead of the globally registered providers. */
export interface TelemetryProviders {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

const INSTRUMENTATION = "cloud-eventgrid-binding-runtime";

/**
 * The tracer for spans; `undefined` if no provider is registered, so that no span is created at all.
 *
 * @param provider replaces the global one, which may be registered at any time
 */
export function currentTracer(
  provider: TracerProvider = trace.getTracerProvider(),
): Tracer | undefined {
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(INSTRUMENTATION)
    : provider.getTracer(INSTRUMENTATION);
}

/** @param type one of few, such as a status or a code */
export function markFailed(span: Span, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** `messaging.system` of the semantic conventions of OpenTelemetry, version 1.45. */
export const MESSAGING_SYSTEM = { "messaging.system": "eventgrid" } as const;

/**
 * Buckets of durations in seconds, as the semantic conventions of OpenTelemetry recommend them, with
 * one below the 30 s that Event Grid waits. The SDK's default is meant for milliseconds.
 */
const DURATION_BUCKETS_S = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25,
];

/** Makes the metrics of one part of this package. */
export class Metrics {
  /** Whether a meter provider is registered: without one, no attributes are looked up. */
  readonly isOn: boolean;
  protected readonly meter: Meter;

  /** @param prefix of the names of metrics that OpenTelemetry's conventions do not have */
  constructor(
    protected readonly prefix: string,
    provider: MeterProvider = metrics.getMeterProvider(),
  ) {
    this.meter = provider.getMeter(INSTRUMENTATION);
    this.isOn = this.meter !== createNoopMeter();
  }

  counter(name: string, description: string, unit = "{event}"): Counter {
    return this.meter.createCounter(`${this.prefix}.${name}`, { description, unit });
  }

  /** How many of something there are now, counted up and down. */
  sum(name: string, description: string, unit = "{event}"): UpDownCounter {
    return this.meter.createUpDownCounter(`${this.prefix}.${name}`, { description, unit });
  }

  gauge(name: string, description: string, unit = "{event}"): Gauge {
    return this.meter.createGauge(`${this.prefix}.${name}`, { description, unit });
  }

  /** @param name of OpenTelemetry's conventions */
  durations(name: string, description: string): Histogram {
    const advice = { explicitBucketBoundaries: DURATION_BUCKETS_S };
    return this.meter.createHistogram(name, { description, unit: "s", advice });
  }
}
