import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { areas } from "./areas/index.js";
import { LocalStage } from "./local-stage.js";
import { anchorsOf, parityPage } from "./page.js";
import { recordedRun, textOf } from "./recorded-run.js";

let stage: LocalStage;

beforeAll(async () => {
  stage = await LocalStage.open();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const recorded = recordedRun();

describe.each(areas)("$title", ({ title, rows }) => {
  it.each(rows)("$input", async ({ input, run, result, differs }) => {
    const answer = await run(stage);
    expect(answer).toEqual(result);
    // What a subscription answered counts more than the documentation.
    const { [input]: azure } = recorded?.answers[title] ?? {};
    if (azure !== undefined && differs === undefined) expect(textOf(answer)).toBe(textOf(azure));
  });
});

describe("docs/contributing/parity.md", () => {
  it("lists the rows (npm run generate)", async () => {
    const page = join(root, "docs/contributing/parity.md");
    await expect(parityPage(areas, recorded)).toMatchFileSnapshot(page);
  });

  it("shows the date and the region of the last run in a subscription", () => {
    const run = { date: "2026-01-31", region: "northeurope", answers: { Filters: { a: 1, b: 2 } } };
    expect(parityPage(areas, run)).toContain(
      "ran 2 of the rows in a subscription on 2026-01-31, in the region northeurope.",
    );
  });

  it("gives each row an anchor of its own", () => {
    const anchors = [...anchorsOf(areas).values()];
    expect(anchors).toContain("a-webhook-answers-503");
    expect(anchors).toEqual([...new Set(anchors)]);
    expect(anchors).toHaveLength(areas.flatMap(({ rows }) => rows).length);
  });

  it.each(areas)("has one row for each case of $title", ({ rows }) => {
    const inputs = rows.map(({ input }) => input);
    expect(inputs).toEqual([...new Set(inputs)]);
  });
});
