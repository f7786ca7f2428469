import { ConfigurationError } from "cloud-eventgrid-binding-runtime/internal";
import { Argument, Command } from "commander";
import { type Terminal, UsageError } from "../terminal/index.js";

interface TablesFlags {
  readonly schema?: string;
  readonly outboxTable?: string;
  readonly inboxTable?: string;
}

/** `cloud-eventgrid tables`: prints the SQL of the outbox and the inbox. */
export function tablesCommand({ out }: Terminal): Command {
  return new Command("tables")
    .description("Print the SQL of the tables in PostgreSQL, outbox and inbox")
    .addArgument(new Argument("[table]", "one of them").choices(["outbox", "inbox"]))
    .option("--schema <name>", "their schema (default: public)")
    .option("--outbox-table <name>", "the outbox (default: eventgrid_outbox)")
    .option("--inbox-table <name>", "the inbox (default: eventgrid_inbox)")
    .addHelpText("after", HELP)
    .action(async (only: string | undefined, flags: TablesFlags) => {
      const { tablesSql } = await import("cloud-eventgrid-binding-runtime/postgres");
      try {
        const { schema, outboxTable, inboxTable } = flags;
        const outbox = only === "inbox" ? false : outboxTable;
        out(tablesSql({ schema, outbox, inbox: only === "outbox" ? false : inboxTable }));
      } catch (error) {
        throw error instanceof ConfigurationError ? new UsageError(error.message) : error;
      }
    });
}

const HELP = `
Examples:
  cloud-eventgrid tables > migrations/0007_events.sql
  cloud-eventgrid tables inbox --schema shop`;
