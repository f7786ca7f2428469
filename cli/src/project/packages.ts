import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { withoutStart } from "cloud-eventgrid-binding-runtime/internal";
import { createDirectory, decodeText, packageVersion } from "../files.js";
import { CommandError } from "../terminal/index.js";
import type { Files } from "./templates.js";

/** The packages that contain this command. */
const COMMANDS = ["cloud-eventgrid", "create-cloud-eventgrid"];

/** Where a new project gets this project's packages, and what its user must know about them. */
export interface PackageSource {
  /** The folder with packed packages; `undefined` for npm's registry. */
  readonly folder: string | undefined;
  readonly notes: readonly string[];
}

/**
 * Where this command was installed from, so that a project that it writes installs from there, too:
 * packed packages, with npm, npx, pnpm or Yarn, or npm's registry.
 *
 * @param folder the option `--packages`
 * @param command a folder of the installed command
 */
export function packageSource(folder: string | undefined, command = __dirname): PackageSource {
  if (folder !== undefined) return { folder, notes: [] };
  for (let parent = dirname(command); parent !== dirname(parent); parent = dirname(parent)) {
    const { dependencies, devDependencies } = manifestOf(parent, "package.json");
    const specifiers = { ...dependencies, ...devDependencies, ...installedByNpm(parent) };
    for (const name of COMMANDS) {
      const file = withoutStart(String(specifiers[name]), "file:");
      if (file.endsWith(".tgz")) return { folder: dirname(resolve(parent, file)), notes: [] };
      if (specifiers[name] === WORKSPACE) return { folder: undefined, notes: [IN_A_CLONE] };
      if (name in specifiers) return { folder: undefined, notes: [] };
    }
  }
  return { folder: undefined, notes: [] };
}

const IN_A_CLONE =
  "npm will ask its registry for this release's packages. To use those of your clone, run npm run pack in it, and add --packages with the folder.";

const WORKSPACE = "workspace:";

/** Returns the packages that npm has installed in a folder: also globally, without a `package.json`. */
function installedByNpm(folder: string): Record<string, string> {
  const { packages = {} } = manifestOf(folder, "node_modules/.package-lock.json");
  return Object.fromEntries(
    COMMANDS.flatMap((name) => {
      const { resolved, link } = packages[`node_modules/${name}`] ?? {};
      return resolved === undefined ? [] : [[name, link ? WORKSPACE : resolved]];
    }),
  );
}

function manifestOf(folder: string, file: string): Manifest {
  try {
    return JSON.parse(decodeText(readFileSync(join(folder, file))));
  } catch {
    return {};
  }
}

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
        if (!isOwn(name)) return [name, range];
        const file = `${name}-${packageVersion()}.tgz`;
        packed.add(join(folder, file));
        return [name, `file:packages/${file}`];
      }),
    );
  const dependencies = fromFiles(manifest.dependencies);
  const devDependencies = fromFiles(manifest.devDependencies);
  // The packages depend on each other by version, which pnpm and Yarn look up in the registry.
  const files = Object.fromEntries(
    Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => isOwn(name)),
  );
  const own = { dependencies, devDependencies, resolutions: files };
  const text = JSON.stringify({ ...manifest, ...own }, null, 2);
  const lines = Object.entries(files).map(([name, file]) => `  ${name}: "${file}"\n`);
  const missing = [...packed].filter((file) => !existsSync(file));
  if (missing.length > 0) {
    throw new CommandError(
      `${folder} does not contain ${missing.map((file) => basename(file)).join(", ")}: npm run pack writes them`,
    );
  }
  return {
    files: {
      ...project,
      "package.json": `${text}\n`,
      [PNPM_SETTINGS]: `${project[PNPM_SETTINGS] ?? ""}overrides:\n${lines.join("")}`,
    },
    /** Copies the packages into the project's folder, where its image is built. */
    copyTo: (target: string) => {
      createDirectory(join(target, "packages"));
      for (const file of packed) copyFileSync(file, join(target, "packages", basename(file)));
    },
  };
}

const PNPM_SETTINGS = "pnpm-workspace.yaml";

const isOwn = (name: string) => name === "cloud-eventgrid" || name.startsWith("cloud-eventgrid-");

/** A `package.json`, or a lock file of npm. */
interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly packages?: Record<string, { readonly resolved?: string; readonly link?: boolean }>;
}
