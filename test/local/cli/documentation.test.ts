import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkConfiguration } from "../../../local/src/cli/configuration.js";

it("the configuration that the documentation shows can be used as it stands", () => {
  const page = fileURLToPath(new URL("../../../docs/local-azure-terraform.md", import.meta.url));
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  const configuration = JSON.parse(blocks[0]?.[1] ?? "");

  expect(checkConfiguration(configuration, "the page")).toEqual(configuration);
});
