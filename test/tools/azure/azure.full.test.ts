import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../../../examples/start/free-port.js";
import { areas } from "../../local/parity/areas/index.js";
import { parityPage } from "../../local/parity/page.js";
import type { RecordedRun } from "../../local/parity/recorded-run.js";
import {
  deployer,
  newIdentity,
  permit,
  requestToken,
  signIn,
  textIn,
} from "../../local/support/management-client.js";
import { findTerraform } from "../../stand-ins/src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { groups, runAzure } from "./azure-process.js";

/** As often as one request can be throttled before it fails. */
const THROTTLED = {
  method: "PUT",
  path: "/topics/",
  status: 429,
  code: "TooManyRequests",
  times: 7,
};

/** A role cannot be assigned to an identity that is new. */
const NEW_IDENTITY = {
  method: "PUT",
  path: "/roleAssignments/",
  status: 400,
  code: "PrincipalNotFound",
  times: 2,
};

/** Not those of the rows, which must be translated. */
const OTHER = { subscriptionId: "3f0c8a52-7d1e-4b6a-9c35-0e8d24a71b96", region: "northeurope" };

const EVERYTHING = ["--yes", "--with-entra", "--providers=stand-ins"];

/** The variables that let the run find Terraform, and its providers the local Azure. */
function forTerraform(cloud: LocalCloud): Record<string, string> {
  const arm = Object.entries(cloud.terraformEnvironment()).filter(([name]) => /^ARM_/.test(name));
  const path = `${dirname(process.execPath)}:${dirname(findTerraform()?.path ?? "")}:/usr/bin:/bin`;
  return { ...Object.fromEntries(arm), PATH: path };
}

/** Rows create groups, which a person may in most tenants. */
const permitGroups = (cloud: LocalCloud) =>
  permit(cloud, deployer(cloud).clientId, "Group.ReadWrite.All");

