import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { command } from "../command.js";

const TOPIC =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/shop";

/** Plans, cut to what matters, each with the text that is printed for it. */
const fixtures = join(__dirname, "fixtures");
const names = readdirSync(fixtures).filter((name) => name.endsWith(".json"));
const textOf = (name: string) => readFileSync(join(fixtures, name), "utf8");
const explain = (name: string, ...flags: string[]) =>
  command(["explain-plan", "-", ...flags], { input: textOf(name) });

/** A plan, with one thing changed. */
const broken = (change: object) =>
  JSON.stringify({ ...JSON.parse(textOf("types.json")), ...change });

describe("explain-plan", () => {
  it.each(names)("explains %s", async (name) => {
    const { out, error } = await explain(name);
    expect(error).toBe("");
    expect(out).toBe(textOf(name.replace(".json", ".txt")));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("ends with 3 if events are lost, 4 if they may be, and 0 otherwise", async () => {
    const exitCode = async (...args: [string, ...string[]]) => (await explain(...args)).exitCode;
    expect(await exitCode("types.json")).toBe(3);
    expect(await exitCode("form.json")).toBe(4);
    expect(await exitCode("kept.json")).toBe(0);
    expect(await exitCode("types.json", "--allow", "shop.order.placed")).toBe(3);
    const allowed = ["--allow", "shop.order.placed", "--allow", "Shop.Order.Cancelled"];
    expect(await exitCode("types.json", ...allowed)).toBe(0);
    expect(await exitCode("form.json", "--allow", "identity")).toBe(4);
    const checks = ["identity", "batching", "destination", "types"].flatMap((check) => [
      "--allow",
      check,
    ]);
    expect(await exitCode("form.json", ...checks)).toBe(0);
  });

  it("prints no sensitive value and no query of a webhook", async () => {
    for (const flags of [[], ["--json"]]) {
      const { out } = await explain("endpoint.json", ...flags);
      expect(out).not.toMatch(/secret|4711|4712|code=/);
    }
  });

  it("prints JSON with the type, the effect and an example of each finding", async () => {
    const { out } = await explain("types.json", "--json");
    expect(JSON.parse(out)).toMatchObject({ ok: false, lost: 2, unknown: 0 });
    expect(JSON.parse(out).resources[0].findings[0]).toEqual({
      check: "types",
      effect: "lost",
      label: "narrower",
      eventType: "shop.order.placed",
      message: "delivered only if data.total >= 100",
      example: { type: "shop.order.placed", "data.total": 0 },
    });
  });

  it("counts recorded events of the scope, and leaves out those that could be of another", async () => {
    const directory = temporaryFolder();
    const event = (total: number, type = "shop.order.placed") => ({
      ...{ specversion: "1.0", id: "1", source: "/shop", type },
      data: { total },
    });
    const events = [event(1), event(2), event(300), event(5, "shop.order.cancelled")];
    const lines = (records: readonly object[]) =>
      records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const recorded = (scope: string) =>
      lines(events.map((each) => ({ recorded: "cloud-eventgrid/1", scope, event: each })));
    writeFileSync(join(directory, "here.ndjson"), recorded(TOPIC.toUpperCase()));
    writeFileSync(join(directory, "elsewhere.ndjson"), recorded(`${TOPIC}2`));
    writeFileSync(join(directory, "plain.json"), JSON.stringify(events));
    const counts = async (input: string, ...files: string[]) => {
      const flags = files.flatMap((file) => ["--events", file]);
      const { out } = await command(["explain-plan", ...flags], { input, directory, columns: 200 });
      return [...out.matchAll(/\((.*) recorded events\)/g)].map(([, text]) => text);
    };
    const plan = textOf("types.json");
    const expected = ["3 → 1 of 4", "1 of 4", "0 of 4"];
    expect(await counts(plan, "here.ndjson", "elsewhere.ndjson")).toEqual(expected);
    expect(await counts(plan, "plain.json")).toEqual(expected);
    const other = JSON.parse(plan.replaceAll("/topics/shop", "/topics/other")).resource_changes[1];
    other.address += "2";
    const { resource_changes: changes } = JSON.parse(plan);
    const two = broken({ resource_changes: [...changes, other] });
    expect(await counts(two, "plain.json")).toEqual([]);
    expect(await counts(two, `${TOPIC}=plain.json`)).toEqual(expected);
  });

  it("refuses what is no plan that it knows", async () => {
    const cases: [input: string, message: RegExp][] = [
      ["", /is not JSON/],
      ["PK\u0003\u0004", /is not JSON.*not the plan file itself/],
      ["[]", /no plan of Terraform/],
      ['{"format_version":"1.0","values":{}}', /this is a state, not a plan/],
      [broken({ format_version: "2.0" }), /format_version "2.0", but this release reads 1.x/],
      [broken({ resource_changes: {} }), /malformed: resource_changes is not a list/],
      [broken({ resource_changes: [{ mode: "managed" }] }), /malformed/],
    ];
    for (const [input, message] of cases) {
      const { exitCode, error } = await command(["explain-plan"], { input });
      expect({ exitCode, error }).toEqual({ exitCode: 1, error: expect.stringMatching(message) });
    }
  });
});
