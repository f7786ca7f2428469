import type { Environment } from "./cloud/account.js";
import type { Problem } from "./provider/problem.js";

/** What every plan and apply says, so that nobody takes a stand-in for the real thing. */
export function standInNotice(provider: string, environment: Environment): Problem {
  return {
    severity: "WARNING",
    summary: `This is a stand-in for ${provider}`,
    detail: `It serves that release's schema and acts on the local Azure at ${environment.ARM_METADATA_HOSTNAME}. Nothing real is created, changed or deleted; resource types that the local Azure does not know exist in memory only.`,
  };
}
