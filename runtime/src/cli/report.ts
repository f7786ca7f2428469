import { EXIT_CODES, explain } from "./outcome.js";
import type { Attempt, ProbeResult } from "./probe.js";

/** The URL as it may be printed: its query counts as a secret. */
function printedUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

/** Told before the first attempt, where the URL that is probed is not quite the one that was given. */
export function addedPathLine(url: URL): string {
  return `The URL has no path: probing ${url.pathname}, as subscriberEndpoint means it.\n`;
}

/** One line per attempt, for people who wait. */
export function attemptLine({ attempt, met }: Attempt, next: number | undefined): string {
  return `Handshake ${attempt}: ${met}${next === undefined ? "" : `; again in ${next / 1000} s`}\n`;
}

/** What the probe met and what to do, for people. */
export function explanation(url: URL, { last }: ProbeResult): string {
  const { meaning, remedies } = explain(last.outcome, last.status);
  const notes = last.notes.map((note) => `Note: ${note}\n`).join("");
  const todo = remedies.map((remedy) => `  - ${remedy}\n`).join("");
  return `\n${printedUrl(url)}: ${last.outcome}\n${meaning}\n${todo}${notes}`;
}

/** The same for programs: one JSON object. */
export function jsonReport(url: URL, origin: string, { last, attempts }: ProbeResult): string {
  const { meaning, remedies } = explain(last.outcome, last.status);
  const report = {
    url: printedUrl(url),
    origin,
    consent: last.outcome === "consent",
    outcome: last.outcome,
    exitCode: EXIT_CODES[last.outcome],
    met: last.met,
    meaning,
    remedies,
    notes: last.notes,
    attempts: attempts.map(({ attempt, outcome, met, status, durationMs }) => ({
      attempt,
      outcome,
      met,
      ...(status !== undefined && { status }),
      durationMs,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
