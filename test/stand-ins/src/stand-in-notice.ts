import type { Environment } from "./cloud/account.js";
import type { Problem } from "./provider/problem.js";

/** The warning in every plan and apply that a stand-in is not the real provider. */
export function standInNotice(provider: string, environment: Environment): Problem {
  return {
    severity: "WARNING",
    summary: `This is a stand-in for ${provider}`,
    detail: `It serves that release's schema and acts on the local Azure at ${environment.ARM_METADATA_HOSTNAME}. Nothing real is created, changed or deleted; resource types that the local Azure does not know exist in memory only.`,
  };
}
