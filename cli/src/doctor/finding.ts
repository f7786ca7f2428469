import type { Answer } from "./azure.js";

/**
 * - `ok`: as it should be
 * - `warning`: does not prevent delivery, but is worth a look
 * - `failed`: prevents delivery
 * - `unknown`: could not be inspected
 */
export type Status = "ok" | "warning" | "failed" | "unknown";

/** The result of one check. */
export interface Finding {
  /** Name of the check; stable across releases. */
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Builds the findings of one check. */
export function findings(check: string) {
  const problem =
    (status: "warning" | "failed" | "unknown") =>
    (message: string, remedy: string): Finding => ({ check, status, message, remedy });
  return {
    ok: (message: string): Finding => ({ check, status: "ok", message }),
    warning: problem("warning"),
    failed: problem("failed"),
    unknown: problem("unknown"),
    /** The response does not allow a judgement. */
    unreadable: (what: string, { status, code }: Answer): Finding => ({
      check,
      status: "unknown",
      message: `${what} cannot be read: ${status}${code === undefined ? "" : ` ${code}`}`,
      remedy:
        status === 401 || status === 403
          ? "sign in with an identity that has the role Reader at the scope and Application.Read.All in Graph"
          : "try again; if it persists, inspect it in the Azure portal",
    }),
  };
}
