import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { shellCommandsIn } from "../docs/shell-commands.js";
import { snippetsIn } from "../docs/snippets.js";
import { startStandIns } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { Terminal } from "../support/terminal.js";
import { emptyProject, pack } from "./packed.js";

const page = "docs/quick-start.md";

/** The JSON files of the quick start: `cdktf.json` and `tsconfig.json`. */
function jsonFiles(): string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

describeWith(
  "terraform",
  "the quick start, in an empty directory",
  () => {
    const closing: (() => void)[] = [];
    afterEach(() => {
      for (const close of closing.splice(0)) close();
    });

    it("leads to the first delivery with at most ten commands", async () => {
      const blocks = shellCommandsIn(page);
      expect(blocks.flat().length).toBeLessThanOrEqual(10);
      const [
        [install = ""] = [],
        [local = ""] = [],
        deploy = [],
        [signIn = "", service = ""] = [],
        subscribe = [],
      ] = blocks;

      const packed = {
        "cloud-eventgrid-binding": await pack("."),
        "cloud-eventgrid-binding-runtime": await pack("runtime"),
        "cloud-eventgrid-local": await pack("local"),
      };
      const { folder, write } = emptyProject();
      const env: NodeJS.ProcessEnv = {
        ...process.env,
        CHECKPOINT_DISABLE: "1",
        npm_config_yes: "true",
      };
      const terminal = (more: object = {}) => {
        const opened = new Terminal(folder, { ...env, ...more });
        closing.push(() => opened.close());
        return opened;
      };

      const first = terminal();
      await first.run(
        install.replace(
          /(?<= )cloud-eventgrid-\S+/g,
          (name) => packed[name as keyof typeof packed],
        ),
      );
      for (const { name, code } of snippetsIn(page)) write(`${name}.ts`, code);
      const [cdktf = "", tsconfig = ""] = jsonFiles();
      write("cdktf.json", cdktf);
      write("tsconfig.json", tsconfig);
      await first.run("npx tsc");
      first.start(local);
      await expect.poll(() => first.output, { timeout: 30_000 }).toContain("AZURE_CLIENT_SECRET");

      // Stand-ins take the place of the providers that Terraform would download.
      const { stdout } = await promisify(execFile)(
        "npx",
        ["cloud-eventgrid-local", "env", "--json"],
        {
          cwd: folder,
        },
      );
      const standIns = await startStandIns({ environment: JSON.parse(stdout) });
      closing.push(() => standIns.stop());

      // cdktf would ask the registry for the checksums of the providers.
      const withStandIns = (command: string) =>
        command.replace("--auto-approve", "--auto-approve --skip-provider-lock");
      const second = terminal(standIns.environment);
      for (const command of deploy) await second.run(withStandIns(command));
      await second.run(signIn);
      second.start(service);
      await expect.poll(() => second.output, { timeout: 30_000 }).toContain("Server listening");
      for (const command of subscribe) await second.run(withStandIns(command));

      await expect.poll(() => second.output, { timeout: 30_000 }).toContain("order placed");
      await expect.poll(() => first.output).toMatch(/shop\.order\.placed/);
    });
  },
  { timeout: 600_000 },
);
