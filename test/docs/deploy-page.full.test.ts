import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { DeployedProject } from "../cli/deployed-project.js";
import { emptyProject, pack } from "../packages/packed.js";
import { packedPackages } from "../packages/packed-once.js";
import { prepareProviders, requireTerraform } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { Terminal } from "../support/terminal.js";
import { containerAppOrigin, source } from "../terraform/with-terraform.js";
import { shellCommandsIn } from "./shell-commands.js";

const run = promisify(execFile);

/** A command of docs/deploy.md that needs Azure or a person. Runs another one in its place. */
interface Replacement {
  readonly command: RegExp;
  readonly reason: string;
  readonly by: string;
}

function replacements(create: string, packages: string, port: number): readonly Replacement[] {
  return [
    {
      command: /^az login$/,
      reason: "opens a browser",
      by: 'az login --service-principal -u "$AZURE_CLIENT_ID" -p "$AZURE_CLIENT_SECRET" --tenant "$AZURE_TENANT_ID"',
    },
    {
      command: /^npm create cloud-eventgrid@latest orders --(?= )/,
      reason: "the packages are not published",
      by: `${create} orders --packages ${packages} --port ${port}`,
    },
    {
      command: /^docker build .*/,
      reason: "needs a registry; the tests of generated projects build the image",
      by: "true",
    },
    {
      command: /^az role assignment create[\s\S]*/,
      reason: "fails in Debian's az; the test assigns the role",
      by: "true",
    },
    {
      command: /^npm run (deploy|destroy)$/,
      reason: "asks whether to continue",
      by: "$& -- -auto-approve",
    },
  ];
}

describeWith(
  "terraform",
  "the commands of docs/deploy.md",
  () => {
    it("deploy a project, publish an event that it receives, and destroy it", async () => {
      const packages = await packedPackages();
      const { folder, install } = emptyProject();
      await install(await pack("runtime"), await pack("cli"), await pack("create"));
      const create = join(folder, "node_modules/.bin/create-cloud-eventgrid");
      const port = await freePort();
      const replaced = replacements(create, packages, port);

      const project = await DeployedProject.start(join(folder, "orders"));
      onTestFinished(() => project.stop());
      const { cloud } = project;
      const providers = await prepareProviders(source, cloud.terraformEnvironment());
      onTestFinished(() => providers.stop());
      const env = { ...process.env, CHECKPOINT_DISABLE: "1", npm_config_yes: "true" };
      const terminal = (variables: NodeJS.ProcessEnv) => {
        const opened = new Terminal(folder, { ...env, ...variables });
        onTestFinished(() => opened.close());
        return opened;
      };
      const deploying = { ...providers.environment, CLOUD_AUTHORITY_HOST: cloud.authorityHost };
      const cdktf = terminal(deploying);
      // az and curl reach Azure's public names through the proxy of the local Azure.
      const proxied = cloud.proxyEnvironment();
      const azure = terminal({
        ...proxied,
        AZURE_CONFIG_DIR: temporaryFolder(),
        CURL_CA_BUNDLE: proxied.SSL_CERT_FILE,
      });

      /** Starts the service, as the container app would, before the page creates its subscription. */
      const serve = async (deploy: string) => {
        await cdktf.run(`SUBSCRIBED=no ${deploy}`);
        const args = ["-chdir=orders/cdktf.out/stacks/orders", "output", "-json"];
        const { stdout } = await run(requireTerraform(), args, {
          cwd: folder,
          env: { ...env, ...deploying },
        });
        const outputs: Record<string, { value: unknown }> = JSON.parse(stdout);
        await project.serve({ dotenv: outputs.dotenv?.value }, port);
        cloud.ingress.route(containerAppOrigin("orders"), `http://127.0.0.1:${port}`);
      };

      const used = new Set<Replacement>();
      for (const command of shellCommandsIn("docs/deploy.md").flat()) {
        const replacement = replaced.find((one) => one.command.test(command));
        if (replacement) used.add(replacement);
        const local = replacement ? command.replace(replacement.command, replacement.by) : command;
        if (local.startsWith("npm run deploy")) {
          await cdktf.run("npm run build");
          await serve(local);
        }
        if (command.startsWith("az role assignment create")) {
          const { ARM_CLIENT_ID = "" } = cloud.terraformEnvironment();
          const deployer = cloud.directory
            .tenant(cloud.tenantId)
            ?.servicePrincipals.byClientId(ARM_CLIENT_ID);
          const [topic] = cloud.topics.list();
          const [objectId, scope] = [deployer?.objectId ?? "", topic?.id ?? ""];
          cloud.control.assignRole("EventGrid Data Sender", objectId, scope);
        }
        await (/\baz |^curl /.test(command) ? azure : cdktf).run(local);
        if (command.startsWith("curl")) {
          await cloud.drain();
          expect(cloud.deliveries()).toMatchObject([{ outcome: "delivered" }]);
          await expect.poll(() => project.log).toContain("event received");
        }
      }
      expect(used).toEqual(new Set(replaced));
      expect([...cloud.topics.list(), ...cloud.eventSubscriptions.list()]).toEqual([]);
    });
  },
  { timeout: source === "stand-ins" ? 600_000 : 1_800_000 },
);
