import type { Answer, Azure } from "../azure/index.js";
import type { Finding, RemedyRequest } from "./finding.js";

/** A remedy that the command can carry out itself. */
export interface Fix {
  /** What the report printed. */
  readonly command: string;
  readonly request: RemedyRequest;
}

/** The remedies of problems that can be carried out, each once. */
export function fixesOf(findings: readonly Finding[]): Fix[] {
  const fixes = new Map<string, Fix>();
  for (const { status, remedy } of findings) {
    if (status !== "failed" || remedy?.command === undefined || remedy.request === undefined)
      continue;
    fixes.set(remedy.command, { command: remedy.command, request: remedy.request });
  }
  return [...fixes.values()];
}

/** How often a change that takes a while is looked at, and for how long. */
const INTERVAL_MS = 5000;
const ATTEMPTS = 60;

/**
 * Sends what a remedy's command would send, and waits until it has taken place.
 *
 * @returns why it failed; undefined if it did not
 */
export async function carryOut(
  azure: Azure,
  { request }: Fix,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<string | undefined> {
  const answer = await azure.change(request);
  // An assignment that somebody else made in the meantime is as good.
  if (answer.code === "RoleAssignmentExists") return undefined;
  if (answer.status >= 300) return reasonOf(answer);
  const { until } = request;
  for (let attempt = 0; until !== undefined; attempt++) {
    const { body } = await azure.arm(until.path, until.apiVersion);
    if (until.isDone(body)) return undefined;
    if (attempt === ATTEMPTS) return "it takes longer than five minutes";
    await sleep(INTERVAL_MS);
  }
  return undefined;
}

function reasonOf({ status, code, message }: Answer): string {
  return [status, code, message].filter(Boolean).join(" ");
}
