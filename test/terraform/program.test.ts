import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command } from "../cli/command.js";
import { findTerraform, TerraformMissingError } from "../stand-ins/src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A PATH with some programs. */
function withPrograms(...names: string[]): { PATH: string } {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: folder };
}

describe("the program that deploys", () => {
  it("is the one that is there, and Terraform where both are, with a word about the choice", () => {
    const [tofu, both] = [withPrograms("tofu"), withPrograms("tofu", "terraform")];
    expect(findTerraform(tofu)).toEqual({ path: join(tofu.PATH, "tofu") });
    expect(findTerraform(both)).toEqual({
      path: join(both.PATH, "terraform"),
      note: "TERRAFORM_BINARY_NAME=tofu takes OpenTofu instead",
    });
    expect(findTerraform(withPrograms())).toBeUndefined();
  });

  it("is the one that TERRAFORM_BINARY_NAME names, by its name or path, and no other", () => {
    const both = withPrograms("tofu", "terraform");
    const tofu = join(both.PATH, "tofu");
    expect(findTerraform({ ...both, TERRAFORM_BINARY_NAME: "tofu" })).toEqual({ path: tofu });
    expect(findTerraform({ ...both, TERRAFORM_BINARY_NAME: tofu })).toEqual({ path: tofu });
    expect(findTerraform({ ...both, TERRAFORM_BINARY_NAME: "terragrunt" })).toBeUndefined();
    expect(new TerraformMissingError("terragrunt").message).toContain('is "terragrunt"');
  });

  it.each(["terraform", "tofu"])("is %s in a generated project, if it is there", async (name) => {
    const directory = temporaryFolder();
    await command(["init", "orders", "--yes"], { directory, env: withPrograms(name) });
    const file = (path: string) => readFileSync(join(directory, "orders", path), "utf8");
    const { scripts } = JSON.parse(file("package.json"));
    expect(scripts.destroy).toBe(`${name} -chdir=cdktf.out/stacks/orders destroy`);
    expect(file("README.md")).toContain(`${name} -chdir=cdktf.out/stacks/orders output`);
  });
});
