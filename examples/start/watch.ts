import { existsSync, readFileSync } from "node:fs";
import type { LocalCloud } from "cloud-eventgrid-local";
import type { Timeline } from "./timeline.js";

const POLL_MS = 20;

export interface Watch {
  /** Prints everything that has happened so far, and what the service has logged about it. */
  flush(): void;
  stop(): void;
}

/**
 * Prints the actions of the local Azure as they happen, and the log of the service when the actions
 * of a chapter are complete.
 */
export function watch(cloud: LocalCloud, logFile: string, timeline: Timeline): Watch {
  const seen = { handshakes: 0, deliveries: 0, lines: 0 };

  function printActions(): void {
    for (const handshake of cloud.handshakes().slice(seen.handshakes)) {
      seen.handshakes += 1;
      const { url, status, succeeded, reason } = handshake;
      const outcome = succeeded ? "webhook consents" : (reason ?? "no consent");
      timeline.line("handshake", `OPTIONS ${url} → ${status ?? "no answer"}, ${outcome}`, "good");
    }
    for (const delivery of cloud.deliveries().slice(seen.deliveries)) {
      seen.deliveries += 1;
      const { events, status, attempt, outcome } = delivery;
      const names = events.map(({ type, subject }) => `${type} ${subject ?? ""}`).join(", ");
      const again = (attempt ?? 1) > 1 ? `, attempt ${attempt}` : "";
      const tone = outcome === "delivered" ? "good" : "retry";
      timeline.line("delivery", `${names}${again} → ${status ?? "no answer"}, ${outcome}`, tone);
    }
  }

  function flush(): void {
    printActions();
    const lines = logLines(logFile).slice(seen.lines);
    seen.lines += lines.length;
    const worthShowing = lines.filter(({ level, caller }) => caller || level >= PINO_WARN);
    if (worthShowing.length === 0) return;
    timeline.line("service", "logs");
    for (const line of worthShowing) printLogLine(line, timeline);
  }

  const timer = setInterval(printActions, POLL_MS);
  return {
    flush,
    stop: () => {
      clearInterval(timer);
      flush();
    },
  };
}

/** A line of the service's log, which pino writes as JSON. */
interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly caller?: string;
  readonly reason?: string;
  readonly err?: { readonly message: string };
  /** The outcome of the event of a delivery. */
  readonly outcomes?: string;
}

const PINO_WARN = 40;

function printLogLine({ msg, caller, reason, err, outcomes }: LogLine, timeline: Timeline): void {
  if (caller) timeline.detail(`${msg}, from verified caller ${caller}`, "plain");
  else
    timeline.detail([msg, err?.message ?? reason ?? outcomes].filter(Boolean).join(": "), "retry");
}

function logLines(file: string): LogLine[] {
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return whole.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
}
