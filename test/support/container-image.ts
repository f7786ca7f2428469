import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-folder.js";

const run = promisify(execFile);

/** What a Dockerfile builds. */
export interface ContainerImage {
  /** Takes the place of `/app`. */
  readonly folder: string;
  readonly user: string | undefined;
  readonly command: readonly string[];
}

/** Carries out the steps of a Dockerfile, with a folder in the place of `/app` in each stage. */
export async function buildImage(dockerfile: string, context: string): Promise<ContainerImage> {
  const stages = new Map<string, string>();
  let folder = "";
  let user: string | undefined;
  let command: string[] = [];
  for (const line of dockerfile.trim().split("\n").filter(Boolean)) {
    const [step = "", ...words] = line.split(" ");
    if (step === "FROM") {
      folder = temporaryFolder();
      stages.set(words[2] ?? "", folder);
    } else if (step === "COPY") {
      const from = words[0]?.startsWith("--from=") ? words.shift()?.slice(7) : undefined;
      const source = from === undefined ? context : (stages.get(from) ?? "");
      const target = join(folder, words.pop() ?? "");
      for (const path of words.map((word) => word.replace("/app/", ""))) {
        const isFolder = statSync(join(source, path)).isDirectory();
        const copy = isFolder ? target : join(target, basename(path));
        mkdirSync(target, { recursive: true });
        cpSync(join(source, path), copy, { recursive: true });
      }
    } else if (step === "RUN") {
      await run(words.join(" "), { cwd: folder, shell: true });
    } else if (step === "USER") {
      [user] = words;
    } else if (step === "CMD") {
      command = JSON.parse(words.join(" "));
    }
  }
  return { folder, user, command };
}

/** Makes every file system read-only for a program, and nothing else. */
const READ_ONLY = ["--mount", "sh", "-c", 'mount -o remount,bind,ro / && exec "$@"', "sh"];

/**
 * A command in a read-only file system, as with `readOnlyRootFilesystem`; as it is where the system
 * does not allow that.
 */
export function inReadOnlyFileSystem(command: readonly string[]): readonly string[] {
  const [program, ...args] = ["unshare", ...READ_ONLY, "true"];
  try {
    execFileSync(program, args, { stdio: "ignore" });
  } catch {
    return command;
  }
  return ["unshare", ...READ_ONLY, ...command];
}
