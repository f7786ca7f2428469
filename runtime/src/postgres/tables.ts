import { ConfigurationError } from "../errors.js";
import {
  checkOf,
  type OptionTable,
  patternRule,
  problemsOf,
  withDefaults,
} from "../validation/index.js";
import { type Database, sqlStateOf } from "./database.js";
import { PostgresError } from "./errors.js";

/** Options of {@link tablesSql}. */
export interface TablesOptions {
  /** The schema of the tables, which must exist. @default "public" */
  readonly schema?: string | undefined;
  /** The table of the outbox; `false` leaves it out. @default "eventgrid_outbox" */
  readonly outbox?: string | false | undefined;
  /** The table of the inbox; `false` leaves it out. @default "eventgrid_inbox" */
  readonly inbox?: string | false | undefined;
}

/** The name of a schema or a table. PostgreSQL cuts longer names off, and an index adds to them. */
const identifier = patternRule({
  name: "identifier",
  requirement: "must be 1 to 50 letters, digits and underscores, not beginning with a digit",
  pattern: "^[A-Za-z_][A-Za-z0-9_]{0,49}$",
});

const identifierOrFalse = {
  ...identifier,
  requirement: `${identifier.requirement}, or false`,
  test: (value: unknown) => value === false || identifier.test(value),
};

/** Where the tables are, for the options of outbox and inbox. */
export const SCHEMA_OPTION = {
  check: identifier,
  default: "public",
};

/** The option with the name of a table. */
export function tableOption(name: string) {
  return { check: identifier, default: name };
}

const tablesOptions = {
  schema: SCHEMA_OPTION,
  outbox: { ...tableOption("eventgrid_outbox"), check: identifierOrFalse },
  inbox: { ...tableOption("eventgrid_inbox"), check: identifierOrFalse },
} satisfies OptionTable<TablesOptions>;

const tablesCheck = checkOf<TablesOptions>(tablesOptions);

/** A table with its schema, quoted for SQL. */
export function qualified(schema: string, table: string): string {
  return `"${schema}"."${table}"`;
}

/**
 * The SQL that creates the tables, for your migrations; `npx --no -- cloud-eventgrid tables` prints it.
 * Running it twice changes nothing.
 *
 * @throws {ConfigurationError} when a name is invalid
 */
export function tablesSql(options: TablesOptions = {}): string {
  const problems = problemsOf(tablesCheck, "", options);
  if (problems.length > 0)
    throw new ConfigurationError("The SQL of the tables cannot be created", problems);
  const { schema, outbox, inbox } = withDefaults(tablesOptions, options);
  return [
    ...(outbox === false ? [] : [outboxSql(schema, outbox)]),
    ...(inbox === false ? [] : [inboxSql(schema, inbox)]),
  ].join("\n");
}

/**
 * Claims update rows: the space that `fillfactor` leaves in their pages, and columns without an index,
 * spare PostgreSQL new entries in the indexes.
 */
function outboxSql(schema: string, table: string): string {
  const name = qualified(schema, table);
  return `-- Outbox of cloud-eventgrid-binding-runtime, version 2
create table if not exists ${name} (
  id bigint generated always as identity primary key,
  topic text,                                               -- where to publish it
  body bytea not null,                                      -- the event as JSON
  stored_at timestamptz not null default clock_timestamp(),
  lease uuid,                                               -- the relay that publishes it
  leased_until timestamptz,
  failed_at timestamptz,                                    -- set aside: it cannot be published
  failure text
) with (fillfactor = 50);
-- Events in a table of version 1 wait until they have a topic:
--   update ${name} set topic = '<host and path of its endpoint>' where topic is null;
alter table ${name} add column if not exists topic text;
create index if not exists "${table}_topic" on ${name} (topic, id) where failed_at is null;
drop index if exists ${qualified(schema, `${table}_waiting`)};
`;
}

function inboxSql(schema: string, table: string): string {
  const name = qualified(schema, table);
  return `-- Inbox of cloud-eventgrid-binding-runtime, version 2
create table if not exists ${name} (
  key bytea primary key,                                    -- SHA-256 of consumer and event
  consumer text,
  handled_at timestamptz not null default clock_timestamp()
);
-- Keys in a table of version 1 count, and stay until you delete them after the longest retentionMs:
--   delete from ${name} where consumer is null and handled_at < now() - interval '8 days';
alter table ${name} add column if not exists consumer text;
create index if not exists "${table}_handled_at" on ${name} (handled_at);
`;
}

const COLUMNS = {
  outbox: "id, topic, body, stored_at, lease, leased_until, failed_at, failure",
  inbox: "key, consumer, handled_at",
};

/** How PostgreSQL reports a missing table, a missing schema and a missing column. */
const MISSING: Readonly<Record<string, string>> = {
  "42P01": "is missing",
  "3F000": "is missing, as its schema is",
  "42703": "is older than this version needs it",
};

/**
 * Checks that a table has the columns that this version uses.
 *
 * @throws {PostgresError} when it has not
 */
export async function checkTable(
  kind: "outbox" | "inbox",
  { schema, table }: { readonly schema: string; readonly table: string },
  database: Database,
): Promise<void> {
  try {
    await database.query(`select ${COLUMNS[kind]} from ${qualified(schema, table)} limit 0`);
  } catch (error) {
    const reason = MISSING[sqlStateOf(error) ?? ""];
    if (reason === undefined) throw error;
    const options = `${kind} --schema ${schema} --${kind}-table ${table}`;
    throw new PostgresError(
      "ERR_POSTGRES_TABLE",
      `the table ${qualified(schema, table)} ${reason}: run the SQL that \`npx --no -- cloud-eventgrid tables ${options}\` prints`,
      { cause: error },
    );
  }
}
