import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

export const managerNames = ["npm", "pnpm", "Yarn"] as const;

/**
 * Replaces the newest version of a package that projects install through Vitest. Yarn, and `npm ci`, end
 * when a registry lacks an optional package that a release of the day names.
 */
export const testedVersions: Readonly<Record<string, string>> = { vite: versionOf("vite") };

function versionOf(name: string): string {
  const file = join(root, "node_modules", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}

/** A package manager of users, in its default configuration. */
export interface PackageManager {
  /** @throws with the output when it fails */
  run(folder: string, args: readonly string[], variables?: NodeJS.ProcessEnv): Promise<string>;
  /** The arguments that run a package of the registry, as `npx` does. */
  readonly once: readonly string[];
  /** The arguments that run `create-cloud-eventgrid` of the registry, before its own. */
  readonly create: readonly string[];
  /** Makes a folder a project of its own. */
  prepare(folder: string): void;
}

/** Installs pnpm and Yarn. */
export async function packageManagers(): Promise<
  Readonly<Record<(typeof managerNames)[number] | "pnpm 10", PackageManager>>
> {
  const tools = temporaryFolder();
  const packages = ["pnpm@latest", "pnpm-10@npm:pnpm@10", "@yarnpkg/cli-dist@4"];
  await run("npm", ["install", "--prefix", tools, "--no-audit", "--no-fund", ...packages]);
  const running =
    (program: string, ...prefix: string[]): PackageManager["run"] =>
    async (cwd, args, variables = {}) => {
      const options = { cwd, env: { ...process.env, ...variables }, maxBuffer: 2 ** 26 };
      const { stdout, stderr } = await run(program, [...prefix, ...args], options).catch(
        (error: { stdout: string; stderr: string }) => {
          throw new Error(`${program} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
        },
      );
      return stdout + stderr;
    };
  const bin = (path: string) => join(tools, "node_modules", path);
  const pnpm = (path: string): PackageManager => ({
    run: running(process.execPath, bin(path)),
    once: ["dlx"],
    create: ["create", "cloud-eventgrid@latest"],
    prepare: () => {},
  });
  return {
    npm: {
      run: running("npm"),
      once: ["exec", "--yes", "--"],
      create: ["create", "--yes", "cloud-eventgrid@latest", "--"],
      prepare: () => {},
    },
    pnpm: pnpm("pnpm/bin/pnpm.mjs"),
    "pnpm 10": pnpm("pnpm-10/bin/pnpm.cjs"),
    Yarn: {
      run: running(process.execPath, bin("@yarnpkg/cli-dist/bin/yarn.js")),
      once: ["dlx"],
      create: ["create", "cloud-eventgrid"],
      // Without a lock file, Yarn takes the folder for a part of another project.
      prepare: (folder) => {
        writeFileSync(join(folder, "yarn.lock"), "");
        writeFileSync(join(folder, ".yarnrc.yml"), "enableImmutableInstalls: false\n");
        const file = join(folder, "package.json");
        const manifest = JSON.parse(readFileSync(file, "utf8"));
        const resolutions = { ...manifest.resolutions, ...testedVersions };
        writeFileSync(file, JSON.stringify({ ...manifest, resolutions }));
      },
    },
  };
}
