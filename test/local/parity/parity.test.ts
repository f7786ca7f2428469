import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { areas } from "./areas/index.js";
import { LocalStage } from "./local-stage.js";
import { parityPage } from "./page.js";

let stage: LocalStage;

beforeAll(async () => {
  stage = await LocalStage.open();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

describe.each(areas)("$title", ({ rows }) => {
  it.each(rows)("$input", async ({ run, result }) => {
    expect(await run(stage)).toEqual(result);
  });
});

describe("docs/contributing/parity.md", () => {
  it("is what `npm run parity` writes", () => {
    expect(readFileSync(join(root, "docs/contributing/parity.md"), "utf8")).toBe(parityPage(areas));
  });

  it.each(areas)("has one row for each case of $title", ({ rows }) => {
    const inputs = rows.map(({ input }) => input);
    expect(inputs).toEqual([...new Set(inputs)]);
  });
});
