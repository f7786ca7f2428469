import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { command } from "../command.js";
import { explain, planOf, reportOf, TOPIC } from "./fixtures.js";

/** A plan, with one thing changed. */
const broken = (change: object) => JSON.stringify({ ...JSON.parse(planOf("types")), ...change });

describe("the command explain-plan", () => {
  it("ends with 3 if events are lost, 4 if they may be, and 0 otherwise", async () => {
    const exitCode = async (...args: [string, ...string[]]) => (await explain(...args)).exitCode;
    expect(await exitCode("types")).toBe(3);
    expect(await exitCode("form")).toBe(4);
    expect(await exitCode("kept")).toBe(0);
    expect(await exitCode("types", "--allow", "shop.order.placed")).toBe(3);
    const allowed = ["--allow", "shop.order.placed", "--allow", "Shop.Order.Cancelled"];
    expect(await exitCode("types", ...allowed)).toBe(0);
    expect(await exitCode("form", "--allow", "identity")).toBe(4);
    const checks = ["identity", "batching", "destination", "types"].flatMap((check) => [
      "--allow",
      check,
    ]);
    expect(await exitCode("form", ...checks)).toBe(0);
  });

  it("prints no sensitive value and no query of a webhook", async () => {
    for (const flags of [[], ["--json"]]) {
      const { out } = await explain("endpoint", ...flags);
      expect(out).not.toMatch(/secret|4711|4712|code=/);
    }
  });

  it("prints JSON with the type, the effect and an example of each finding", async () => {
    const { out } = await explain("types", "--json");
    expect(JSON.parse(out)).toMatchObject({ ok: false, lost: 2, unknown: 0 });
    expect(JSON.parse(out).resources[0].findings[0]).toEqual({
      check: "types",
      effect: "lost",
      label: "narrower",
      eventType: "shop.order.placed",
      message: "delivered only if data.total NumberGreaterThanOrEquals 100",
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
    const inner = join(directory, "folder/inner");
    mkdirSync(inner, { recursive: true });
    for (const place of [directory, inner]) {
      writeFileSync(join(place, "plain.json"), JSON.stringify(events));
    }
    for (const link of ["above", "above.json"]) symlinkSync("..", join(directory, "folder", link));
    const counts = async (input: string, ...files: string[]) => {
      const flags = files.flatMap((file) => ["--events", file]);
      const { out } = await command(["explain-plan", ...flags], { input, directory, columns: 200 });
      return [...out.matchAll(/\((.*) recorded events\)/g)].map(([, text]) => text);
    };
    const plan = planOf("types");
    const expected = ["3 → 1 of 4", "1 of 4", "0 of 4"];
    expect(await counts(plan, "here.ndjson", "elsewhere.ndjson")).toEqual(expected);
    expect(await counts(plan, "plain.json")).toEqual(expected);
    expect(await counts(plan, "folder")).toEqual(expected);
    const other = JSON.parse(plan.replaceAll("/topics/shop", "/topics/other")).resource_changes[1];
    other.address += "2";
    const { resource_changes: changes } = JSON.parse(plan);
    const two = broken({ resource_changes: [...changes, other] });
    expect(await counts(two, "plain.json")).toEqual([]);
    expect(await counts(two, `${TOPIC}=plain.json`)).toEqual(expected);
  });

  it("takes the plan out of what wrappers of CI systems print around it", async () => {
    const [plan, wanted] = [planOf("kept"), reportOf("kept")];
    const line = JSON.stringify(JSON.parse(plan));
    const state = '{"@level":"warn"}';
    const texts = [
      `[command]/opt/terraform-bin show -json tfplan\n${plan}\n::debug::exited with code 0.\n`,
      `\u001b[1m${plan}\u001b[0m\n{ Warning: "colours" }\n${state}`,
      `${line}\n::set-output name=stdout::${line.replace("%", "%25")}\n`,
      `2026-11-28T17:00:00Z ${state}\n2026-11-28T17:00:01Z ${line}\n`,
    ];
    for (const input of texts) {
      expect(await command(["explain-plan"], { input, columns: 80 })).toMatchObject({
        out: wanted,
      });
    }
  });

  it("reads a plan with a number that JavaScript rounds", async () => {
    for (const number of ["0.12345678901234567", "1234567890123456.1234567890123456", "1e-400"]) {
      const input = planOf("kept").replace(/"max_delivery_attempts": \d+/g, `"a": ${number}`);
      expect(input).toContain(number);
      expect(await command(["explain-plan"], { input })).toMatchObject({ exitCode: 0 });
    }
  });

  it("refuses what is no plan that it knows", async () => {
    const cases: [input: string, message: RegExp][] = [
      ["", /is empty/],
      [broken({ format_version: "0.2" }), /reads 1.x: update Terraform/],
      ["PK\u0003\u0004", /is not JSON.*not the plan file itself/],
      ["Error: no plan\n{}", /is not JSON, and begins with "Error: no plan"/],
      [planOf("types").slice(0, -9), /is not complete: its JSON does not end/],
      [`a\n${planOf("types")}\n${planOf("kept")}`, /there is more than one plan/],
      ["[]", /no plan of Terraform/],
      ['{"format_version":"1.0","values":{}}', /this is a state, not a plan/],
      [broken({ format_version: "2.0" }), /format_version "2.0", but this release reads 1.x/],
      [broken({ resource_changes: {} }), /malformed: resource_changes is not a list/],
      [broken({ resource_changes: [{ mode: "managed" }] }), /malformed/],
      [
        planOf("types").replace(
          '"before":',
          `"deep": ${"[".repeat(4000)}${"]".repeat(4000)}, "before":`,
        ),
        /malformed: it is nested too deeply/,
      ],
    ];
    for (const [input, message] of cases) {
      const { exitCode, error } = await command(["explain-plan"], { input });
      expect({ exitCode, error }).toEqual({ exitCode: 1, error: expect.stringMatching(message) });
    }
  });
});
