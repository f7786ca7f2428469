import type { Answer } from "../azure/index.js";

/**
 * - `ok`: as it should be
 * - `note`: could not be inspected, which does not matter for the verdict
 * - `warning`: does not prevent delivery, but is worth a look
 * - `failed`: prevents delivery
 * - `unknown`: could not be inspected, and may prevent delivery
 */
export type Status = "ok" | "note" | "warning" | "failed" | "unknown";

/** What to do about a finding. */
export interface Remedy {
  /** What to do, or who has to run the command. */
  readonly text?: string;
  /** A command that can be pasted into sh, cmd and PowerShell. */
  readonly command?: string;
}

/** The result of one check. */
export interface Finding {
  /** Name of the check; stable across releases. */
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  readonly remedy?: Remedy;
}

/** Builds the findings of one check. A text as the remedy says what to do. */
export function findings(check: string) {
  const problem =
    (status: "note" | "warning" | "failed" | "unknown") =>
    (message: string, remedy: string | Remedy): Finding => ({
      check,
      status,
      message,
      remedy: typeof remedy === "string" ? { text: remedy } : remedy,
    });
  const unknown = problem("unknown");
  return {
    ok: (message: string): Finding => ({ check, status: "ok", message }),
    note: problem("note"),
    warning: problem("warning"),
    failed: problem("failed"),
    unknown,
    /** The response does not allow a judgement. */
    unreadable: (what: string, answer: Answer): Finding =>
      unknown(unreadableText(what, answer), unreadableRemedy(answer)),
  };
}

/** Says which response prevented a check. */
export function unreadableText(what: string, { status, code }: Answer): string {
  return `${what} cannot be read: ${status}${code === undefined ? "" : ` ${code}`}`;
}

/** Names the missing right, if the response does. */
export function unreadableRemedy({ status, message }: Answer): string {
  if (status !== 401 && status !== 403) {
    return "try again; if it persists, inspect it in the Azure portal";
  }
  const [, action] = /perform action '([^']+)'/.exec(message ?? "") ?? [];
  if (action !== undefined) return `sign in with an identity that may perform ${action}`;
  return "sign in with an identity that has the role Reader at the scope and Application.Read.All in Graph";
}

/** The command that assigns an Azure role to a service principal. */
export function assignRole(role: string, principalId: string, scope: string): Remedy {
  return {
    command:
      `az role assignment create --role "${role}" --assignee-object-id ${principalId} ` +
      `--assignee-principal-type ServicePrincipal --scope "${scope}"`,
  };
}

/**
 * The command that sends JSON to Microsoft Graph. az reads the body in Python's notation, too, whose
 * quotes need no escape in any shell.
 */
export function graphCommand(
  method: "POST" | "PATCH",
  url: string,
  body: Readonly<Record<string, string>>,
): Remedy {
  const fields = Object.entries(body).map(([name, value]) => `'${name}': '${value}'`);
  return { command: `az rest --method ${method} --url ${url} --body "{${fields.join(", ")}}"` };
}
