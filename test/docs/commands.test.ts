import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";
import { PAGE, pageWithCommands } from "./command-tables.js";

it("docs/local-azure-reference.md lists the commands of the table (npm run generate)", async () => {
  await expect(pageWithCommands()).toMatchFileSnapshot(join(root, PAGE));
});
