import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { TerraformMissingError } from "./errors.js";

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
export function findTerraform(env: NodeJS.ProcessEnv = process.env): TerraformProgram | undefined {
  const chosen = env[CHOICE] ?? "";
  if (chosen !== "") {
    const path = find(chosen, env);
    return path === undefined ? undefined : { path };
  }
  const [terraform, tofu] = [find("terraform", env), find("tofu", env)];
  const path = terraform ?? tofu;
  if (path === undefined) return undefined;
  const isAmbiguous = terraform !== undefined && tofu !== undefined;
  return { path, ...(isAmbiguous && { note: `${CHOICE}=tofu takes OpenTofu instead` }) };
}

/** @throws TerraformMissingError when there is neither Terraform nor OpenTofu */
export function requireTerraform(): string {
  const program = findTerraform();
  if (program === undefined) throw new TerraformMissingError(process.env[CHOICE]);
  return program.path;
}

function find(name: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
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
