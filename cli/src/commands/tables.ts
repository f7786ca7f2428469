import { ConfigurationError } from "cloud-eventgrid-binding-runtime/internal";
import { Command } from "commander";
import { type Terminal, UsageError } from "../terminal/index.js";

/** `cloud-eventgrid tables`: prints the SQL of the outbox and the inbox. */
export function tablesCommand({ out }: Terminal): Command {
  return new Command("tables")
    .description("Print the SQL of the tables in PostgreSQL, outbox and inbox")
    .option("--schema <name>", "their schema (default: public)")
    .addHelpText("after", HELP)
    .action(async ({ schema }: { readonly schema?: string }) => {
      const { tablesSql } = await import("cloud-eventgrid-binding-runtime/postgres");
      try {
        out(tablesSql({ schema }));
      } catch (error) {
        throw error instanceof ConfigurationError ? new UsageError(error.message) : error;
      }
    });
}

const HELP = `
Examples:
  cloud-eventgrid tables > migrations/0007_events.sql
  cloud-eventgrid tables --schema shop`;
