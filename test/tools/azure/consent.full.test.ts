import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { groups, runAzure } from "./azure-process.js";

let cloud: LocalCloud;
beforeEach(async () => {
  cloud = await LocalCloud.start({ control: true });
});
afterEach(() => cloud.close());

const QUOTA = {
  method: "PUT",
  path: "/namespaces/[^/]+$",
  status: 403,
  code: "QuotaExceeded",
  times: 1,
};

it("announces resources, cost and rights, and creates nothing without consent", async () => {
  const { code, output } = await runAzure(cloud, { args: [] });
  expect(code).toBe(2);
  expect(output).toMatch(/the resource group egcheck-[a-z]{5}, with everything else in it/);
  expect(output).toContain("costs less than one euro");
  expect(output).toContain("needs the role Owner");
  expect(output).toContain("Nothing was created.");
  expect(await groups(cloud)).toEqual([]);
});

it("removes everything and says why when the quota refuses the namespace", async () => {
  const { code, output } = await runAzure(cloud, { faults: [QUOTA] });
  expect(code).toBe(1);
  expect(output).toContain(`Stopped: PUT `);
  expect(output).toContain("The subscription's quota is used up");
  expect(output).toContain("Nothing is left.");
  expect(await groups(cloud)).toEqual([]);
  expect(cloud.topics.list()).toEqual([]);
});
