import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import type { Answer, Caller } from "../../azure/index.js";
import { CommandError } from "../../terminal/index.js";

/** A right that a request needs, and a role that contains it. */
export interface Right {
  readonly action: string;
  readonly role: string;
  /** The resource ID to assign the role at. */
  readonly scope: string;
}

/** A request that will never succeed, for example because a right is missing. */
export class Refused extends CommandError {}

/** Names a missing right and the command that grants it, in one line. */
export function missingRight({ action, role, scope }: Right, { objectId }: Caller): string {
  return (
    `the right ${action} is missing. Somebody who owns the resource grants it, and it takes effect ` +
    `within 10 minutes: az role assignment create --role "${role}" ` +
    `--assignee ${objectId ?? "YOUR_OBJECT_ID"} --scope "${scope}"`
  );
}

/** The error for a refused request to Resource Manager or a data plane. */
export function refusal(what: string, answer: Answer, right: Right, caller: Caller): CommandError {
  const { status, code, message } = answer;
  if (status !== 403) {
    return new CommandError(`${what}: ${[status, code, message].filter(Boolean).join(" ")}`);
  }
  // Event Grid also requires that the caller may write the destination.
  const [action, scope] = groupsOf(
    /perform action(?:\(s\))? '([^']*)' on the linked scope\(s\) '([^']*)'/,
    message,
  );
  const missing = action === "" ? right : { action, role: "Storage Account Contributor", scope };
  return new CommandError(`${what}: ${missingRight(missing, caller)}`);
}
