import { providerSource } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";

/** The providers of the tests: the stand-ins, unless `TERRAFORM_PROVIDERS` names others. */
export const source = providerSource(process.env.TERRAFORM_PROVIDERS ?? "stand-ins");

/** Real providers wait for minutes between their requests. */
const timeout = source === "stand-ins" ? 180_000 : 1_800_000;

/** A `describe` whose tests run Terraform, see {@link describeWith}. */
export function describeWithTerraform(name: string, tests: () => void): void {
  describeWith("terraform", name, tests, { timeout });
}
