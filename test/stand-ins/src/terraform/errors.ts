import type { Diagnostic } from "./messages.js";

/** Root of what the runner of Terraform throws. */
export abstract class TerraformError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There is no Terraform program to run. */
export class TerraformMissingError extends TerraformError {
  readonly code = "ERR_TERRAFORM_MISSING";

  constructor() {
    super(
      "There is no program named terraform on the PATH. Install Terraform 1.5 or later (https://developer.hashicorp.com/terraform/install), or put it on the PATH.",
    );
  }
}

/** Terraform ended with an error. The message holds what it told its user. */
export class TerraformFailedError extends TerraformError {
  readonly code = "ERR_TERRAFORM_FAILED";

  constructor(
    /** The subcommand: `init`, `plan` … */
    readonly command: string,
    /** Everything that it complained of, warnings too. */
    readonly diagnostics: readonly Diagnostic[],
    output: string,
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(shown);
    super(`terraform ${command} failed\n\n${errors.join("\n\n") || output}`);
  }
}

/** A diagnostic as a person reads it: what is wrong, where, and the details. */
function shown({ severity, summary, detail, address }: Diagnostic): string {
  const where = address === undefined ? "" : `\n  with ${address}`;
  return `${severity}: ${summary}${where}${detail === "" ? "" : `\n${detail}`}`;
}
