import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

/** An empty project that packages are installed into, as a user's is. */
export interface EmptyProject {
  readonly folder: string;
  /** Installs packages: packed files, or names from the registry. */
  install(...packages: string[]): Promise<void>;
  /** Makes packages of ours available that a user would have anyway, without a download. */
  link(...packages: string[]): void;
  /** Writes a file and runs it with node; gives what it printed. */
  node(file: string, code: string): Promise<string>;
  /** Compiles a file with the TypeScript that cdktf's own template comes with; gives its complaints. */
  compile(file: string, code: string, options: Record<string, unknown>): Promise<string>;
}

/** Packs our package in `folder` as `npm publish` would; gives the packed file. */
export async function pack(folder: string): Promise<string> {
  const destination = temporaryFolder();
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", destination],
    { cwd: join(root, folder) },
  );
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (!packed) throw new Error(`npm packed nothing in ${folder}`);
  return join(destination, packed.filename);
}

/** @param manifest what its package.json has besides a name */
export function emptyProject(manifest: Record<string, unknown> = {}): EmptyProject {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, ...manifest }),
  );
  const write = (file: string, code: string) => writeFileSync(join(folder, file), code);

  return {
    folder,
    install: async (...packages) => {
      await run(
        "npm",
        [
          "install",
          "--prefer-offline",
          // Peers are named, or linked, by the tests; overrides are for peers, too.
          ...("overrides" in manifest ? [] : ["--legacy-peer-deps"]),
          "--no-audit",
          "--no-fund",
          ...packages,
        ],
        { cwd: folder },
      );
    },
    link: (...packages) => {
      for (const name of packages) {
        const target = join(folder, "node_modules", name);
        mkdirSync(dirname(target), { recursive: true });
        symlinkSync(join(root, "node_modules", name), target);
      }
    },
    node: async (file, code) => {
      write(file, code);
      return (await run(process.execPath, [file], { cwd: folder })).stdout.trim();
    },
    compile: async (file, code, options) => {
      write(file, code);
      write(
        "tsconfig.json",
        JSON.stringify({
          compilerOptions: { target: "es2022", strict: true, noEmit: true, types: [], ...options },
          files: [file],
        }),
      );
      const tsc = join(root, "node_modules/typescript-5/bin/tsc");
      const result = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).catch(
        (failure: { stdout: string }) => failure,
      );
      return result.stdout;
    },
  };
}
