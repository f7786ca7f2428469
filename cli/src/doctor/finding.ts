import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import type { Answer, Azure } from "../azure/index.js";
import type { RoleName, RuleName } from "../rules/index.js";

/**
 * - `ok`: as it should be
 * - `note`: could not be inspected, which does not matter for the verdict
 * - `warning`: does not prevent delivery, but is worth a look
 * - `failed`: prevents delivery
 * - `unknown`: could not be inspected, and may prevent delivery
 */
export type Status = "ok" | "note" | "warning" | "failed" | "unknown";

export interface Remedy {
  /** What to do, or who has to run the command. */
  readonly text?: string;
  /** A command that can be pasted into sh, cmd and PowerShell. */
  readonly command?: string;
}

export interface Finding {
  /** Name of the check; stable across releases. */
  readonly check: CheckName;
  readonly status: Status;
  readonly message: string;
  readonly remedy?: Remedy;
}

/** The checks, as docs/command-line/doctor.md lists them. Those of a rule have its name. */
export type CheckName =
  | RuleName
  | "provider"
  | "scope"
  | "event-subscription"
  | "retry-policy"
  | "destination"
  | "handshake"
  | "writer"
  | "filters"
  | "dead-letter"
  | "deliveries"
  | "topic"
  | "publisher"
  | "namespace"
  | "namespace-topic"
  | "receiver";

/** One finding of a check, several, or none. */
export type Findings = Finding | readonly Finding[];

/** Builds the findings of one check. A text as the remedy says what to do. */
export function findings(check: CheckName) {
  const problem =
    (status: "note" | "warning" | "failed" | "unknown") =>
    (message: string, remedy: string | Remedy): Finding => ({
      check,
      status,
      message,
      remedy: typeof remedy === "string" ? { text: remedy } : remedy,
    });
  const [note, unknown] = [problem("note"), problem("unknown")];
  return {
    ok: (message: string): Finding => ({ check, status: "ok", message }),
    note,
    warning: problem("warning"),
    failed: problem("failed"),
    unknown,
    /** The response does not allow a judgement. */
    unreadable: (what: string, answer: Answer): Finding =>
      unknown(unreadableText(what, answer), unreadableRemedy(answer)),
    /** The response leaves out what the judgement depends on. */
    notShown: (what: string): Finding =>
      unknown(`Azure does not show ${what}`, "inspect it in the Azure portal"),
    /** The same as `unreadable`, for what never prevents delivery. */
    notReadable: (what: string, answer: Answer): Finding =>
      note(unreadableText(what, answer), unreadableRemedy(answer)),
  };
}

/** Says which response prevented a check. */
function unreadableText(what: string, { status, code }: Answer): string {
  return `${what} cannot be read: ${status}${code === undefined ? "" : ` ${code}`}`;
}

/** Names the missing right, if the response does. */
export function unreadableRemedy({ status, message }: Answer): string {
  if (status === 429 || status >= 500) return "try again in some minutes";
  if (status !== 401 && status !== 403) return "inspect it in the Azure portal";
  const [action] = groupsOf(/perform action '([^']*)'/, message);
  if (action !== "") return `sign in with an identity that may perform ${action}`;
  return "sign in with an identity that has the role Reader at the scope and Application.Read.All in Graph";
}

export function assignRole(role: RoleName, principalId?: string, scope?: string): Remedy {
  return {
    command: `az role assignment create --role "${role}" --assignee ${principalId} --scope "${scope}"`,
  };
}

/**
 * Posts JSON to Microsoft Graph. az reads the body in Python's notation, too, whose quotes need no
 * escape in any shell.
 */
export function graphRemedy(
  azure: Azure,
  path: string,
  body: Readonly<Record<string, string | undefined>>,
): Remedy {
  const fields = Object.entries(body).map(([name, value]) => `'${name}': '${value}'`);
  const url = azure.graphUrl(path);
  return { command: `az rest --method POST --url ${url} --body "{${fields.join(", ")}}"` };
}

export function createPrincipal(applicationId: string | undefined): Remedy {
  return { command: `az ad sp create --id ${applicationId}` };
}
