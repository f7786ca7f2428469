import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./project.js";

/**
 * Compiles a module as a project of its own, next to the packages of this repository.
 *
 * @param name of its folder in `.cache`
 * @returns what the compiler prints, nothing for a module without errors
 */
export async function compile(name: string, module: string, options: object): Promise<string> {
  const folder = join(root, ".cache", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compilerOptions = { composite: false, ...options };
  const project = { extends: "../../tsconfig.base.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "module.ts"), module);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout;
}
