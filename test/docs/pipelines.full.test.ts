import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
import { blockIn, pageText } from "./recipes.js";

const run = promisify(execFile);
const page = pageText("environments");

interface GitHubStep {
  readonly run?: string;
  readonly if?: string;
}
interface AzureStep {
  readonly condition?: string;
  readonly script?: string;
  readonly env?: Variables;
  readonly inputs?: { readonly inlineScript?: string };
}
interface ContainerAppJson {
  readonly template: { readonly container: readonly { readonly image: string }[] };
}
type Variables = Readonly<Record<string, string>>;

const publisher = ["--direction", "publish"];
const containerApp = ["--direction", "both", "--host", "container-apps"];

describeWith(
  "terraform",
  "the pipelines of docs/environments.md",
  () => {
    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });

    /** Runs commands in a folder, against a local Azure. */
    async function runCommands(folder: string, commands: string[], variables: Variables) {
      const cloud = await LocalCloud.start({ control: true });
      closing.push(() => cloud.close());
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

    /** Runs the commands of a pipeline in a generated project, against a local Azure. */
    async function runPipeline(
      commands: string[],
      variables: Variables,
      options: readonly string[],
    ) {
      const directory = temporaryFolder();
      expect(
        await command(["init", "orders", "--yes", "--cdk", "cdktf", ...options], { directory }),
      ).toMatchObject({
        exitCode: 0,
      });
      const folder = join(directory, "orders");
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

      const topics = await runCommands(folder, commands, variables);
      const synthesized = readFileSync(join(folder, "cdktf.out/stacks/orders/cdk.tf.json"), "utf8");
      const { azurerm_container_app: apps = {} } = JSON.parse(synthesized).resource;
      const [app]: ContainerAppJson[] = Object.values(apps);
      const explained = ["events.txt", "cdktf.out/stacks/orders/events.txt"]
        .map((file) => join(folder, file))
        .find((file) => existsSync(file));
      return {
        topics,
        image: app?.template.container[0]?.image,
        explanation: explained && readFileSync(explained, "utf8"),
      };
    }

    // The packages are linked instead of installed.
    const isInstalled = (line: string | undefined) => line !== undefined && line !== "npm ci";

    it.each([
      ["pull_request", 0],
      ["push", 1],
    ])("has a GitHub workflow that for a %s creates %i topics", async (event, topics) => {
      const workflow = parse(blockIn(page, "yaml", "GitHub Actions"));
      expect(workflow.permissions).toEqual({
        contents: "read",
        "id-token": "write",
        "pull-requests": "write",
      });
      const { env, steps }: { env: Variables; steps: GitHubStep[] } = workflow.jobs.terraform;
      const runs = (step: GitHubStep) =>
        step.if === undefined || step.if === `github.event_name == '${event}'`;
      const commands = steps.filter(runs).flatMap((step) => step.run ?? []);
      expect(commands).toContain("npm ci");
      const {
        topics: created,
        image,
        explanation,
      } = await runPipeline(
        commands.filter(isInstalled),
        withValues(env, { "${{ github.sha }}": "3f2a" }),
        event === "push" ? publisher : containerApp,
      );
      expect(created).toHaveLength(topics);
      expect(explanation?.endsWith("No event is lost.\n")).toBe(
        event === "push" ? undefined : true,
      );
      expect(image).toBe(event === "push" ? undefined : "example.azurecr.io/orders:3f2a");
    });

    it.each([
      ["refs/pull/1/merge", 0],
      ["refs/heads/main", 1],
    ])("has an Azure pipeline that for %s creates %i topics", async (branch, topics) => {
      const { steps } = parse(blockIn(page, "yaml", "Azure Pipelines")) as { steps: AzureStep[] };
      // The step with a condition comments on the pull request.
      const own = steps.filter(({ condition }) => condition === undefined);
      const commands = own.flatMap(({ script, inputs }) => script ?? inputs?.inlineScript ?? []);
      const env = Object.assign({}, ...steps.map((step) => step.env ?? {}));
      const isMain = branch === "refs/heads/main";
      const {
        topics: created,
        image,
        explanation,
      } = await runPipeline(
        commands.filter(isInstalled),
        // Only the task knows the tenant.
        {
          ARM_TENANT_ID: "",
          ...withValues(env, {
            "$(Build.SourceBranch)": branch,
            "$(Build.SourceVersion)": "3f2a",
          }),
        },
        isMain ? publisher : containerApp,
      );
      expect(created).toHaveLength(topics);
      expect(explanation?.endsWith("No event is lost.\n")).toBe(isMain ? undefined : true);
      expect(image).toBe(isMain ? undefined : "example.azurecr.io/orders:3f2a");
    });

    it.each([
      ["pull_request", 0],
      ["push", 1],
    ])(
      "has commands for a repository of HCL that for a %s create %i topics",
      async (event, topics) => {
        const steps: GitHubStep[] = parse(blockIn(page, "yaml", "A repository of HCL"));
        const runs = ({ if: when }: GitHubStep) =>
          when === undefined || when === `github.event_name == '${event}'`;
        const [install, ...commands] = steps.filter(runs).flatMap((step) => step.run ?? []);
        expect(install).toMatch(/^npm install --no-save --prefix "[$]RUNNER_TEMP[/]eventgrid" /);
        const folder = temporaryFolder();
        mkdirSync(join(folder, "eventgrid"));
        symlinkSync(join(root, "node_modules"), join(folder, "eventgrid/node_modules"));
        cpSync(join(root, "terraform/modules/topic"), join(folder, "terraform/modules/topic"), {
          recursive: true,
        });
        writeFileSync(
          join(folder, "main.tf"),
          `provider "azurerm" {
  features {}
}
resource "azurerm_resource_group" "shared" {
  name     = "shared"
  location = "westeurope"
}
${blockIn(page, "hcl", "A repository of HCL")
  .replace(/ {2}subscription_id = .*\n/, "")
  .replace('"shared"\n  location', "azurerm_resource_group.shared.name\n  location")}`,
        );
        const subscription = { RUNNER_TEMP: folder };
        expect(await runCommands(folder, commands, subscription)).toHaveLength(topics);
        if (event === "pull_request") {
          expect(readFileSync(join(folder, "events.txt"), "utf8")).toContain("No event is lost.");
        }
      },
    );
  },
  { timeout: 300_000 },
);

/** The variables of a pipeline whose values it can know, without those of the test's own sign-in. */
function withValues(env: Variables, values: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => {
        const known = Object.entries(values).reduce(
          (text, [key, by]) => text.replace(key, by),
          value,
        );
        return [name, known] as const;
      })
      .filter(([, value]) => !value.includes("$")),
  );
}
