import { handlingOptions, processOptions } from "../handling/index.js";
import type { Log, TelemetryProviders } from "../observability.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../units.js";
import {
  durationMs,
  numberRule,
  type OptionTable,
  patternRule,
  readOptions,
  required,
} from "../validation/index.js";
import { CONNECTIONS_RULE, type ConnectionSource } from "./connections.js";
import { SCHEMA_OPTION } from "./tables.js";

/** What outbox and inbox have in common. */
export interface PostgresOptions<Source extends ConnectionSource = ConnectionSource> {
  /** Connections: a pool of `pg`, PGlite, or an object with `transaction` and `max`. */
  readonly pool: Source;
  /** The schema of the table, `eventgrid_outbox` or `eventgrid_inbox`. @default "public" */
  readonly schema?: string | undefined;
  /**
   * A logger such as pino's, or `false` for no log.
   * @default JSON lines, through `console`, from the level of `LOG_LEVEL` on (`info`)
   */
  readonly logger?: Log | boolean | undefined;
  /** OpenTelemetry providers. @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
}

/** Options of {@link createOutbox}. */
export interface OutboxOptions<Source extends ConnectionSource = ConnectionSource>
  extends PostgresOptions<Source> {
  /** How often an idle relay looks for events, in milliseconds; `wake()` spares the wait. @default 1_000 */
  readonly pollMs?: number | undefined;
  /**
   * How long a relay owns the events that it publishes, in milliseconds. Those of a process that died
   * wait for so long. The publisher gets two thirds of it to have an event accepted.
   * @default 60_000
   */
  readonly leaseMs?: number | undefined;
}

/** Options of {@link createInbox}. */
export interface InboxOptions<Source extends ConnectionSource = ConnectionSource>
  extends PostgresOptions<Source> {
  /**
   * Who handles the events, such as the service: each consumer handles an event once. 1 to 100 letters,
   * digits and `._:/-`.
   */
  readonly consumer: string;
  /**
   * How long a handler may go on after its signal, in milliseconds. Then its transaction ends, and a
   * connection of `pg` is closed.
   * @default 30_000
   */
  readonly overdueMs?: number | undefined;
  /**
   * How long handled events are remembered, in milliseconds. Event Grid keeps events for up to 7 days.
   * @default 8 days
   */
  readonly retentionMs?: number | undefined;
}

/** It is part of statements, and of an index. */
const consumer = patternRule({
  requirement: { consumer: "must be 1 to 100 letters, digits and ._:/-" },
  pattern: "^[A-Za-z0-9._:/-]{1,100}$",
});

/** The rows that outbox and inbox share. */
const common = {
  pool: { check: required(CONNECTIONS_RULE) },
  schema: SCHEMA_OPTION,
  logger: processOptions.logger,
  telemetry: handlingOptions.telemetry,
};

/** Each option of an outbox. */
export const outboxOptions = {
  ...common,
  pollMs: { check: durationMs, default: SECOND_MS },
  leaseMs: { check: numberRule(SECOND_MS, HOUR_MS), default: MINUTE_MS },
} satisfies OptionTable<OutboxOptions>;

/** Each option of an inbox. */
export const inboxOptions = {
  consumer: { check: required(consumer) },
  ...common,
  overdueMs: { check: durationMs, default: 30_000 },
  retentionMs: { check: numberRule(MINUTE_MS, 365 * DAY_MS), default: 8 * DAY_MS },
} satisfies OptionTable<InboxOptions>;

export type OutboxSettings = ReturnType<typeof outboxSettings>;
export type InboxSettings = ReturnType<typeof inboxSettings>;

/**
 * The options of an outbox with their defaults.
 *
 * @throws {ConfigurationError} when one is invalid
 */
export function outboxSettings(options: OutboxOptions) {
  return readOptions("The outbox cannot be created", outboxOptions, options);
}

/** Does the same for an inbox. */
export function inboxSettings(options: InboxOptions) {
  return readOptions("The inbox cannot be created", inboxOptions, options);
}
