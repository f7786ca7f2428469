import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, expect, it } from "vitest";
import { parse } from "yaml";
import { command } from "../cli/command.js";
import { startStandIns } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { blockIn, recipe } from "./recipes.js";

const run = promisify(execFile);
const page = recipe("pipelines");

interface GitHubStep {
  readonly run?: string;
  readonly if?: string;
}
interface AzureStep {
  readonly script?: string;
  readonly inputs?: { readonly inlineScript?: string };
}

describeWith(
  "terraform",
  "docs/recipes/pipelines.md",
  () => {
    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });

    /** Runs the commands of a pipeline in a generated project, against a local Azure. */
    async function runPipeline(commands: string[], variables: Record<string, string>) {
      const directory = temporaryFolder();
      const options = ["--direction", "publish", "--yes"];
      expect(await command(["init", "orders", ...options], { directory })).toMatchObject({
        exitCode: 0,
      });
      const folder = join(directory, "orders");
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

      const cloud = await LocalCloud.start({ control: true });
      closing.push(() => cloud.stop());
      const environment = cloud.terraformEnvironment();
      const standIns = await startStandIns({ environment });
      closing.push(() => standIns.stop());
      const signIn = {
        servicePrincipalId: environment.ARM_CLIENT_ID,
        tenantId: environment.ARM_TENANT_ID,
        idToken: "the token of the service connection",
      };
      for (const line of commands) {
        await run("bash", ["-c", line], {
          cwd: folder,
          env: { ...process.env, ...environment, ...standIns.environment, ...signIn, ...variables },
        });
      }
      return cloud.topics.list();
    }

    // The packages are linked instead of installed.
    const isInstalled = (line: string | undefined) => line !== undefined && line !== "npm ci";

    it.each([
      ["pull_request", 0],
      ["push", 1],
    ])("has a GitHub workflow that for a %s creates %i topics", async (event, topics) => {
      const workflow = parse(blockIn(page, "yaml", "GitHub Actions"));
      expect(workflow.permissions).toEqual({ contents: "read", "id-token": "write" });
      const steps: GitHubStep[] = workflow.jobs.terraform.steps;
      const runs = (step: GitHubStep) =>
        step.if === undefined || step.if === `github.event_name == '${event}'`;
      const commands = steps.filter(runs).flatMap((step) => step.run ?? []);
      expect(commands).toContain("npm ci");
      expect(await runPipeline(commands.filter(isInstalled), {})).toHaveLength(topics);
    });

    it.each([
      ["refs/pull/1/merge", 0],
      ["refs/heads/main", 1],
    ])("has an Azure pipeline that for %s creates %i topics", async (BRANCH, topics) => {
      const { steps } = parse(blockIn(page, "yaml", "Azure Pipelines")) as { steps: AzureStep[] };
      const commands = steps.flatMap(({ script, inputs }) => script ?? inputs?.inlineScript ?? []);
      expect(await runPipeline(commands.filter(isInstalled), { BRANCH })).toHaveLength(topics);
    });
  },
  { timeout: 120_000 },
);
