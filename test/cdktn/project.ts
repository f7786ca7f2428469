import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmptyProject, emptyProject, pack } from "../packages/packed.js";
import { root } from "../support/project.js";

/** The fields of a package.json that decide which packages are installed. */
export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: Record<string, unknown>;
}

/** The package.json of docs/cdktn.md. */
const [, json = ""] =
  /^```json\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "docs/cdktn.md"), "utf8")) ?? [];

/** The dependencies and overrides of docs/cdktn.md, with the packed packages. */
export async function dependenciesOnCdktn(): Promise<Manifest> {
  const { dependencies, overrides = {} }: Manifest = JSON.parse(json);
  const packed = {
    "cloud-eventgrid-binding-cdktn": `file:${await pack("cdktn")}`,
    "cloud-eventgrid-binding-runtime": `file:${await pack("runtime")}`,
  };
  return { dependencies: { ...dependencies, ...packed }, overrides };
}

/**
 * A project of cdktn with this repository's examples and with `test/cdktn/shapes.ts`, rewritten for
 * cdktn.
 */
export async function cdktnProjectWithExamples(): Promise<EmptyProject> {
  const project = emptyProject({ ...(await dependenciesOnCdktn()) });
  await project.install();
  const linked = ["@types/node", "cloud-eventgrid-local", "cloud-eventgrid-stand-ins", "tsx"];
  project.link(...linked, "yaml", "zod");
  for (const source of ["examples", "test/cdktn", "test/lib"]) {
    copyForCdktn(join(root, source), join(project.folder, source));
  }
  return project;
}

/** Copies TypeScript modules for cdktf and the files beside them, rewritten for cdktn. */
export function copyForCdktn(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const file = join(to, name);
    writeFileSync(file, forCdktn(readFileSync(file, "utf8")));
  }
}

/** A TypeScript module for cdktf, rewritten for cdktn as docs/cdktn.md describes it. */
export function forCdktn(code: string): string {
  return code
    .replaceAll('"cloud-eventgrid-binding"', '"cloud-eventgrid-binding-cdktn"')
    .replaceAll('"cdktf"', '"cdktn"')
    .replaceAll('"@cdktf/', '"@cdktn/');
}
