import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that some tests run, and where to get them. */
const programs = {
  bash: "https://www.gnu.org/software/bash/",
  terraform: "https://developer.hashicorp.com/terraform/install",
  python3: "https://www.python.org/downloads/",
  curl: "https://curl.se/download.html",
  "redis-server": "https://redis.io/docs/latest/operate/oss_and_stack/install/",
  postgres: "https://www.postgresql.org/download/",
  prlimit: "https://github.com/util-linux/util-linux",
  mkfifo: "https://www.gnu.org/software/coreutils/",
};
export type Program = keyof typeof programs;

export function isOnPath(program: Program): boolean {
  return find(program) !== undefined;
}

/** Where a program is. */
export function pathOf(program: string): string {
  return find(program) ?? program;
}

function find(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...postgresFolders()];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** Where Debian's packages put the programs of PostgreSQL's server. */
function postgresFolders(): string[] {
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return [];
  return readdirSync(versions).map((version) => join(versions, version, "bin"));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Vitest calls this after all tests. */
export function teardown(): void {
  for (const [program, url] of Object.entries(programs) as [Program, string][]) {
    if (isOnPath(program)) continue;
    console.log(`Skipped all tests that need ${program}, which is not on the PATH: ${url}`);
  }
}
