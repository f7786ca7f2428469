import { PGlite } from "@electric-sql/pglite";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";

/** Opens a service's database. A deployed service uses a pool of `pg` and its own migrations. */
export async function openDatabase(directory: string, table: string): Promise<PGlite> {
  const database = await PGlite.create(directory);
  await database.exec(`create table if not exists ${table}; ${tablesSql()}`);
  return database;
}