const sectionOf = (report: string, title: string) =>
  report.split(/^## /m).flatMap((section) => section.split(`${title}\n\n`)[1]?.trim() ?? [])[0];

/** What the rows need that a run leaves out, by its report. */
const needsIn = (report: string) =>
  [...report.matchAll(/^- \d+ need (.*)$/gm)].map(([, need]) => need).sort();

/** What no flag gives. */
const MORE_NEEDS = [
  "a directory that it may change",
  "a storage account",
  "another resource group",
  "more than a euro: run again with --continue",
  "what only the local Azure has, such as a clock and faults",
];

describeWithTerraform("npm run azure", () => {
  let cloud: LocalCloud;
  beforeEach(async () => {
    cloud = await LocalCloud.start({ control: true });
    permitGroups(cloud);
  });
  afterEach(() => cloud.close());

  /** Applications of runs, at most a page. */
  async function applications(of = cloud): Promise<unknown> {
    const call = await signIn(of);
    const filter = encodeURIComponent("startswith(displayName,'egcheck-')");
    return Object((await call("GET", `/v1.0/applications?$filter=${filter}`)).body).value;
  }

  it("runs the rows, handshakes, deliveries and stacks while it is throttled, and leaves nothing", async () => {
    const port = await freePort();
    const webhook = "https://check.example.com";
    await using behind = await LocalCloud.start({
      control: true,
      subscriptionId: OTHER.subscriptionId,
      ingress: { [webhook]: `http://127.0.0.1:${port}` },
    });
    permitGroups(behind);
    const { code, output, directory } = await runAzure(behind, {
      args: [...EVERYTHING, `--region=${OTHER.region}`, `--webhook=${webhook}`, `--port=${port}`],
      variables: forTerraform(behind),
      faults: [THROTTLED, NEW_IDENTITY],
    });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining("Nothing is left."),
    });
    const report = readFileSync(join(directory, "report.md"), "utf8");
    expect(sectionOf(report, "Failed")).toBe("None.");
    const different = sectionOf(report, "Different from the local Azure")?.split("\n").slice(2);
    expect(different).toEqual([expect.stringMatching(/The endpoint of a topic.* has the host/)]);
    expect(sectionOf(report, "Stacks")).toBe("- orders: same\n- pull: same\n- settings: same");
    // Clients of the proxy get the endpoint that Azure has.
    expect(different?.[0]).toContain('`"/api/events"` | `"/TOPIC.westeurope-1/api/events"`');
    expect(needsIn(report)).toEqual(MORE_NEEDS);
    expect(report).not.toContain(behind.proxyEnvironment().AZURE_CLIENT_SECRET);
    const recorded = readFileSync(join(directory, "recorded-run.json"), "utf8");
    const run: RecordedRun = JSON.parse(recorded);
    expect(Object.values(run.answers).flatMap(Object.keys).length).toBeGreaterThan(250);
    expect(parityPage(areas, run)).toContain(`on ${run.date}, in the region northeurope`);
    expect(run.answers.Handshakes).toMatchObject({
      "The headers of the `OPTIONS` request": "eventgrid.azure.net",
      "403 to the validation event": false,
      "The header with the origin in a delivery": ["undefined", "eventgrid.azure.net"],
    });
    expect(run.answers["Recorded answers: event subscriptions"]).toMatchObject({
      "`DELETE` of an event subscription": [202, true, 200, "undefined"],
    });
    expect(run.answers["Recorded answers: errors"]).toMatchObject({
      "The operation while someone has to open the validation URL": [
        "AwaitingManualAction",
        "undefined",
        "Succeeded",
      ],
    });

    expect(await groups(behind)).toEqual([]);
    expect(await applications(behind)).toEqual([]);
    expect([...behind.topics.list(), ...behind.namespaces.list()]).toEqual([]);
  });

  it("continues a killed run with what it has not done", async () => {
    const killed = await runAzure(cloud, { end: { after: "50 rows", by: "SIGKILL" } });
    const [name] = /egcheck-[a-z]{5}/.exec(killed.output) ?? [];
    const { directory } = killed;
    const { output } = await runAzure(cloud, { args: ["--yes", "--continue"], directory });
    expect(output).toContain(`the resource group ${name}`);
    expect(output).toContain(`Removed ${name}.\nNothing is left.`);
    const lines = readFileSync(join(directory, "progress.jsonl"), "utf8").trim().split("\n");
    const same = lines.filter((line) => line.includes('"status":"same"'));
    expect(same.length).toBe(new Set(same).size);
    expect(same.length).toBeGreaterThan(250);
    const report = readFileSync(join(directory, "report.md"), "utf8");
    expect(needsIn(report)).toEqual(["--webhook", "Terraform", ...MORE_NEEDS]);
  });

  it("removes the resource group even if the account may not read the directory", async () => {
    const code = "Authorization_RequestDenied";
    const faults = [{ method: "GET", path: "/v1.0/applications", status: 403, code, times: 1 }];
    const end = { after: "50 rows", by: "SIGINT" } as const;
    const { output } = await runAzure(cloud, { args: ["--yes", "--with-entra"], faults, end });
    expect(output).toContain("Not removed: GET /v1.0/applications: 403");
    expect(output).toContain("needs the role Application Developer");
    expect(output).toContain("--clean --with-entra");
    expect(await groups(cloud)).toEqual([]);
  });

  it("removes everything after Ctrl-C", async () => {
    const { code, output } = await runAzure(cloud, { end: { after: "50 rows", by: "SIGINT" } });
    expect(code).toBe(130);
    expect(output).toContain("Interrupted: removing what was created.");
    expect(output).toContain("Nothing is left.");
    expect(await groups(cloud)).toEqual([]);
    expect(cloud.namespaces.list()).toEqual([]);
  });

  it("removes with --clean what a killed run has left", async () => {
    await runAzure(cloud, { end: { after: "50 rows", by: "SIGKILL" } });
    const left = await groups(cloud);
    expect(left).toEqual([expect.stringMatching(/^egcheck-[a-z]{5}$/)]);
    // More than a page of Graph.
    for (let number = 0; number < 101; number++) {
      cloud.applications.create({ displayName: `egcheck-killed-${number}` });
    }
    const { code, output } = await runAzure(cloud, { args: ["--clean", "--yes", "--with-entra"] });
    expect(code).toBe(0);
    expect(output).toContain(`Left by runs:\n  ${left[0]}\n  egcheck-killed-0\n`);
    expect(output).toContain(`Removed ${left[0]}.\nNothing is left.`);
    expect(await applications()).toEqual([]);
    expect(await groups(cloud)).toEqual([]);
  });
});

it("ends before it has created anything if the account has no role", async () => {
  await using cloud = await LocalCloud.start({ control: true });
  const { clientId, secret } = newIdentity(cloud, "guest");
  const variables = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: secret };
  const { code, output } = await runAzure(cloud, { variables });
  expect(code).toBe(1);
  expect(output).toContain("403 AuthorizationFailed");
  expect(output).toContain("needs the role Owner, or Contributor and Role");
  expect(await groups(cloud)).toEqual([]);
});

it.skipIf(process.platform === "win32")("signs in with az, whose token it keeps", async () => {
  await using cloud = await LocalCloud.start({ control: true });
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
  const faults = [
    { method: "PUT", path: "/topics/all$", status: 403, code: "QuotaExceeded", times: 1 },
  ];
  const { output } = await runAzure(cloud, { variables, faults });
  expect(output).toContain("Nothing is left.");
  // Once to begin, once for the run, once to remove it.
  expect(readFileSync(join(folder, "calls"), "utf8").trim().split("\n")).toHaveLength(3);
});
