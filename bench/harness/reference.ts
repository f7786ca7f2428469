import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The packages of another commit, for `--against`: as a contender beside those of the working copy,
 * in the same rounds. Its servers and programs are also of that commit, because they use the API of its
 * packages. The load and the dependencies are those of the working copy.
 */
export class Reference {
  private constructor(
    /** The commit as the user named it. */
    readonly commit: string,
    readonly folder: string,
  ) {}

  /**
   * Checks a commit out into a temporary worktree and builds its packages.
   *
   * @throws when there is no such commit, or when it cannot be built
   */
  static checkOut(commit: string): Reference {
    const reference = new Reference(commit, mkdtempSync(join(tmpdir(), "cloud-eventgrid-bench-")));
    try {
      git("worktree", "add", "--quiet", "--detach", reference.folder, commit);
      reference.#linkDependencies();
      const compiler = join(project, "node_modules/.bin/tsc");
      const packages = ["runtime", "lib"].map((name) => join(reference.folder, name));
      execFileSync(compiler, ["-b", ...packages], { stdio: "inherit" });
    } catch (error) {
      reference.remove();
      throw error;
    }
    return reference;
  }

  /** The name of a contender that is ours, with the packages of this commit. */
  named(contender: string): string {
    return `${contender}, at ${this.commit}`;
  }

  /** The path of a server or program of the benchmark at this commit. */
  module(path: string): string {
    return join(this.folder, "bench", path);
  }

  /** Loads a module of this commit's packages. */
  load<Module>(name: string): Module {
    return createRequire(this.module("run.ts"))(name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    git("worktree", "prune");
  }

  /** Links each dependency. The workspaces' links are relative, so copies lead to this commit's. */
  #linkDependencies(): void {
    const target = join(this.folder, "node_modules");
    mkdirSync(target);
    for (const entry of readdirSync(join(project, "node_modules"), { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(project, "node_modules", entry.name);
      const linked = entry.isSymbolicLink() ? readlinkSync(path) : path;
      symlinkSync(linked, join(target, entry.name), "dir");
    }
  }
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
}
