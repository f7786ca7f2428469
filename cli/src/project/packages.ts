import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { packageVersion } from "../files.js";
import { CommandError } from "../terminal/index.js";
import type { Files } from "./templates.js";
import type { Cdk } from "./values.js";

/** Whether npm's registry has a package. */
export type IsPublished = (name: string) => Promise<boolean>;

const AZUREAD = "@cdktn/provider-azuread";

/**
 * Whether a project for a cdk has to do without `@cdktn/provider-azuread`. Some registries do not
 * have it, and npm then reports a conflict of versions instead.
 */
export async function isAzureadMissing(
  cdk: Cdk,
  isPublished: IsPublished = isPublishedOnNpm,
): Promise<boolean> {
  return cdk === "cdktn" && !(await isPublished(AZUREAD));
}

/** What a command prints then. */
export const withoutAzuread = `npm has no ${AZUREAD}, so the project uses that of cdktf in its place.`;

/** Asks npm. If npm cannot answer, for example offline, the package counts as published. */
const isPublishedOnNpm: IsPublished = (name) =>
  new Promise((resolve) => {
    const shell = process.platform === "win32"; // there, npm is a batch file
    execFile("npm", ["view", name, "version"], { shell }, (error, _, stderr) => {
      resolve(error === null || !stderr.includes("E404"));
    });
  });

/**
 * Makes a project install the packages that `npm run pack` wrote, in place of the registry's.
 *
 * @param folder the folder with the packed packages
 * @throws {CommandError} with the packages that the folder does not contain
 */
export function withPackedPackages(project: Files, folder: string) {
  const manifest: Manifest = JSON.parse(project["package.json"] ?? "{}");
  const packed = new Set<string>();
  const fromFiles = (dependencies: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => {
        if (!/^cloud-eventgrid(-|$)/.test(name)) return [name, range];
        const file = `${name}-${packageVersion()}.tgz`;
        packed.add(join(folder, file));
        return [name, `file:packages/${file}`];
      }),
    );
  const text = JSON.stringify(
    {
      ...manifest,
      dependencies: fromFiles(manifest.dependencies),
      devDependencies: fromFiles(manifest.devDependencies),
    },
    null,
    2,
  );
  const missing = [...packed].filter((file) => !existsSync(file));
  if (missing.length > 0) {
    throw new CommandError(
      `${folder} does not contain ${missing.map((file) => basename(file)).join(", ")}: npm run pack writes them`,
    );
  }
  return {
    files: { ...project, "package.json": `${text}\n` },
    /** Copies the packages into the project's folder, where its image is built. */
    copyTo: (target: string) => {
      mkdirSync(join(target, "packages"), { recursive: true });
      for (const file of packed) copyFileSync(file, join(target, "packages", basename(file)));
    },
  };
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}
