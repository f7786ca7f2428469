import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { shellCommandsIn } from "../docs/shell-commands.js";
import { snippetsIn } from "../docs/snippets.js";
import { startStandIns } from "../stand-ins/src/index.js";
import { describeWith, itWith } from "../support/describe-with.js";
import { DEBIAN_PYTHON } from "../support/programs.js";
import { root } from "../support/project.js";
import { Terminal } from "../support/terminal.js";
import { emptyProject, pack } from "./packed.js";

const page = "docs/quick-start.md";

const folders: Record<string, string> = {
  "cloud-eventgrid": "cli",
  "cloud-eventgrid-binding": ".",
  "cloud-eventgrid-binding-cdktn": "cdktn",
  "cloud-eventgrid-binding-runtime": "runtime",
  "cloud-eventgrid-local": "local",
};

/** A `package.json` with the packed packages in the place of the registry's. */
async function withPackedDependencies(text: string): Promise<string> {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(text);
  for (const name of Object.keys(manifest.dependencies)) {
    const folder = folders[name];
    if (folder) manifest.dependencies[name] = `file:${await pack(folder)}`;
  }
  return JSON.stringify(manifest);
}

/** The packed packages, instead of those that a command would take from the registry. */
async function withFiles(install: string): Promise<string> {
  const names = install.split(" ");
  const packed = names.map((name) => (folders[name] ? pack(folders[name]) : name));
  return (await Promise.all(packed)).join(" ");
}

/** A terminal in a folder, closed after the test. */
function terminalIn(folder: string, more: object = {}): Terminal {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", npm_config_yes: "true", ...more };
  const terminal = new Terminal(folder, env);
  onTestFinished(() => terminal.close());
  return terminal;
}

/** Stands in for the providers that Terraform would download, in the local Azure that runs in a folder. */
async function standInsIn(folder: string) {
  const { stdout } = await promisify(execFile)("npx", ["cloud-eventgrid-local", "env", "--json"], {
    cwd: folder,
  });
  const standIns = await startStandIns({ environment: JSON.parse(stdout) });
  onTestFinished(() => standIns.stop());
  return standIns;
}

/** The JSON files of the quick start: `cdktf.json` and `tsconfig.json`. */
function jsonFiles(): string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

describeWith("terraform", "the quick start, in an empty directory", () => {
  it("leads to the first delivery with at most seven commands", async () => {
    const blocks = shellCommandsIn(page);
    expect(blocks.flat().length).toBeLessThanOrEqual(7);
    const [
      [install = ""] = [],
      [local = ""] = [],
      deploy = [],
      [service = ""] = [],
      subscribe = [],
    ] = blocks;

    const { folder, write } = emptyProject();
    const first = terminalIn(folder);
    for (const { name, code } of snippetsIn(page)) write(`${name}.ts`, code);
    const [manifest = "", tsconfig = ""] = jsonFiles();
    write("package.json", await withPackedDependencies(manifest));
    write("tsconfig.json", tsconfig);
    await first.run(install);
    await first.run("npx tsc");
    first.start(local);
    await expect.poll(() => first.output).toContain("AZURE_CLIENT_SECRET");

    const standIns = await standInsIn(folder);

    const second = terminalIn(folder, standIns.environment);
    for (const command of deploy) await second.run(command);
    second.start(service);
    await expect.poll(() => second.output).toContain(`"msg":"listening"`);
    for (const command of subscribe) await second.run(command);

    await expect.poll(() => second.output).toContain("order placed");
    await expect.poll(() => first.output).toMatch(/shop\.order\.placed/);
  });

  itWith(
    "python3-jwt",
    "leads from HCL to a service in Python with at most seven commands",
    async () => {
      const hcl = "docs/quick-start-terraform.md";
      const [[pip = "", install = "", local = ""] = [], deploy = []] = shellCommandsIn(hcl);
      expect([pip, install, local, ...deploy].length).toBeLessThanOrEqual(7);
      const port = await freePort();
      const { folder, write } = emptyProject();
      const text = readFileSync(join(root, hcl), "utf8")
        .replaceAll("9000", String(port))
        .replaceAll("../cloud-eventgrid-binding", "./clone");
      // The path of the clone may have characters that are none in HCL.
      symlinkSync(root, join(folder, "clone"));
      const [, main = ""] = /^```hcl\n# main.tf\n([\s\S]*?)^```$/m.exec(text) ?? [];
      write("main.tf", main);
      // Debian's Python has what pip would download.
      expect(pip).toBe('python3 -m venv .venv && .venv/bin/pip install "pyjwt[crypto]"');

      const first = terminalIn(folder);
      await first.run(`${DEBIAN_PYTHON} -m venv --system-site-packages --without-pip .venv`);
      await first.run(await withFiles(install));
      first.start(local.replace("9000", String(port)));
      await expect.poll(() => first.output).toContain("AZURE_CLIENT_SECRET");
      const standIns = await standInsIn(folder);
      const second = terminalIn(folder, standIns.environment);
      for (const command of deploy) await second.run(command);
      await expect
        .poll(() => readFileSync(join(folder, "service.log"), "utf8"))
        .toMatch(/^shop\.order\.placed \S+ \{"orderId": "17"\}$/m);
      await expect.poll(() => first.output).toMatch(/shop\.order\.placed/);
      await second.run("terraform plan -detailed-exitcode");
      await second.run("terraform destroy -auto-approve");
      await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => "ended")).toBe("ended");
    },
  );
});

describeWith("python3", "the first event of the local Azure, in an empty directory", () => {
  it("is delivered to a server in Python with at most seven commands", async () => {
    const page = "docs/local-azure.md";
    const [[install = "", local = ""] = [], commands = []] = shellCommandsIn(page);
    expect([install, local, ...commands].length).toBeLessThanOrEqual(7);
    const port = await freePort();
    const { folder, write } = emptyProject();
    const [, webhook = ""] =
      /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
    write("webhook.py", webhook.replace("9000", String(port)));

    const first = terminalIn(folder);
    await first.run(await withFiles(install));
    first.start(local);
    await expect.poll(() => first.output).toContain("topic orders");
    const second = terminalIn(folder);
    for (const command of commands) await second.run(command.replace("9000", String(port)));
    expect(second.output).toMatch(/orders-webhook\s.*200/);
  });
});
