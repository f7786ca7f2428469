import { type OptionTable, patternRule, readOptions } from "../validation/index.js";
import { type Statements, unreadable } from "./connections.js";
import { PostgresError } from "./errors.js";
import { READ_ONLY, sqlStateOf } from "./sqlstate.js";

/** Options of {@link tablesSql}. */
export interface TablesOptions {
  /** The schema of the tables, which must exist. @default "public" */
  readonly schema?: string | undefined;
}

/** Where the tables are, for the options of outbox and inbox. PostgreSQL cuts longer names off. */
export const SCHEMA_OPTION = {
  check: patternRule({
    requirement: {
      identifier: "must be 1 to 50 letters, digits and underscores, not beginning with a digit",
    },
    pattern: "^[A-Za-z_][A-Za-z0-9_]{0,49}$",
  }),
  default: "public",
};

const tablesOptions = { schema: SCHEMA_OPTION } satisfies OptionTable<TablesOptions>;

/**
 * The topic of an event that was not set aside, as it is indexed. The index is not a partial one: without
 * statistics, PostgreSQL takes its condition for so rare that it sorts all rows. It includes what the
 * count of waiting events reads, which then leaves out the table.
 */
export const WAITING_TOPIC = "case when failed_at is null then topic end";

/** The table of an outbox or an inbox, quoted for SQL. */
export function tableOf(kind: "outbox" | "inbox", schema: string): string {
  return `"${schema}".eventgrid_${kind}`;
}

/**
 * The SQL that creates the tables, for your migrations; `npx --no -- cloud-eventgrid tables` prints it.
 * Running it twice changes nothing, also at once from several processes.
 *
 * @throws {ConfigurationError} when the schema's name is invalid
 */
export function tablesSql(options: TablesOptions = {}): string {
  const { schema } = readOptions("The SQL of the tables cannot be created", tablesOptions, options);
  return createSql(tableOf("outbox", schema), tableOf("inbox", schema));
}

/**
 * Its one statement keeps the lock until the end, also where each statement is a transaction: without
 * it, `if not exists` fails in processes that create a table at once. Claims update rows: the space that
 * `fillfactor` leaves in their pages, and columns without an index, spare PostgreSQL new entries in the
 * indexes.
 */
function createSql(outbox: string, inbox: string): string {
  return `-- Outbox and inbox of cloud-eventgrid-binding-runtime
do $eventgrid$ begin
perform pg_advisory_xact_lock(6835204917);                    -- any number that nothing else locks
create table if not exists ${outbox} (
  id bigint generated always as identity primary key,
  topic text not null,                                      -- where to publish it
  body bytea not null,                                      -- the event as JSON
  stored_at timestamptz not null default clock_timestamp(),
  lease uuid,                                               -- the relay that publishes it
  leased_until timestamptz,
  failed_at timestamptz,                                    -- set aside: it cannot be published
  failure text
) with (fillfactor = 50);
create index if not exists eventgrid_outbox_waiting on ${outbox} ((${WAITING_TOPIC}), id) include (topic, failed_at);
create table if not exists ${inbox} (
  key bytea primary key,                                    -- SHA-256 of consumer and event
  consumer text not null,
  handled_at timestamptz not null default clock_timestamp()
);
create index if not exists eventgrid_inbox_handled_at on ${inbox} (consumer, handled_at);
end $eventgrid$;
`;
}

/** The problems of a table by the SQLSTATE of a statement. */
const PROBLEMS: Readonly<Record<string, "is missing" | "has other columns" | "must not be used">> =
  {
    "42P01": "is missing",
    "3F000": "is missing", // its schema
    "42703": "has other columns",
    "42501": "must not be used",
  };

/**
 * Checks that a table can be used, with the statements that are used later.
 *
 * @param statements do nothing now
 * @throws {ConfigurationError} when the results of statements are not their rows
 * @throws {PostgresError} `ERR_POSTGRES_TABLE` when it cannot. A standby or a read-only server is none:
 * the statements are tried again
 */
export async function checkTable(
  kind: "outbox" | "inbox",
  schema: string,
  database: Statements,
  statements: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const name = tableOf(kind, schema);
  const failed = (what: string, cause?: unknown) =>
    new PostgresError("ERR_POSTGRES_TABLE", `the table ${name} ${what}`, { cause });
  try {
    const [row] = await database.query(`select row_security_active('${name}')::text as hides`);
    if (row?.hides === "true")
      throw failed("has row-level security, which hides events: give the role BYPASSRLS");
    if (row?.hides !== "false") throw unreadable();
    for (const statement of statements) await statement();
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === READ_ONLY) return;
    const what = PROBLEMS[state];
    if (what === undefined) throw error;
    const command = `npx --no -- cloud-eventgrid tables --schema ${schema}`;
    throw failed(
      what === "must not be used"
        ? `${what} by this role: grant select, insert, update and delete on it, and usage of its schema`
        : `${what}: run the SQL that \`${command}\` prints`,
      error,
    );
  }
}
