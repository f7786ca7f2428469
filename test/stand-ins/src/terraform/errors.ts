import type { Diagnostic } from "./messages.js";

/** There is neither Terraform nor OpenTofu, or not the one that was chosen. */
export class TerraformMissingError extends Error {
  override readonly name = "TerraformMissingError";

  constructor(chosen = process.env.TERRAFORM_BINARY_NAME ?? "") {
    super(
      chosen === ""
        ? "There is no program named terraform or tofu on the PATH. Install Terraform 1.5 or later (https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install/)."
        : `TERRAFORM_BINARY_NAME is "${chosen}", and there is no such program on the PATH. Unset it, or install that program.`,
    );
  }
}

/** Terraform ended with an error. The message contains Terraform's own error messages. */
export class TerraformFailedError extends Error {
  override readonly name = "TerraformFailedError";

  constructor(
    /** The subcommand: `init`, `plan` … */
    readonly command: string,
    /** All diagnostics, including warnings. */
    readonly diagnostics: readonly Diagnostic[],
    output: string,
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(shown);
    super(`terraform ${command} failed\n\n${errors.join("\n\n") || output}`);
  }
}

/** Formats a diagnostic: summary, address and detail. */
function shown({ severity, summary, detail, address }: Diagnostic): string {
  const where = address === undefined ? "" : `\n  with ${address}`;
  return `${severity}: ${summary}${where}${detail === "" ? "" : `\n${detail}`}`;
}
