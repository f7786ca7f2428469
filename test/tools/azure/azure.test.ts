import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  deployer,
  newIdentity,
  requestToken,
  textIn,
} from "../../local/support/management-client.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { groups, runAzure } from "./azure-process.js";

let cloud: LocalCloud;
beforeEach(async () => {
  cloud = await LocalCloud.start({ control: true });
});
afterEach(() => cloud.close());

const TIMEOUT = 120_000;

const QUOTA = {
  method: "PUT",
  path: "/namespaces/[^/]+$",
  status: 403,
  code: "QuotaExceeded",
  times: 1,
};

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

it.skipIf(process.platform === "win32")(
  "signs in with az, whose token it keeps",
  async () => {
    const scope = "https://management.azure.com/.default";
    const { body } = await requestToken(cloud, deployer(cloud), scope);
    const folder = temporaryFolder();
    const token = {
      accessToken: textIn(body, "access_token"),
      expires_on: Date.now() / 1000 + 3600,
      tenant: cloud.tenantId,
    };
    const script = `#!/bin/sh\necho "$@" >> ${folder}/calls\necho '${JSON.stringify(token)}'\n`;
    writeFileSync(join(folder, "az"), script, { mode: 0o755 });
    const variables = {
      PATH: `${folder}:${dirname(process.execPath)}:/bin:/usr/bin`,
      AZURE_TOKEN_CREDENTIALS: "AzureCliCredential",
    };
    const faults = [{ ...QUOTA, path: "/topics/all$" }];
    const { output } = await runAzure(cloud, { variables, faults });
    expect(output).toContain("Nothing is left.");
    // Once to begin, once for the run, once to remove it.
    expect(readFileSync(join(folder, "calls"), "utf8").trim().split("\n")).toHaveLength(3);
  },
  TIMEOUT,
);

it(
  "removes everything and says why when the quota refuses the namespace",
  async () => {
    const { code, output } = await runAzure(cloud, { faults: [QUOTA] });
    expect(code).toBe(1);
    expect(output).toContain(`Stopped: PUT `);
    expect(output).toContain("The subscription's quota is used up");
    expect(output).toContain("Nothing is left.");
    expect(await groups(cloud)).toEqual([]);
    expect(cloud.topics.list()).toEqual([]);
  },
  TIMEOUT,
);
