import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { TerraformMissingError } from "./errors.js";

/** The path of the Terraform program; `undefined` if it is not on the PATH. */
export function findTerraform(path = process.env.PATH ?? ""): string | undefined {
  const names = process.platform === "win32" ? ["terraform.exe"] : ["terraform"];
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

/** @throws TerraformMissingError when Terraform is not on the PATH. */
export function requireTerraform(): string {
  const program = findTerraform();
  if (program === undefined) throw new TerraformMissingError();
  return program;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
