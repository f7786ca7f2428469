import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkConfiguration } from "../../../local/src/cli/configuration.js";
import { root } from "../../support/project.js";

it("accepts the configuration file in the documentation", () => {
  const page = join(root, "docs/local-azure-configuration.md");
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  const configuration = JSON.parse(blocks[0]?.[1] ?? "");

  expect(checkConfiguration(configuration, "the page")).toEqual(configuration);
});
