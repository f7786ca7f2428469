import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that some tests run, and where to get them. */
export const programs = {
  az: "https://learn.microsoft.com/cli/azure/install-azure-cli",
  bash: "https://www.gnu.org/software/bash/",
  chromium: "https://www.chromium.org/getting-involved/download-chromium/",
  curl: "https://curl.se/download.html",
  go: "https://go.dev/doc/install",
  java: "https://adoptium.net/",
  mkfifo: "https://www.gnu.org/software/coreutils/",
  postgres: "https://www.postgresql.org/download/",
  pgbouncer: "https://www.pgbouncer.org/install.html",
  prlimit: "https://github.com/util-linux/util-linux",
  python3: "https://www.python.org/downloads/",
  "python3-azure": "Debian's package azure-cli",
  "python3-jwt": "Debian's package python3-jwt",
  "redis-server": "https://redis.io/docs/latest/operate/oss_and_stack/install/",
  terraform: "https://developer.hashicorp.com/terraform/install",
};
export type Program = keyof typeof programs;

export const DEBIAN_PYTHON = "/usr/bin/python3";

/** Programs that are packages of Debian's Python: the modules that tests import. */
const MODULES: Partial<Record<Program, string>> = {
  "python3-azure": "azure.identity, azure.eventgrid",
  "python3-jwt": "jwt, cryptography",
};

/** Programs that have other names on other systems. */
const OTHER_NAMES: Partial<Record<Program, readonly string[]>> = {
  chromium: ["chromium-browser", "google-chrome"],
  terraform: ["tofu"],
};

/** Whether the tests that need a program can run. */
export function hasProgram(program: Program): boolean {
  return find(program) !== undefined;
}

/** Where a program is. */
export function pathOf(program: string): string {
  return find(program) ?? program;
}

/** Whether the variable `SKIP` lists a program, so that the tests that need it are skipped. */
export function isLeftOut(program: string): boolean {
  return process.env.SKIP?.split(",").includes(program) ?? false;
}

function find(program: string): string | undefined {
  if (isLeftOut(program)) return undefined;
  const modules = MODULES[program as Program];
  if (modules !== undefined) return canImport(modules) ? DEBIAN_PYTHON : undefined;
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...debianFolders()];
  const names = [program, ...(OTHER_NAMES[program as Program] ?? [])];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => isExecutable(file));
}

/** Where Debian's packages put programs of servers. */
function debianFolders(): string[] {
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return [];
  return ["/usr/sbin", ...readdirSync(versions).map((version) => join(versions, version, "bin"))];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether Debian's Python has modules. */
function canImport(modules: string): boolean {
  try {
    execFileSync(DEBIAN_PYTHON, ["-c", `import ${modules}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
