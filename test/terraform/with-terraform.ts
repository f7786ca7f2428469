import { providerSource } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";

/** The providers of the tests: the stand-ins, unless `TERRAFORM_PROVIDERS` names others. */
export const source = providerSource(process.env.TERRAFORM_PROVIDERS ?? "stand-ins");

/** Real providers wait for minutes between their requests. */
const timeout = source === "stand-ins" ? 600_000 : 1_800_000;

/** A `describe` whose tests run Terraform, see {@link describeWith}. */
export function describeWithTerraform(name: string, tests: () => void): void {
  describeWith("terraform", name, tests, { timeout });
}

/** A `describe` whose tests run Terraform and a Redis. */
export function describeWithTerraformAndRedis(name: string, tests: () => void): void {
  describeWithTerraform(name, () =>
    describeWith("redis-server", "with a Redis", tests, { timeout }),
  );
}

/** The public origin of a container app in West Europe whose environment has the same name. */
export function containerAppOrigin(name: string): string {
  const domain = source === "stand-ins" ? "stand-in.invalid" : "westeurope.azurecontainerapps.io";
  return `https://${name}.${name}.${domain}`;
}
