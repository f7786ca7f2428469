import { describe, expect, it } from "vitest";
import { command } from "./command.js";

describe("cloud-eventgrid tables", () => {
  it("prints the SQL of both tables", async () => {
    const { exitCode, out } = await command(["tables"]);
    expect(exitCode).toBe(0);
    expect(out).toContain('create table if not exists "public".eventgrid_outbox (');
    expect(out).toContain('create table if not exists "public".eventgrid_inbox (');
  });

  it("prints the SQL of the tables in a schema of yours", async () => {
    const { out } = await command(["tables", "--schema", "shop"]);
    expect(out).toContain('create table if not exists "shop".eventgrid_inbox (');
    expect(out).not.toContain("public");
  });

  it("refuses a name that is no identifier", async () => {
    const { exitCode, error } = await command(["tables", "--schema", 'a"; drop table b']);
    expect(exitCode).toBe(2);
    expect(error).toContain("schema must be 1 to 50 letters, digits and underscores");
  });
});
