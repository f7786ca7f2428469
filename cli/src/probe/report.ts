import { SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import { isPrivate } from "../address.js";
import { jsonText, shownUrl, wrapped } from "../terminal/index.js";
import { EXIT_CODES, explain } from "./outcome.js";
import type { Attempt, ProbeResult } from "./probe.js";

/** Says that the default path was added to the given URL. */
export function addedPathLine(url: URL): string {
  return `The URL has no path: probing ${url.pathname}, the default of subscriberEndpoint.\n`;
}

export function attemptLine({ attempt, observed }: Attempt, next: number | undefined): string {
  return `Handshake ${attempt}: ${observed}${next === undefined ? "" : `; retrying in ${next / SECOND_MS} s`}\n`;
}

/** The result and its remedies as text. */
export function explanation(url: URL, { last }: ProbeResult, columns?: number): string {
  const { meaning, remedies } = explain(last);
  const notes = notesOf(last)
    .map((note) => `${wrapped(`Note: ${note}`, 0, columns)}\n`)
    .join("");
  const todo = remedies.map((remedy) => `  - ${wrapped(remedy, 4, columns)}\n`).join("");
  return `\n${shownUrl(url)}: ${last.outcome}\n${meaning}\n${todo}${notes}`;
}

/** Consent to this machine is no consent to Event Grid if the address is private. */
function notesOf({ notes, outcome, address }: Attempt): readonly string[] {
  if (outcome !== "consent" || address === undefined || !isPrivate(address)) return notes;
  return [
    ...notes,
    `Event Grid cannot reach ${address}, which answered: it calls from the internet.`,
  ];
}

/** The result and its remedies as one JSON object. */
export function jsonReport(url: URL, origin: string, { last, attempts }: ProbeResult): string {
  const { meaning, remedies } = explain(last);
  const report = {
    url: shownUrl(url),
    origin,
    consent: last.outcome === "consent",
    outcome: last.outcome,
    exitCode: EXIT_CODES[last.outcome],
    observed: last.observed,
    meaning,
    remedies,
    notes: notesOf(last),
    attempts: attempts.map(({ attempt, outcome, observed, status, durationMs }) => ({
      attempt,
      outcome,
      observed,
      status,
      durationMs,
    })),
  };
  return jsonText(report);
}
