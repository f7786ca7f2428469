import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { packedPackages } from "./packed-once.js";

const run = promisify(execFile);

/** The folders of the packages that are published. */
export const publishedFolders = [".", "cdktn", ...manifest(".").workspaces].filter(
  (folder) => manifest(folder).private !== true,
);

/** The package.json in a folder of this repository. */
export function manifest(folder: string) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** An empty project that packages are installed into, like that of a user. */
export interface EmptyProject {
  readonly folder: string;
  /** Installs packed files, or packages from the registry. Returns the output of npm. */
  install(...packages: string[]): Promise<string>;
  /** Links packages of this repository, which saves a download. */
  link(...packages: string[]): void;
  /** Writes a file, with its folders. */
  write(file: string, text: string): void;
  /**
   * Writes a file and runs it with Node.
   *
   * @param node the program, for another version of Node
   * @returns what it printed
   */
  node(file: string, code: string, node?: string): Promise<string>;
  /**
   * Writes a file and compiles it.
   *
   * @param compiler folder of the TypeScript package
   * @returns the errors that the compiler printed
   */
  compile(
    file: string,
    code: string,
    options: Record<string, unknown>,
    compiler?: string,
  ): Promise<string>;
}

/** The path of the packed package of a folder of this repository. */
export async function pack(folder: string): Promise<string> {
  const { name, version } = manifest(folder);
  return join(await packedPackages(), `${name}-${version}.tgz`);
}

/** @param manifest the content of its package.json besides the name */
export function emptyProject(manifest: Record<string, unknown> = {}): EmptyProject {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write("package.json", JSON.stringify({ name: "empty", private: true, ...manifest }));

  return {
    folder,
    write,
    install: async (...packages) => {
      // Tests that link peer dependencies must keep npm from installing them.
      const peers = "overrides" in manifest ? [] : ["--legacy-peer-deps"];
      const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...peers];
      const { stdout, stderr } = await run("npm", [...args, ...packages], { cwd: folder });
      return stdout + stderr;
    },
    link: (...packages) => {
      for (const name of packages) {
        const target = join(folder, "node_modules", name);
        mkdirSync(dirname(target), { recursive: true });
        symlinkSync(join(root, "node_modules", name), target);
      }
    },
    node: async (file, code, node = process.execPath) => {
      write(file, code);
      return (await run(node, [file], { cwd: folder })).stdout.trim();
    },
    compile: async (file, code, options, compiler = join(root, "node_modules/typescript-5")) => {
      write(file, code);
      const compilerOptions = { target: "es2022", strict: true, noEmit: true, types: [] };
      write(
        "tsconfig.json",
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: [file] }),
      );
      const args = [join(compiler, "bin/tsc"), "-p", "."];
      const result = await run(process.execPath, args, { cwd: folder }).catch(
        (failure: { stdout: string }) => failure,
      );
      return result.stdout;
    },
  };
}
