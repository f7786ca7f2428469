import { type Log, loggableError } from "../observability/index.js";
import type { Clock } from "../time.js";
import type { Database } from "./database.js";

const INTERVAL_MS = 60_000;
/** Between two steps that found as much as they delete at a time. */
const PAUSE_MS = 100;
const ROWS_PER_STEP = 1_000;

export interface RetentionDependencies {
  readonly database: Database;
  /** With its schema, quoted. */
  readonly table: string;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes keys when their time is over by the database's clock, in steps that hold few locks. Replicas
 * skip the rows of each other.
 *
 * @returns a function that ends it
 */
export function deleteExpiredKeys(dependencies: RetentionDependencies): () => void {
  const { database, table, retentionMs, clock, log } = dependencies;
  const statement = `with deleted as (
  delete from ${table} where key in (
    select key from ${table} where handled_at < clock_timestamp() - make_interval(secs => $1)
    order by handled_at limit $2 for update skip locked
  ) returning 1
) select count(*)::int as count from deleted`;
  let isEnded = false;
  let cancel = () => {};
  const step = async () => {
    let deleted = 0;
    try {
      const rows = await database.query(statement, [retentionMs / 1_000, ROWS_PER_STEP]);
      deleted = Number(rows[0]?.count);
    } catch (error) {
      if (!isEnded) log.warn({ err: loggableError(error) }, "old keys of the inbox not deleted");
    }
    if (isEnded) return;
    cancel = clock.schedule(deleted < ROWS_PER_STEP ? INTERVAL_MS : PAUSE_MS, () => void step());
  };
  void step();
  return () => {
    isEnded = true;
    cancel();
  };
}
