import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that some tests run, and where to get them. */
const programs = {
  bash: "https://www.gnu.org/software/bash/",
  zsh: "https://www.zsh.org/",
  fish: "https://fishshell.com/",
  terraform: "https://developer.hashicorp.com/terraform/install",
  curl: "https://curl.se/download.html",
  "redis-server": "https://redis.io/docs/latest/operate/oss_and_stack/install/",
};
export type Program = keyof typeof programs;

export function isOnPath(program: Program): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
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
