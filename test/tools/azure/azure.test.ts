import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newIdentity } from "../../local/support/management-client.js";
import { groups, runAzure } from "./azure-process.js";

let cloud: LocalCloud;
beforeEach(async () => {
  cloud = await LocalCloud.start({ control: true });
});
afterEach(() => cloud.close());

const TIMEOUT = 120_000;

it(
  "announces resources, cost and rights, and creates nothing without consent",
  async () => {
    const { code, output } = await runAzure(cloud, { args: [] });
    expect(code).toBe(2);
    expect(output).toMatch(/the resource group egcheck-[a-z]{5}, with everything else in it/);
    expect(output).toContain("costs less than one euro");
    expect(output).toContain("needs the role Owner");
    expect(output).toContain("Nothing was created.");
    expect(await groups(cloud)).toEqual([]);
  },
  TIMEOUT,
);

it(
  "ends before it has created anything if the account has no role",
  async () => {
    const { clientId, secret } = newIdentity(cloud, "guest");
    const variables = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: secret };
    const { code, output } = await runAzure(cloud, { variables });
    expect(code).toBe(1);
    expect(output).toContain("403 AuthorizationFailed");
    expect(output).toContain("needs the role Owner, or Contributor and Role");
    expect(await groups(cloud)).toEqual([]);
  },
  TIMEOUT,
);

it(
  "removes everything and says why when the quota refuses the namespace",
  async () => {
    const faults = [
      { method: "PUT", path: "/namespaces/[^/]+$", status: 403, code: "QuotaExceeded", times: 1 },
    ];
    const { code, output } = await runAzure(cloud, { faults });
    expect(code).toBe(1);
    expect(output).toContain(`Stopped: PUT `);
    expect(output).toContain("The subscription's quota is used up");
    expect(output).toContain("Nothing is left.");
    expect(await groups(cloud)).toEqual([]);
    expect(cloud.topics.list()).toEqual([]);
  },
  TIMEOUT,
);
