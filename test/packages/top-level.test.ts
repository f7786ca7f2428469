import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface CdktfConfiguration {
  readonly app: string;
}

interface LockFile {
  readonly packages: Record<string, { readonly optionalDependencies?: Record<string, string> }>;
}

describe("the top level of the repository", () => {
  it("synthesizes the orders example with the app of cdktf.json in a path with spaces and quotes", () => {
    const folder = join(temporaryFolder(), `Zoë's "new" clone`);
    mkdirSync(folder);
    for (const entry of ["cdktf.json", "package.json", "tsconfig.json", "tsconfig.base.json"]) {
      cpSync(join(root, entry), join(folder, entry));
    }
    cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
    cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");

    const { app }: CdktfConfiguration = JSON.parse(
      readFileSync(join(folder, "cdktf.json"), "utf8"),
    );
    execFileSync(app, { cwd: folder, shell: true, stdio: "pipe" });

    const stack = readFileSync(join(folder, "cdktf.out/stacks/orders/cdk.tf.json"), "utf8");
    expect(JSON.parse(stack).resource).toHaveProperty("azurerm_eventgrid_event_subscription");
  });

  it("locks every optional package of the tools that have one for each platform", () => {
    const { packages }: LockFile = JSON.parse(
      readFileSync(join(root, "package-lock.json"), "utf8"),
    );
    const missing = Object.entries(packages)
      .filter(([path]) => /node_modules\/(@biomejs\/biome|oxc-parser|esbuild|rollup)$/.test(path))
      .flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
      .filter((name) => !(`node_modules/${name}` in packages));
    expect(missing).toEqual([]);
  });
});
