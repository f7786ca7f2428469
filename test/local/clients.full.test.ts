import { expect } from "vitest";
import { itWith } from "../support/describe-with.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startCloud } from "./support/cloud.js";
import { exampleBelow } from "./support/documented-example.js";
import { runShell } from "./support/run-program.js";

itWith("az", "the documented example with az creates a topic and a service principal", async () => {
  const cloud = await startCloud({ control: true });
  const [evaluation = "", ...commands] = exampleBelow("With az", "sh").split("\n");
  expect(evaluation).toBe('eval "$(npx --no -- cloud-eventgrid-local env --proxy)"');
  const environment = { ...cloud.proxyEnvironment(), AZURE_CONFIG_DIR: temporaryFolder() };
  const output = await runShell(commands.join("\n"), environment);
  expect(output).toContain("https://orders.westeurope-1.eventgrid.azure.net/api/events");
  expect(output).toContain(cloud.topics.list()[0]?.accessKey);
  expect(output).toContain("shop-pipeline");
  expect(output).toContain("Microsoft.Cache.Redis");
});
