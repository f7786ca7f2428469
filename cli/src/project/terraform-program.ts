import { accessSync, constants } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that deploys. */
export interface TerraformProgram {
  readonly path: string;
  /** Why it was chosen, where there was a choice. */
  readonly note?: string;
}

/** The variable with which cdktf and cdktn name the program, such as `tofu`. */
const CHOICE = "TERRAFORM_BINARY_NAME";

/**
 * Terraform or OpenTofu: the one that `TERRAFORM_BINARY_NAME` names, a name or a path, otherwise the one on
 * the PATH, and Terraform where both are. `undefined` if there is none.
 */
export function findTerraform(env: Environment = process.env): TerraformProgram | undefined {
  const chosen = env[CHOICE];
  if (chosen) {
    const path = find(chosen, env);
    return path === undefined ? undefined : { path };
  }
  const [terraform, tofu] = [find("terraform", env), find("tofu", env)];
  const path = terraform ?? tofu;
  if (path === undefined) return undefined;
  const isAmbiguous = terraform !== undefined && tofu !== undefined;
  return { path, ...(isAmbiguous && { note: `${CHOICE}=tofu takes OpenTofu instead` }) };
}

/** Its name in commands of a generated project; "terraform" where neither is installed yet. */
export function terraformCommand(env: Environment): string {
  return basename(env[CHOICE] || (findTerraform(env)?.path ?? "terraform"), ".exe");
}

function find(name: string, { PATH = "" }: Environment): string | undefined {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return PATH.split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
